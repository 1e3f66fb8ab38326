//! `lariat verify` of a whole project.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use lariat_project::{ProjectEvent, ProjectOptions, project_files};
use lariat_report::{
    COptions, Language, PartKind, Parts, Phase, ProgressUpdate, ProjectReport, UnknownCause, Verdict,
    VerifyReport, VerifyRequest, Warning,
};
use lariat_worker::{StopSignal, memory_of_system};

use super::project_view;
use crate::arguments::{Arguments, VerifyArguments};
use crate::command;
use crate::exit::ExitCode;
use crate::progress::RunProgress;
use crate::say;

/// Each entry may take this long if no limit is given.
const TIME_LIMIT: Duration = Duration::from_secs(60);

const STATE_NAME: &str = "lariat-verify.jsonl";

/// Whether several entries are asked for that are to be found.
pub fn is_wanted(arguments: &VerifyArguments) -> bool {
    arguments.files.is_empty()
        || arguments.project.is_used()
        || arguments.entry.iter().any(|entry| entry.contains('*'))
}

pub fn run(arguments: &VerifyArguments, common: &Arguments) -> ExitCode {
    let verified = verify(arguments, common);
    match verified {
        Ok(code) => code,
        Err(message) => {
            say::error(&message);
            ExitCode::BadInput
        }
    }
}

fn verify(arguments: &VerifyArguments, common: &Arguments) -> Result<ExitCode, String> {
    let (options, warnings) = options(arguments)?;
    let stop = StopSignal::new();
    command::stop_on_ctrl_c(&stop);
    let supervisor = command::supervisor().map_err(|error| error.to_string())?;
    let progress = RunProgress::new(!common.no_progress && !common.quiet);
    let mut done = Parts {
        kind: PartKind::Files,
        done: 0,
        total: options.files.len() as u64,
    };
    let ran = lariat_project::run(&options, &supervisor, &stop, &mut |event| {
        show(event, &mut done, &progress, common);
    });
    progress.finish();
    let mut report = ran.map_err(|error| error.to_string())?;
    report.warnings.splice(0..0, warnings);
    if report.entries.is_empty() && report.missing.is_empty() && !options.patterns.is_empty() {
        let patterns = options.patterns.join("`, `");
        if report.unreadable.is_empty() {
            return Err(format!("no function of the files fits `{patterns}`"));
        }
        say::warning(&format!(
            "no function of the files that could be read fits `{patterns}`"
        ));
    }
    let view = project_view::view(&report, options.state.as_deref());
    let shown = command::show(view, &arguments.output, common, None)?;
    let has_panic = |report: &VerifyReport| {
        matches!(
            report.verdict,
            Verdict::Unknown {
                cause: UnknownCause::Internal,
                ..
            }
        )
    };
    Ok(
        shown.exit_code(if report.entries.iter().any(|entry| has_panic(&entry.report)) {
            ExitCode::Internal
        } else if stop.is_requested() {
            ExitCode::Interrupted
        } else {
            exit_code(&report, arguments.bounded_ok)
        }),
    )
}

fn exit_code(report: &ProjectReport, bounded_ok: bool) -> ExitCode {
    ExitCode::of_verdict(&report.verdict, bounded_ok)
}

fn options(arguments: &VerifyArguments) -> Result<(ProjectOptions, Vec<Warning>), String> {
    refuse_single(arguments)?;
    let database = arguments.c.compile_commands.as_deref();
    let (files, warnings) = match (arguments.files.as_slice(), database) {
        ([], Some(database)) => project_files(database)?,
        (files, _) => (files.to_vec(), Vec::new()),
    };
    if files.is_empty() {
        return Err("the compilation database names no C file".to_owned());
    }
    let is_other = |file: &&PathBuf| match arguments.language {
        Some(language) => language != Language::C,
        None => !COptions::is_c_file(file),
    };
    if let Some(file) = files.iter().find(is_other) {
        return Err(format!(
            "{} is not C: patterns in --entry, --jobs, --resume and --state are for C",
            file.display()
        ));
    }
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let jobs = arguments.project.jobs.map_or(cores, |jobs| jobs as usize);
    let share = memory_of_system().map(|memory| memory / 10 * 8 / jobs as u64);
    let options = ProjectOptions {
        settings: VerifyRequest {
            deepen: arguments.search.bound.is_none(),
            ..super::request(arguments, None)?
        },
        patterns: arguments.entry.clone(),
        time_limit: arguments.limits.time_limit.unwrap_or(TIME_LIMIT),
        memory_limit: arguments.limits.memory_limit.or(share),
        jobs,
        state: state_path(arguments, database),
        resume: arguments.project.resume,
        files,
    };
    Ok((options, warnings))
}

/// Where verdicts are kept: next to the database, or where the user says.
fn state_path(arguments: &VerifyArguments, database: Option<&Path>) -> Option<PathBuf> {
    let beside = |database: &Path| match database.is_dir() {
        true => database.join(STATE_NAME),
        false => database.with_file_name(STATE_NAME),
    };
    let fallback = || arguments.project.resume.then(|| PathBuf::from(STATE_NAME));
    let state = arguments.project.state.clone();
    state.or_else(|| database.map(beside)).or_else(fallback)
}

/// What is about one execution, or one run of one program, makes no sense for many.
fn refuse_single(arguments: &VerifyArguments) -> Result<(), String> {
    let refused = [
        ("--harness", arguments.harness.is_some()),
        ("--property", arguments.property.is_some()),
        ("--log", !arguments.log.is_empty()),
        ("--error-variable", arguments.error_variable.is_some()),
    ];
    match refused.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(format!(
            "`{flag}` is for one program: name its files, and its entry without `*`"
        )),
        None => Ok(()),
    }
}

fn show(event: ProjectEvent<'_>, done: &mut Parts, progress: &RunProgress, common: &Arguments) {
    let mut subject = None;
    match event {
        ProjectEvent::Surveyed { done: files, total } => {
            (done.done, done.total) = (files as u64, total as u64);
        }
        ProjectEvent::Planned { total, kept } => {
            *done = Parts {
                kind: PartKind::Entries,
                done: kept as u64,
                total: total as u64,
            };
        }
        ProjectEvent::Started(name) => subject = Some(name.to_owned()),
        ProjectEvent::Finished(entry) => {
            done.done += 1;
            if common.verbose {
                progress.suspend(|| say::remarks(&project_view::row_line(entry)));
            }
        }
    }
    progress.update(ProgressUpdate {
        phase: match done.kind {
            PartKind::Files => Phase::Parsing,
            _ => Phase::Solving,
        },
        subject,
        parts: Some(done.clone()),
        ..ProgressUpdate::default()
    });
}
