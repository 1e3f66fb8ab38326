//! `lariat boogie`: modular verification with Boogie's flags, lines and exit codes.

use std::path::PathBuf;

use lariat_report::{
    BoogieCache, BoogieFailure, BoogieOutcome, BoogieReplay, BoogieReport, BoogieRequest, FailureKind,
};
use lariat_worker::{Ending, Observation, Order, StopSignal};

use crate::command::supervisor;
use crate::exit::{self, ExitCode};
use crate::format::{OutputFormat, text};
use crate::say;
use crate::view::{Finding, Obstacle, Span, Tone, View};

/// Runs the command; Boogie's exit code is 0 unless the arguments are wrong.
pub fn run(arguments: &[String]) -> ExitCode {
    let (request, format) = match read_arguments(arguments) {
        Ok(read) => read,
        Err(message) => return say::usage_error(&message),
    };
    let stop = StopSignal::new();
    let handler_stop = stop.clone();
    // Without the handler Ctrl-C ends the process at once.
    let _ = ctrlc::set_handler(move || handler_stop.request());
    let supervised = supervisor().and_then(|supervisor| {
        supervisor.run(&Order::new(request), &stop, &mut |observation| {
            if let (Observation::Output(line), OutputFormat::Text) = (observation, format) {
                // A closed pipe: the reader has seen enough.
                let _ = say::result(&format!("{line}\n"));
            }
        })
    });
    let outcome = match supervised {
        Ok(outcome) => outcome,
        Err(error) => {
            say::error(&format!("cannot start the process that does the work: {error}"));
            return ExitCode::NoAnswer;
        }
    };
    if let Err(message) = write(&outcome.report, format) {
        say::error(&message);
        return ExitCode::BadInput;
    }
    match &outcome.ending {
        Ending::Panicked(panic) => {
            exit::report_panic(panic);
            ExitCode::Internal
        }
        _ if stop.is_requested() => ExitCode::Interrupted,
        _ if outcome.report.bad_arguments => ExitCode::Bug,
        _ if outcome.report.unfinished.is_some() => ExitCode::NoAnswer,
        _ => ExitCode::Success,
    }
}

fn write(report: &BoogieReport, format: OutputFormat) -> Result<(), String> {
    for note in &report.notes {
        say::warning(note);
    }
    if let Some(reason) = &report.unfinished {
        say::error(reason);
    }
    if format == OutputFormat::Text {
        // The lines were printed as they came.
        return Ok(());
    }
    let options = text::Options {
        quiet: false,
        verbose: false,
        width: text::terminal_width(),
        cut: false,
    };
    say::result(&format.render(&view(report), &options)?)
}

/// The report as the formats see it.
fn view(report: &BoogieReport) -> View<'_> {
    let counts = &report.counts;
    let is_verified = counts.verified == report.procedures.len() && report.errors.is_empty();
    let tone = if is_verified { Tone::Good } else { Tone::Bad };
    let finding = |failure: &BoogieFailure| -> FailureKind {
        match (&failure.related, failure.message.as_str()) {
            (Some((_, text)), _) if text.contains("precondition") => FailureKind::Precondition,
            (Some(_), _) => FailureKind::Postcondition,
            (None, "this loop invariant could not be proved on entry") => FailureKind::InvariantEntry,
            (None, "this invariant could not be proved to be maintained by the loop") => {
                FailureKind::InvariantMaintained
            }
            (None, _) => FailureKind::Assertion,
        }
    };
    let failures = report.procedures.iter().flat_map(|procedure| &procedure.failures);
    let findings = failures.map(|failure| {
        let mut found = Finding::new(finding(failure), failure.message.clone(), Some(&failure.location));
        found.related = failure
            .related
            .iter()
            .map(|(location, text)| (location, text.clone()))
            .collect();
        found.properties = serde_json::json!({ "replayed": failure.replay == BoogieReplay::Fails });
        found
    });
    let open = report.procedures.iter().filter_map(|procedure| {
        let message = match &procedure.outcome {
            BoogieOutcome::Verified | BoogieOutcome::NotProved => return None,
            BoogieOutcome::Inconclusive { reason } => reason.clone(),
            BoogieOutcome::TimedOut => "the time limit was reached".to_owned(),
            BoogieOutcome::OutOfMemory => "the memory limit was reached".to_owned(),
            BoogieOutcome::OutOfResource => "the limit of resources was reached".to_owned(),
        };
        Some(Obstacle {
            is_error: false,
            message: format!("{}: {message}", procedure.name),
            location: Some(&procedure.location),
        })
    });
    let refused = report.errors.iter().map(|error| Obstacle {
        is_error: true,
        message: error.message.clone(),
        location: error.location.as_ref(),
    });
    View {
        obstacles: open.chain(refused).collect(),
        findings: findings.collect(),
        properties: serde_json::json!({ "verified": counts.verified, "errors": counts.errors }),
        ..View::new(
            "boogie",
            &report.files,
            Span::new(
                tone,
                format!("{} verified, {} errors", counts.verified, counts.errors),
            ),
            report,
        )
    }
}

/// Lariat's own options start with two dashes; everything else is Boogie's.
fn read_arguments(arguments: &[String]) -> Result<(BoogieRequest, OutputFormat), String> {
    let mut request = BoogieRequest::default();
    let mut format = OutputFormat::Text;
    let mut check = false;
    let mut folder: Option<PathBuf> = None;
    let mut given = arguments.iter();
    while let Some(argument) = given.next() {
        let (name, inline) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (argument.as_str(), None),
        };
        if !matches!(name, "--output-format" | "--jobs" | "--cache") {
            request.arguments.push(argument.clone());
            continue;
        }
        let value = inline
            .or_else(|| given.next().cloned())
            .ok_or_else(|| format!("{name} needs a value"))?;
        match name {
            "--jobs" => {
                let jobs = value.parse().ok().filter(|&jobs| jobs > 0);
                request.jobs =
                    Some(jobs.ok_or_else(|| format!("--jobs {value}: a number from 1 was expected"))?);
            }
            "--cache" if value == "check" => check = true,
            "--cache" => folder = Some(value.into()),
            _ => {
                format = match value.as_str() {
                    "text" => OutputFormat::Text,
                    "json" => OutputFormat::Json,
                    "sarif" => OutputFormat::Sarif,
                    _ => {
                        return Err(format!(
                            "--output-format {value}: known are `text`, `json`, `sarif`"
                        ));
                    }
                }
            }
        }
    }
    if check && folder.is_none() {
        return Err("--cache check needs --cache DIR too".to_owned());
    }
    request.cache = folder.map(|folder| BoogieCache { folder, check });
    Ok((request, format))
}
