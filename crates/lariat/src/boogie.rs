//! `lariat boogie`: modular verification with Boogie's flags, lines and exit codes.

use std::path::PathBuf;

use lariat_report::{BoogieCache, BoogieReport, BoogieRequest};
use lariat_worker::{Ending, Observation, Order, StopSignal};

use crate::command::supervisor;
use crate::exit::{self, ExitCode};
use crate::say;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Format {
    #[default]
    Text,
    Json,
}

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
            if let (Observation::Output(line), Format::Text) = (observation, format) {
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

fn write(report: &BoogieReport, format: Format) -> Result<(), String> {
    for note in &report.notes {
        say::warning(note);
    }
    if let Some(reason) = &report.unfinished {
        say::error(reason);
    }
    match format {
        Format::Text => Ok(()),
        Format::Json => {
            let text = serde_json::to_string_pretty(report).map_err(|error| error.to_string())?;
            say::result(&format!("{text}\n"))
        }
    }
}

/// Lariat's own options start with two dashes; everything else is Boogie's.
fn read_arguments(arguments: &[String]) -> Result<(BoogieRequest, Format), String> {
    let mut request = BoogieRequest::default();
    let mut format = Format::default();
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
                    "text" => Format::Text,
                    "json" => Format::Json,
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
