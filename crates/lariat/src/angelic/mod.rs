//! `lariat angelic`: makes the request, supervises the work, shows what comes of it and keeps it for the next run.

pub mod arguments;
mod files;
mod request;
mod settings;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use lariat_report::{AngelicReport, AngelicRequest};
use lariat_specs::SpecsFile;
use lariat_worker::{Ending, Order, StopSignal, Supervisor};

use self::arguments::AngelicArguments;
use self::settings::Settings;
use crate::arguments::{Arguments, OutputFormat};
use crate::exit::{self, ExitCode};
use crate::supervise::supervise;
use crate::{sarif, say, show};

pub fn run(arguments: &AngelicArguments, common: &Arguments) -> ExitCode {
    let (order, kept) = match prepare(arguments, common) {
        Ok(prepared) => prepared,
        Err(refused) => return refused.tell(),
    };
    let stop = StopSignal::new();
    let supervised = supervise(&order, &stop, common, &mut |_| {});
    let outcome = match supervised {
        Ok(outcome) => outcome,
        Err(code) => return code,
    };
    let mut report = outcome.report;
    report.stats.peak_memory_bytes = report.stats.peak_memory_bytes.max(outcome.peak_memory_bytes);
    report.stats.total_seconds = outcome.seconds;
    kept.keep(&report);
    if let Err(message) = give(&report, kept.specs_path(), arguments, common) {
        return say::usage_error(&message);
    }
    if let Ending::Panicked(panic) = &outcome.ending {
        exit::tell_panic(panic);
        return ExitCode::Internal;
    }
    if stop.is_requested() {
        return ExitCode::Interrupted;
    }
    ExitCode::of_angelic(&report)
}

/// The request for a program with its settings, as if no flag were given. Nothing is kept.
pub fn request_for(files: &[PathBuf]) -> Result<AngelicRequest, String> {
    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        angelic: AngelicArguments,
    }
    let words = std::iter::once(PathBuf::from("lariat")).chain(files.iter().cloned());
    let flags = Flags::try_parse_from(words).map_err(|error| error.to_string())?;
    let program = files.first().map_or(Path::new(""), PathBuf::as_path);
    let settings = Settings::find(None, program)?;
    request::request(&flags.angelic, &settings)
}

/// The report and the seconds of a run in a process of its own.
pub fn measured(request: &AngelicRequest, time_limit: Duration) -> Result<(AngelicReport, f64), String> {
    let order = Order {
        request: request.clone(),
        time_limit_seconds: Some(time_limit.as_secs_f64()),
        memory_limit_bytes: None,
    };
    let supervisor = Supervisor::of_this_program(["__worker"]).map_err(|error| error.to_string())?;
    let outcome = supervisor
        .run(&order, &StopSignal::new(), &mut |_| {})
        .map_err(|error| error.to_string())?;
    Ok((outcome.report, outcome.seconds))
}

/// Why there is no run.
enum Refused {
    Message(String),
    /// With its own labels and places.
    Rendered(String),
}

impl From<String> for Refused {
    fn from(message: String) -> Self {
        Refused::Message(message)
    }
}

impl From<Refused> for String {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Message(text) | Refused::Rendered(text) => text,
        }
    }
}

impl Refused {
    fn tell(&self) -> ExitCode {
        match self {
            Refused::Message(message) => say::error(message),
            Refused::Rendered(text) => anstream::eprintln!("{text}"),
        }
        ExitCode::BadInput
    }
}

/// What is ordered, and the files that the next run will want.
fn prepare(
    arguments: &AngelicArguments,
    common: &Arguments,
) -> Result<(Order<AngelicRequest>, Kept), Refused> {
    let program = arguments.files.first().map_or(Path::new(""), PathBuf::as_path);
    let settings = Settings::find(arguments.settings.as_deref(), program)?;
    let mut request = request::request(arguments, &settings)?;
    let specs = if arguments.no_specs {
        None
    } else {
        let path = arguments.specs.clone().or_else(|| settings.specs.clone());
        let path = path.unwrap_or_else(|| files::specs_path(program));
        let file = read_specs(&path, common.quiet)?;
        request.specifications = file.decisions();
        Some((path, file))
    };
    let cache = (!arguments.no_cache).then(|| files::cache_path(program));
    request.earlier = cache.as_deref().and_then(files::read_cache).map(Box::new);
    let limits = request::limits(arguments, &settings);
    let order = Order {
        request,
        time_limit_seconds: limits.time.map(|limit| limit.as_secs_f64()),
        memory_limit_bytes: limits.memory_bytes,
    };
    Ok((order, Kept { specs, cache }))
}

/// The decisions so far; a file that is not there has none.
fn read_specs(path: &Path, quiet: bool) -> Result<SpecsFile, Refused> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(SpecsFile::default()),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display()).into()),
    };
    let file = SpecsFile::parse(path, &text).map_err(|messages| Refused::Rendered(messages.render(true)))?;
    if !quiet && !file.warnings().diagnostics.is_empty() {
        anstream::eprintln!("{}", file.warnings().render(true));
    }
    Ok(file)
}

/// What a run leaves for the next one.
struct Kept {
    specs: Option<(PathBuf, SpecsFile)>,
    cache: Option<PathBuf>,
}

impl Kept {
    fn specs_path(&self) -> Option<&Path> {
        self.specs.as_ref().map(|(path, _)| path.as_path())
    }

    /// A run of bad input leaves nothing, and one without entries no report.
    fn keep(&self, report: &AngelicReport) {
        if report.bad_input {
            return;
        }
        let specs = self.specs.as_ref().map_or(Ok(()), |(path, file)| {
            let text = file.update(report);
            // Where there is nothing to say, no file is made.
            let worthwhile = path.exists() || !report.specifications.is_empty();
            if worthwhile {
                files::replace(path, &text)
            } else {
                Ok(())
            }
        });
        let cache = match &self.cache {
            Some(path) if !report.entries.is_empty() => files::write_cache(path, report),
            _ => Ok(()),
        };
        for message in [specs, cache].into_iter().filter_map(Result::err) {
            say::warning(&message);
        }
    }
}

/// Gives the report to the user, on standard output or in a file.
fn give(
    report: &AngelicReport,
    specs: Option<&Path>,
    arguments: &AngelicArguments,
    common: &Arguments,
) -> Result<(), String> {
    let options = show::Options {
        quiet: common.quiet,
        verbose: common.verbose,
        width: show::terminal_width(),
    };
    let text = match arguments.output_format {
        OutputFormat::Text => {
            let remarks = show::remarks(&report.diagnostics, &report.notes, &options);
            // Whoever closed the pipe does not want to read on.
            let _ = anstream::stderr().write_all(remarks.as_bytes());
            Some(show::angelic_answer(report, specs, &options))
        }
        OutputFormat::Json => say::json(report),
        OutputFormat::Sarif => say::json(&sarif::angelic::log(report)),
    };
    let Some(text) = text else {
        return Ok(());
    };
    match &arguments.output {
        Some(path) => {
            let plain = anstream::adapter::strip_str(&text).to_string();
            files::replace(path, &plain)
        }
        None => {
            let _ = anstream::stdout().write_all(text.as_bytes());
            Ok(())
        }
    }
}
