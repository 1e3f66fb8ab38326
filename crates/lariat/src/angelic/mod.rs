//! `lariat angelic`.

pub mod arguments;
mod files;
mod request;
mod settings;
mod view;

use std::path::{Path, PathBuf};

use clap::Parser;
use lariat_queue::{Answer, Work};
use lariat_report::{AngelicReport, AngelicRequest};
use lariat_specs::SpecsFile;
use lariat_worker::{Ending, Order, Outcome, StopSignal};

use self::arguments::AngelicArguments;
use self::settings::Settings;
use crate::arguments::Arguments;
use crate::cluster;
use crate::command::{self, Command, LimitArguments, OutputArguments};
use crate::exit::ExitCode;
use crate::log::Log;
use crate::say;
use crate::view::{SpecsSheet, View};

pub use view::{SPECIFICATIONS, requires, view};

pub fn run(arguments: &AngelicArguments, common: &Arguments) -> ExitCode {
    match Angelic::new(arguments, common) {
        Ok(angelic) => match &arguments.cluster.on {
            Some(on) => run_on(on, &angelic, common),
            None => command::run(&angelic, common, Log::default()),
        },
        Err(refused) => refused.report(),
    }
}

/// Lets a worker of the server do it. What an earlier run found stays here: the worker finds it again.
fn run_on(on: &str, angelic: &Angelic<'_>, common: &Arguments) -> ExitCode {
    let mut order = angelic.order.clone();
    order.request.earlier = None;
    let stop = StopSignal::new();
    match cluster::one(on, Work::Angelic(Box::new(order)), &stop, common) {
        Ok(Some(Answer::Angelic(outcome))) => command::finish(angelic, *outcome, &stop, common),
        Ok(_) => ExitCode::Interrupted,
        Err(message) => say::usage_error(&message),
    }
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

/// The view of a report that was saved: its specifications as a new file would have them.
pub fn saved_view(report: &AngelicReport) -> View<'_> {
    let mut view = view(report, None);
    let program = report.files.first().map(Path::new);
    view.specs = program.map(|program| SpecsSheet {
        name: files::specs_path(program).display().to_string(),
        text: SpecsFile::default().update(report),
        specifications: &report.specifications,
    });
    view
}

/// Why there is no run.
enum Refused {
    Message(String),
    /// With labels and places already.
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
    fn report(&self) -> ExitCode {
        match self {
            Refused::Message(message) => say::error(message),
            Refused::Rendered(text) => anstream::eprintln!("{text}"),
        }
        ExitCode::BadInput
    }
}

struct Angelic<'a> {
    arguments: &'a AngelicArguments,
    order: Order<AngelicRequest>,
    /// The decisions so far, and their file.
    specs: Option<(PathBuf, SpecsFile)>,
    /// Where the report is kept for the next run.
    cache: Option<PathBuf>,
}

impl<'a> Angelic<'a> {
    fn new(arguments: &'a AngelicArguments, common: &Arguments) -> Result<Self, Refused> {
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
        let limits = LimitArguments {
            time_limit: arguments.limits.time_limit.or(settings.time_limit),
            memory_limit: arguments.limits.memory_limit.or(settings.memory_limit),
        };
        Ok(Angelic {
            arguments,
            order: limits.order(request),
            specs,
            cache,
        })
    }
}

/// The decisions so far; a missing file has none.
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

impl Command for Angelic<'_> {
    type Request = AngelicRequest;

    fn order(&self) -> &Order<AngelicRequest> {
        &self.order
    }

    fn output(&self) -> &OutputArguments {
        &self.arguments.output
    }

    /// Keeps specifications and results for the next run. A run with bad input or a panic keeps nothing, and one without
    /// entries keeps no results.
    fn complete(&self, outcome: &mut Outcome<AngelicReport>, _stop: &StopSignal, _common: &Arguments) {
        let report = &outcome.report;
        if report.bad_input || matches!(outcome.ending, Ending::Panicked(_)) {
            return;
        }
        let specs = self.specs.as_ref().map_or(Ok(()), |(path, file)| {
            // Without specifications there is no need for a new file.
            if path.exists() || !report.specifications.is_empty() {
                files::replace(path, &file.update(report))
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

    fn view<'r>(&'r self, report: &'r AngelicReport) -> View<'r> {
        let mut view = view(report, self.specs.as_ref().map(|(path, _)| path.as_path()));
        view.specs = self.specs.as_ref().map(|(path, file)| SpecsSheet {
            name: path.display().to_string(),
            text: file.update(report),
            specifications: &report.specifications,
        });
        view
    }

    fn exit_code(&self, report: &AngelicReport) -> ExitCode {
        ExitCode::of_angelic(report)
    }
}
