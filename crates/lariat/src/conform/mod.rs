//! `lariat conform`: makes the request, supervises the work and shows what comes of it.

pub mod arguments;
mod chart;
mod html;

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use lariat_bench::tables::ConformMeasured;
use lariat_report::{ConformReport, ConformRequest};
use lariat_worker::{Ending, Order, StopSignal, Supervisor};

use self::arguments::{ConformArguments, ConformFormat};
use crate::arguments::Arguments;
use crate::exit::{self, ExitCode};
use crate::supervise::supervise;
use crate::{say, show};

pub fn run(arguments: &ConformArguments, common: &Arguments) -> ExitCode {
    let request = match arguments.request() {
        Ok(request) => request,
        Err(message) => return say::usage_error(&message),
    };
    if let Some(folder) = &arguments.export
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        return say::usage_error(&format!("cannot write to {}: {error}", folder.display()));
    }
    let order = Order {
        request,
        time_limit_seconds: arguments.time_limit.map(|limit| limit.as_secs_f64()),
        memory_limit_bytes: arguments.memory_limit,
    };
    let stop = StopSignal::new();
    let outcome = match supervise(&order, &stop, common, &mut |_| {}) {
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

/// A run in a process of its own, for tables.
pub fn measured(
    request: &ConformRequest,
    time_limit: Duration,
    memory_limit: Option<u64>,
) -> Result<ConformMeasured, String> {
    let order = Order {
        request: request.clone(),
        time_limit_seconds: Some(time_limit.as_secs_f64()),
        memory_limit_bytes: memory_limit,
    };
    let supervisor = Supervisor::of_this_program(["__worker"]).map_err(|error| error.to_string())?;
    let outcome = supervisor
        .run(&order, &StopSignal::new(), &mut |_| {})
        .map_err(|error| error.to_string())?;
    Ok(ConformMeasured {
        peak_memory_bytes: outcome.peak_memory_bytes.max(outcome.report.peak_memory_bytes),
        seconds: outcome.seconds,
        report: outcome.report,
    })
}

/// Gives the report to the user, on standard output or in files.
fn give(report: &ConformReport, arguments: &ConformArguments, common: &Arguments) -> Result<(), String> {
    let options = show::Options {
        quiet: common.quiet,
        verbose: common.verbose,
        width: show::terminal_width(),
    };
    if let Some(path) = &arguments.report {
        write(path, &html::page(report))?;
    }
    let text = match arguments.output_format {
        ConformFormat::Text => {
            let remarks = show::remarks(&report.diagnostics, &[], &options);
            // Whoever closed the pipe does not want to read on.
            let _ = anstream::stderr().write_all(remarks.as_bytes());
            Some(show::conform_answer(report, &options))
        }
        ConformFormat::Json => say::json(report),
        ConformFormat::Html => Some(html::page(report)),
    };
    let Some(text) = text else {
        return Ok(());
    };
    match &arguments.output {
        Some(path) if arguments.output_format == ConformFormat::Text => {
            write(path, &anstream::adapter::strip_str(&text).to_string())
        }
        Some(path) => write(path, &text),
        None => {
            let _ = anstream::stdout().write_all(text.as_bytes());
            Ok(())
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
