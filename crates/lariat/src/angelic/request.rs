//! The request: flags first, then settings, then defaults.

use std::time::Duration;

use lariat_report::{
    AngelicRequest, Check, CheckSelector, Configuration, Engine, Permissiveness, VerifyRequest, Vocabulary,
};

use super::arguments::{AngelicArguments, permissiveness_of, vocabulary_of};
use super::settings::Settings;

/// What is checked in C by default: an open program is full of pointers.
const DEFAULT_CHECKS: [Check; 3] = [Check::Reach, Check::Assert, Check::Null];

/// The request without the specifications and the earlier report. The error is for the user.
pub fn request(arguments: &AngelicArguments, settings: &Settings) -> Result<AngelicRequest, String> {
    if let Some(file) = arguments.files.iter().find(|file| file.to_str().is_none()) {
        return Err(format!("the name of {} is not valid Unicode", file.display()));
    }
    let seconds = |flag: Option<Duration>, setting: Option<Duration>| {
        flag.or(setting).map(|duration| duration.as_secs_f64())
    };
    let jobs = arguments.jobs.or(settings.jobs).unwrap_or(0);
    let (entries, roots_only, harness) = entries(arguments, settings)?;
    let monitors_set =
        harness.is_some() || configuration(arguments, settings) == Configuration::DefaultHarness;
    Ok(AngelicRequest {
        program: VerifyRequest {
            entries,
            ..program(arguments, settings)?
        },
        roots_only,
        exclude: list(&arguments.exclude, &settings.exclude),
        vocabulary: vocabulary(arguments, settings)?,
        permissiveness: permissiveness(arguments, settings)?,
        rules: list(&arguments.rule, &settings.rules),
        typestate: list(&arguments.typestate, &settings.typestate),
        harness,
        monitors_set,
        jobs: usize::try_from(jobs).unwrap_or(usize::MAX),
        entry_seconds: seconds(arguments.entry_time_limit, settings.entry_time_limit),
        explain_seconds: seconds(arguments.explain_time_limit, settings.explain_time_limit),
        specifications: Vec::new(),
        earlier: None,
    })
}

fn program(arguments: &AngelicArguments, settings: &Settings) -> Result<VerifyRequest, String> {
    let engine = arguments.engine.or(settings.engine).unwrap_or_default();
    if engine == Engine::Chc {
        return Err(
            "`--engine chc` finds only proofs, no failing executions: choose another engine".to_owned(),
        );
    }
    let mut c = arguments.c.options();
    if arguments.c.check.is_empty() {
        c.checks = match &settings.checks {
            Some(checks) => CheckSelector::selected(checks),
            None => DEFAULT_CHECKS.to_vec(),
        };
    }
    Ok(VerifyRequest {
        files: arguments.files.clone(),
        language: arguments.language,
        engine,
        bound: arguments
            .bound
            .or(settings.bound)
            .unwrap_or(VerifyRequest::DEFAULT_BOUND),
        trace: arguments.trace,
        steps: arguments.output.has_page(),
        color: arguments.output.color(),
        c,
        ..arguments.solver.request()
    })
}

/// The entries by name, whether only roots are entries, and the harness. Flags replace all settings about entries. What a
/// harness calls is by default what nothing else calls.
fn entries(
    arguments: &AngelicArguments,
    settings: &Settings,
) -> Result<(Vec<String>, bool, Option<String>), String> {
    let wants_harness = configuration(arguments, settings) == Configuration::DefaultHarness;
    let chosen_by_flags = !arguments.entry.is_empty() || arguments.entry_roots;
    let harness = match &arguments.harness {
        Some(harness) => Some(harness.clone()),
        None if wants_harness && !chosen_by_flags => settings.harness.clone(),
        None => None,
    };
    if harness.is_some() {
        return Ok((Vec::new(), false, harness));
    }
    if chosen_by_flags {
        return Ok((arguments.entry.clone(), arguments.entry_roots, None));
    }
    let entries = settings.entries.clone().unwrap_or_default();
    let roots_only = settings
        .entry_roots
        .unwrap_or(wants_harness && entries.is_empty());
    if roots_only && !entries.is_empty() {
        return Err("the settings have both `entries` and `entry-roots`: remove one of them".to_owned());
    }
    Ok((entries, roots_only, None))
}

fn configuration(arguments: &AngelicArguments, settings: &Settings) -> Configuration {
    let flag = arguments.acceptable.config;
    flag.or(settings.configuration).unwrap_or_default()
}

fn vocabulary(arguments: &AngelicArguments, settings: &Settings) -> Result<Vocabulary, String> {
    let flags = &arguments.acceptable;
    let mut vocabulary = configuration(arguments, settings).vocabulary();
    // A configuration given by a flag is not changed by the settings.
    if flags.config.is_none() {
        settings.vocabulary.apply(&mut vocabulary);
    }
    if !flags.vocabulary.is_empty() {
        vocabulary = Vocabulary {
            patterns: vocabulary.patterns,
            generalise_after: vocabulary.generalise_after,
            ..vocabulary_of(&flags.vocabulary)
        };
    }
    if !flags.atom.is_empty() {
        vocabulary.patterns.clone_from(&flags.atom);
    }
    let extended = !flags.vocabulary.is_empty() || !flags.atom.is_empty();
    if flags.config == Some(Configuration::NoExplain) && extended {
        return Err(
            "`--config no-explain` allows no specification at all: leave --vocabulary and --atom out"
                .to_owned(),
        );
    }
    // Words or atoms on the command line mean that specifications are wanted, whatever the settings say.
    vocabulary.empty &= !extended;
    Ok(vocabulary)
}

fn permissiveness(arguments: &AngelicArguments, settings: &Settings) -> Result<Permissiveness, String> {
    let policies = &arguments.acceptable.permissive;
    if !policies.is_empty() {
        return permissiveness_of(policies);
    }
    let mut permissiveness = Permissiveness::default();
    settings.permissiveness.apply(&mut permissiveness);
    Ok(permissiveness)
}

/// A list of flags, or of the settings if there are none.
fn list(flags: &[String], setting: &Option<Vec<String>>) -> Vec<String> {
    match (flags, setting) {
        ([], Some(setting)) => setting.clone(),
        _ => flags.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        angelic: AngelicArguments,
    }

    fn made(flags: &[&str], settings: &Settings) -> Result<AngelicRequest, String> {
        let words = ["lariat", "a.c"].iter().chain(flags);
        let only = Only::try_parse_from(words).expect("arguments");
        request(&only.angelic, settings)
    }

    fn settings() -> Settings {
        Settings {
            configuration: Some(Configuration::NoAlias),
            harness: Some("Harness".to_owned()),
            exclude: Some(vec!["test_*".to_owned()]),
            jobs: Some(3),
            bound: Some(5),
            checks: Some(vec![CheckSelector::One(Check::Overflow)]),
            entry_time_limit: Some(Duration::from_secs(9)),
            ..Settings::default()
        }
    }

    #[test]
    fn usually_every_procedure_is_an_entry_and_null_is_checked() {
        let request = made(&[], &Settings::default()).expect("a request");
        assert_eq!(request.vocabulary, Vocabulary::default());
        assert_eq!(request.permissiveness, Permissiveness::default());
        assert_eq!(
            request.program.c.checks,
            [Check::Reach, Check::Assert, Check::Null]
        );
        assert!(request.program.entries.is_empty() && !request.roots_only);
        assert_eq!((request.jobs, request.program.bound), (0, 3));
    }

    #[test]
    fn settings_count_where_there_is_no_flag() {
        let request = made(&[], &settings()).expect("a request");
        assert_eq!(request.vocabulary, Configuration::NoAlias.vocabulary());
        assert_eq!(request.exclude, ["test_*"]);
        assert_eq!((request.jobs, request.program.bound), (3, 5));
        assert_eq!(request.program.c.checks, [Check::Overflow]);
        assert_eq!(request.entry_seconds, Some(9.0));
        // A harness is for the configuration that needs one.
        assert_eq!(request.harness, None);
    }

    #[test]
    fn flags_win() {
        let flags = [
            "--config=default+harness",
            "--exclude=x",
            "--jobs=1",
            "--check=null",
            "--entry-time-limit=1m",
            "--permissive=dead-code",
        ];
        let request = made(&flags, &settings()).expect("a request");
        assert_eq!(request.vocabulary, Vocabulary::default());
        assert_eq!(request.harness.as_deref(), Some("Harness"));
        assert_eq!(request.exclude, ["x"]);
        assert_eq!(request.jobs, 1);
        assert_eq!(request.program.c.checks, [Check::Null]);
        assert_eq!(request.entry_seconds, Some(60.0));
        assert!(request.permissiveness.no_dead_code && !request.permissiveness.consistency);
    }

    #[test]
    fn the_monitors_are_set_up_by_a_harness_or_before_each_root() {
        let harness = made(&["--harness=H", "--config=default+harness"], &settings()).expect("a request");
        assert_eq!(harness.harness.as_deref(), Some("H"));
        assert!(harness.monitors_set && !harness.roots_only);
        let roots = made(&["--config=default+harness"], &Settings::default()).expect("a request");
        assert!(roots.monitors_set && roots.roots_only && roots.harness.is_none());
        let named =
            made(&["--config=default+harness", "--entry=f"], &Settings::default()).expect("a request");
        assert!(named.monitors_set && !named.roots_only);
        assert_eq!(named.program.entries, ["f"]);
        assert!(!made(&[], &settings()).expect("a request").monitors_set);
    }

    #[test]
    fn words_and_atoms_replace_the_vocabulary() {
        let request = made(
            &["--vocabulary=difference,monomial", "--atom=_ > 0"],
            &Settings::default(),
        )
        .expect("a request");
        let vocabulary = request.vocabulary;
        assert!(vocabulary.difference && !vocabulary.alias && !vocabulary.empty);
        assert_eq!(vocabulary.patterns, ["_ > 0"]);
        assert_eq!(
            made(&["--config=no-explain"], &Settings::default()).map(|request| request.vocabulary.empty),
            Ok(true)
        );
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (flags, part) in [
            (&["--engine=chc"][..], "chc"),
            (&["--config=no-explain", "--vocabulary=alias"], "no-explain"),
            (&["--permissive=none,user"], "none"),
        ] {
            let error = made(flags, &Settings::default()).expect_err("refused");
            assert!(error.contains(part), "{error}");
        }
    }
}
