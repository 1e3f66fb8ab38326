//! Programs with what must be said about them, for several configurations each.
//!
//! ```text
//! // run: CONFIGURATION [--exclude NAME] [--entry NAME] [--harness NAME] [--check NAME] [--rule NAME or FILE]
//! //      [--vocabulary difference|alias-equal|monomial|cube|no-quantifiers] [--atom PATTERN, spaces as commas] [--permissive POLICY,…]
//! //   given STATUS ENTRY: TEXT   (a specification with a decision)
//! //   warning CONFIDENCE PROCEDURE: CONDITION
//! //   spec ENTRY: TEXT
//! //   no warning
//! //   specs COUNT                 (instead of their texts)
//! // typestate: VARIABLE
//! ```
//!
//! All warnings and specifications of a run must be listed, and nothing else may be found. Every file is a test of its own.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use lariat_base::Budget;
use lariat_report::{
    AngelicReport, AngelicRequest, Check, Configuration, EntryOutcome, Permissiveness, Specification,
    SpecificationStatus, Structure, VerifyRequest,
};
use lariat_testkit::HANG;
use lariat_testkit::files::{self, Case};

/// There are to be many programs; a run that finds few looks in the wrong place.
const FEWEST_FILES: usize = 12;

struct Run {
    title: String,
    request: AngelicRequest,
    warnings: Vec<String>,
    specs: Vec<String>,
    spec_count: Option<usize>,
}

fn runs(path: &Path) -> Vec<Run> {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let typestate: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("// typestate: "))
        .map(str::to_owned)
        .collect();
    let mut runs: Vec<Run> = Vec::new();
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("// run: ") {
            let mut words = words.split_whitespace();
            let name = words.next().expect("a configuration");
            let configuration: Configuration = name.parse().expect("a known configuration");
            let mut request = AngelicRequest {
                program: VerifyRequest::new(vec![path.to_owned()]),
                vocabulary: configuration.vocabulary(),
                typestate: typestate.clone(),
                monitors_set: configuration == Configuration::DefaultHarness,
                jobs: 1,
                ..AngelicRequest::default()
            };
            request.program.bound = 2;
            request.program.c.checks.push(Check::Null);
            while let Some(option) = words.next() {
                let value = words.next().expect("a value of an option").to_owned();
                match option {
                    "--exclude" => request.exclude.push(value),
                    "--entry" => request.program.entries.push(value),
                    "--harness" => request.harness = Some(value),
                    "--check" => {
                        request.program.c.checks = vec![value.parse().expect("a known check")];
                    }
                    "--rule" if value.contains('.') => {
                        let rule = path.with_file_name(value);
                        request.rules.push(rule.display().to_string());
                    }
                    "--rule" => request.rules.push(value),
                    "--atom" => request.vocabulary.patterns.push(value.replace(',', " ")),
                    "--vocabulary" => match value.as_str() {
                        "difference" => request.vocabulary.difference = true,
                        "alias-equal" => request.vocabulary.alias_equal = true,
                        "monomial" => request.vocabulary.structure = Structure::Monomial,
                        "cube" => request.vocabulary.structure = Structure::Cube,
                        "no-quantifiers" => request.vocabulary.quantifiers = false,
                        other => panic!("the word {other} is not known here"),
                    },
                    "--permissive" => request.permissiveness = permissiveness(&value),
                    other => panic!("the option {other} is not known here"),
                }
            }
            runs.push(Run {
                title: line.to_owned(),
                request,
                warnings: Vec::new(),
                specs: Vec::new(),
                spec_count: None,
            });
        } else if let Some(expected) = line.strip_prefix("//   ") {
            let run = runs.last_mut().expect("an expectation after a run");
            if let Some(warning) = expected.strip_prefix("warning ") {
                run.warnings.push(warning.to_owned());
            } else if let Some(spec) = expected.strip_prefix("spec ") {
                run.specs.push(spec.to_owned());
            } else if let Some(given) = expected.strip_prefix("given ") {
                run.request.specifications.push(specification(given));
            } else if let Some(count) = expected.strip_prefix("specs ") {
                run.spec_count = Some(count.parse().expect("a number"));
            } else {
                assert_eq!(expected, "no warning");
            }
        }
    }
    assert!(!runs.is_empty(), "{} expects nothing", path.display());
    runs
}

fn permissiveness(policies: &str) -> Permissiveness {
    let has = |name: &str| policies.split(',').any(|policy| policy == name);
    Permissiveness {
        consistency: has("consistency"),
        no_dead_code: has("dead-code"),
        null_checks: has("null-checks"),
        evidence: has("evidence"),
        user: has("user"),
    }
}

/// `STATUS ENTRY: TEXT`
fn specification(words: &str) -> Specification {
    let (status, rest) = words.split_once(' ').expect("a status and an entry");
    let (entry, text) = rest.split_once(": ").expect("an entry and a text");
    Specification {
        id: words.to_owned(),
        entry: entry.to_owned(),
        text: text.to_owned(),
        status: match status {
            "accepted" => SpecificationStatus::Accepted,
            "edited" => SpecificationStatus::Edited,
            "rejected" => SpecificationStatus::Rejected,
            other => panic!("the status {other} is not known here"),
        },
        ..Specification::default()
    }
}

/// What is wrong with the answer.
fn complaint(run: &Run, report: &AngelicReport) -> Option<String> {
    let mut warnings: Vec<String> = report
        .warnings
        .iter()
        .map(|warning| {
            let condition = warning.condition.as_deref().unwrap_or("");
            format!("{} {}: {condition}", warning.confidence.name(), warning.procedure)
        })
        .collect();
    let mut specs: Vec<String> = report
        .specifications
        .iter()
        .map(|spec| format!("{}: {}", spec.entry, spec.text))
        .collect();
    let (mut expected_warnings, mut expected_specs) = (run.warnings.clone(), run.specs.clone());
    for list in [
        &mut warnings,
        &mut specs,
        &mut expected_warnings,
        &mut expected_specs,
    ] {
        list.sort_unstable();
    }
    let specs_are_right = match run.spec_count {
        Some(count) => specs.len() == count,
        None => specs == expected_specs,
    };
    let unconfirmed = report
        .warnings
        .iter()
        .flat_map(|warning| &warning.traces)
        .any(|trace| !trace.failure.confirmed);
    let incomplete = report
        .entries
        .iter()
        .find(|entry| entry.outcome != EntryOutcome::Done);
    if warnings == expected_warnings
        && specs_are_right
        && !unconfirmed
        && incomplete.is_none()
        && !report.bad_input
    {
        return None;
    }
    let mut text = format!("  {}\n    found:\n", run.title);
    for line in &warnings {
        let _ = writeln!(text, "      warning {line}");
    }
    for line in &specs {
        let _ = writeln!(text, "      spec {line}");
    }
    for entry in report
        .entries
        .iter()
        .filter(|entry| entry.outcome != EntryOutcome::Done)
    {
        let _ = writeln!(text, "      {} {:?}", entry.name, entry.outcome);
    }
    for diagnostic in &report.diagnostics {
        let _ = writeln!(text, "{}", diagnostic.rendered);
    }
    Some(text)
}

fn check(path: &Path) -> Result<(), String> {
    let complaints: String = runs(path)
        .iter()
        .filter_map(|run| {
            let budget = Budget::unlimited().within(HANG);
            complaint(run, &lariat_angelic::angelic(&run.request, &budget, &mut |_| {}))
        })
        .collect();
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(complaints),
    }
}

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut cases = Vec::new();
    for extension in ["bpl", "c"] {
        for (name, path) in files::below(&folder, extension) {
            cases.push(Case::new(name, move || check(&path)));
        }
    }
    files::run(cases, FEWEST_FILES)
}
