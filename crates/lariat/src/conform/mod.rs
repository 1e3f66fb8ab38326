//! `lariat conform`.

pub mod arguments;
mod view;

use lariat_report::{ConformReport, ConformRequest, Verdict};
use lariat_worker::Order;

use self::arguments::ConformArguments;
use crate::arguments::Arguments;
use crate::command::{self, Command, OutputArguments};
use crate::exit::ExitCode;
use crate::log::Log;
use crate::say;
use crate::view::View;

pub use view::view;

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
    let conform = Conform {
        order: arguments.limits.order(request),
        arguments,
    };
    command::run(&conform, common, Log::default())
}

struct Conform<'a> {
    arguments: &'a ConformArguments,
    order: Order<ConformRequest>,
}

impl Command for Conform<'_> {
    type Request = ConformRequest;

    fn order(&self) -> &Order<ConformRequest> {
        &self.order
    }

    fn output(&self) -> &OutputArguments {
        &self.arguments.output
    }

    fn view<'r>(&'r self, report: &'r ConformReport) -> View<'r> {
        view(report)
    }

    fn exit_code(&self, report: &ConformReport) -> ExitCode {
        let mut parts = report.specifications.iter();
        match report.verdict {
            // An answer that the project does not expect is a mistake, of the components or of the specification.
            Verdict::Proved | Verdict::Unknown { .. } if parts.any(|part| part.is_unexpected()) => {
                ExitCode::Bug
            }
            _ => ExitCode::of_verdict(&report.verdict, false),
        }
    }
}
