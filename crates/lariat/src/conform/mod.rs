//! `lariat conform`: makes the request, supervises the work and shows what comes of it.

pub mod arguments;

use std::io::Write;
use std::path::Path;

use lariat_report::ConformReport;
use lariat_worker::{Ending, Order, StopSignal};

use self::arguments::{ConformArguments, ConformFormat};
use crate::arguments::{Arguments, WorkerTask};
use crate::exit::{self, ExitCode};
use crate::supervise::supervise;
use crate::{say, show};

pub fn run(arguments: &ConformArguments, common: &Arguments) -> ExitCode {
    let request = match arguments.request() {
        Ok(request) => request,
        Err(message) => return say::usage_error(&message),
    };
    let order = Order {
        request,
        time_limit_seconds: arguments.time_limit.map(|limit| limit.as_secs_f64()),
        memory_limit_bytes: arguments.memory_limit,
    };
    let stop = StopSignal::new();
    let outcome = match supervise(WorkerTask::Conform, &order, &stop, common, &mut |_| {}) {
        Ok(outcome) => outcome,
        Err(code) => return code,
    };
    let mut report = outcome.report;
    report.peak_memory_bytes = report.peak_memory_bytes.max(outcome.peak_memory_bytes);
    report.seconds = outcome.seconds;
    if let Err(message) = give(&report, arguments, common) {
        return say::usage_error(&message);
    }
    if let Ending::Panicked(panic) = &outcome.ending {
        exit::tell_panic(panic);
        return ExitCode::Internal;
    }
    if stop.is_requested() {
        return ExitCode::Interrupted;
    }
    ExitCode::of_verdict(&report.verdict, false)
}

/// Gives the report to the user, on standard output or in files.
fn give(report: &ConformReport, arguments: &ConformArguments, common: &Arguments) -> Result<(), String> {
    let options = show::Options {
        quiet: common.quiet,
        verbose: common.verbose,
        width: show::terminal_width(),
    };
    let text = match arguments.output_format {
        ConformFormat::Text => {
            let remarks = show::remarks(&report.diagnostics, &[], &options);
            // Whoever closed the pipe does not want to read on.
            let _ = anstream::stderr().write_all(remarks.as_bytes());
            Some(show::conform_answer(report, &options))
        }
        ConformFormat::Json => say::json(report),
    };
    let Some(text) = text else {
        return Ok(());
    };
    match &arguments.output {
        Some(path) => write(path, &anstream::adapter::strip_str(&text).to_string()),
        None => {
            let _ = anstream::stdout().write_all(text.as_bytes());
            Ok(())
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
