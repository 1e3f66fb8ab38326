//! `lariat corral`, and the program under the name `corral`: the command line and the output of Corral, for tools that start it.
//!
//! ```text
//! arguments ─ arguments::expand ─> flags ─ flags::Flags ─> request ─ command::supervise ─> report ─ output ─> standard output
//! ```
//!
//! The engine and the answers are those of `lariat verify`. Everything is on standard output. The exit code is 0 for every
//! verdict and 1 for bad input, bad usage and our own bugs, as Corral has it.

mod arguments;
mod flags;
mod output;
mod trace;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use lariat_report::{Verdict, VerifyReport};
use lariat_worker::{Ending, StopSignal};

use self::flags::Flags;
use crate::arguments::{Arguments, ColorWhen, Command};
use crate::command;
use crate::exit::ExitCode;
use crate::log::Log;
use crate::say;

/// Whether the program was started under the name `corral`. A child process of ours never is.
pub fn is_called_corral(mut arguments: impl Iterator<Item = OsString>) -> bool {
    let name = arguments.next();
    let is_child = arguments.next().is_some_and(|argument| argument == "__worker");
    let stem = name.as_deref().map(Path::new).and_then(Path::file_stem);
    !is_child && stem.is_some_and(|stem| stem.eq_ignore_ascii_case(OsStr::new("corral")))
}

/// The arguments of a program named `corral` as those of the command.
pub fn as_command(flags: Vec<OsString>) -> Arguments {
    Arguments {
        command: Command::Corral { flags },
        color: ColorWhen::Never,
        quiet: true,
        verbose: false,
        no_progress: true,
    }
}

pub fn run(arguments: &[OsString], common: &Arguments) -> ExitCode {
    let answer = match Flags::parse(arguments) {
        Ok(flags) => verify(&flags, common),
        Err(stop) => stop.into(),
    };
    match say::result(&answer.text) {
        Ok(()) => answer.code,
        Err(_) => ExitCode::CorralError,
    }
}

/// What is printed, and how the process ends.
struct Answer {
    text: String,
    code: ExitCode,
}

/// Why there is no verification, in Corral's words.
#[derive(Debug, PartialEq, Eq)]
enum Stop {
    Usage(String),
    Input(String),
    /// Only information was asked for.
    Information(&'static str),
}

impl From<Stop> for Answer {
    fn from(stop: Stop) -> Self {
        let text = match stop {
            Stop::Usage(message) => format!("\nUsage error: {message}\n{}", flags::USAGE),
            Stop::Input(message) => format!("\nError, Invalid input: {message}\n"),
            Stop::Information(text) => format!("{text}\nStopping: Done\n"),
        };
        Answer {
            text,
            code: ExitCode::CorralError,
        }
    }
}

fn verify(flags: &Flags, common: &Arguments) -> Answer {
    let order = flags.order();
    let stop = StopSignal::new();
    command::stop_on_ctrl_c(&stop);
    let supervised = command::supervise(&order, &stop, common, &mut |text| Log::default().write(text));
    let outcome = match supervised {
        Ok(outcome) => outcome,
        Err(error) => {
            return internal(
                flags,
                &format!("cannot start the process that does the work: {error}"),
            );
        }
    };
    if let Ending::Panicked(panic) = &outcome.ending {
        return internal(flags, &panic.message);
    }
    let report = outcome.report;
    if let Some(message) = refusal(&report) {
        let mut answer = Answer::from(Stop::Input(message));
        answer.text.insert_str(0, &output::heading(flags));
        return answer;
    }
    Answer {
        text: output::render(flags, &report),
        code: match flags.only_stratified {
            // Corral ends this mode as it ends a run that was stopped.
            true => ExitCode::CorralError,
            false => ExitCode::Success,
        },
    }
}

fn internal(flags: &Flags, message: &str) -> Answer {
    Answer {
        text: format!("{}\nError, internal bug: {message}\n", output::heading(flags)),
        code: ExitCode::CorralError,
    }
}

/// What is wrong with the program.
fn refusal(report: &VerifyReport) -> Option<String> {
    if report.verdict != Verdict::BadInput {
        return None;
    }
    let messages: Vec<String> = report
        .errors()
        .map(|error| match &error.location {
            Some(place) => format!(
                "{}({},{}): {}",
                place.file, place.line, place.column, error.message
            ),
            None => error.message.clone(),
        })
        .collect();
    Some(messages.join("\n"))
}
