//! The one path of every command that checks programs: request, work in a child process, report, format, exit code.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use lariat_report::LogText;
use lariat_worker::{Ending, Observation, Order, Outcome, Request, StopSignal, Supervisor};

use crate::arguments::Arguments;
use crate::exit::{self, ExitCode};
use crate::format::{OutputFormat, fingerprint, html, text};
use crate::log::Log;
use crate::progress::RunProgress;
use crate::say;
use crate::units::{parse_duration, parse_size};
use crate::view::View;

/// Where the result goes and in which form; common to all commands that check programs.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// Format of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = OutputFormat::Text)]
    pub output_format: OutputFormat,

    /// Write the result to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the result as an HTML page to this file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Only findings that this SARIF file of an earlier run does not have count: in SARIF, and for the exit code
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// SARIF has the alarms that specifications suppress, too
    #[arg(long)]
    pub suppressed: bool,

    /// A folder that results do not mention: that of a program from standard input.
    #[arg(skip)]
    pub renamed: Option<String>,
}

impl OutputArguments {
    /// JSON on standard output.
    pub fn json() -> Self {
        OutputArguments {
            output_format: OutputFormat::Json,
            output: None,
            report: None,
            baseline: None,
            suppressed: false,
            renamed: None,
        }
    }

    /// A result as the user is to see it.
    fn shown(&self, text: String) -> String {
        match &self.renamed {
            Some(folder) => text.replace(&format!("file://{folder}"), "").replace(folder, ""),
            None => text,
        }
    }

    /// The result will be a page, so the report needs what only pages show.
    pub fn has_page(&self) -> bool {
        self.report.is_some() || self.output_format == OutputFormat::Html
    }

    /// Diagnostics are rendered with colours; they are removed again where the text is printed without.
    pub fn color(&self) -> bool {
        self.output_format == OutputFormat::Text
    }
}

/// Limits of the whole run; common to all commands that check programs.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Stop after this time (seconds, or as in `1m30s`) with the best answer so far
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time_limit: Option<Duration>,

    /// Stop at this much memory (as in `512M`, `4G`) with the best answer so far
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
}

impl LimitArguments {
    pub fn order<R>(&self, request: R) -> Order<R> {
        Order::new(request).within(self.time_limit, self.memory_limit)
    }
}

/// What differs from command to command.
pub trait Command {
    type Request: Request;

    fn order(&self) -> &Order<Self::Request>;

    fn output(&self) -> &OutputArguments;

    /// Makes what the user wants besides the report, before it is shown.
    fn complete(&self, _outcome: &mut Outcome<ReportOf<Self>>, _stop: &StopSignal, _common: &Arguments) {}

    fn view<'r>(&'r self, report: &'r ReportOf<Self>) -> View<'r>;

    /// A line for tools that start Lariat. It does not get into results that programs read.
    fn last_line(&self, _report: &ReportOf<Self>) -> Option<String> {
        None
    }

    fn exit_code(&self, report: &ReportOf<Self>) -> ExitCode;
}

pub type ReportOf<C> = <<C as Command>::Request as Request>::Report;

/// Runs a command from its request to its exit code. `log` gets the text of stages.
pub fn run<C: Command>(command: &C, common: &Arguments, mut log: Log) -> ExitCode {
    let stop = StopSignal::new();
    stop_on_ctrl_c(&stop);
    let supervised = supervise(command.order(), &stop, common, &mut |text| log.write(text));
    log.finish();
    match supervised {
        Ok(outcome) => finish(command, outcome, &stop, common),
        Err(error) => {
            say::error(&format!("cannot start the process that does the work: {error}"));
            ExitCode::NoAnswer
        }
    }
}

/// Shows how a command ended, and picks its exit code.
pub fn finish<C: Command>(
    command: &C,
    mut outcome: Outcome<ReportOf<C>>,
    stop: &StopSignal,
    common: &Arguments,
) -> ExitCode {
    command.complete(&mut outcome, stop, common);
    let last_line = command.last_line(&outcome.report);
    let written = show(command.view(&outcome.report), command.output(), common, last_line);
    if let Err(message) = &written {
        say::error(message);
    }
    if let Ending::Panicked(panic) = &outcome.ending {
        exit::report_panic(panic);
        return ExitCode::Internal;
    }
    match written {
        Err(_) => ExitCode::BadInput,
        Ok(_) if stop.is_requested() => ExitCode::Interrupted,
        Ok(shown) => shown.exit_code(command.exit_code(&outcome.report)),
    }
}

/// Runs the order in a child process, with its progress on the terminal.
pub fn supervise<R: Request>(
    order: &Order<R>,
    stop: &StopSignal,
    common: &Arguments,
    log: &mut dyn FnMut(&LogText),
) -> io::Result<Outcome<R::Report>> {
    let progress = RunProgress::new(!common.no_progress && !common.quiet);
    let supervised = supervisor().and_then(|supervisor| {
        supervisor.run(order, stop, &mut |observation| match observation {
            Observation::Update(update) => progress.update(update),
            Observation::Log(text) => progress.suspend(|| log(&text)),
            Observation::Memory(bytes) => progress.memory(bytes),
            Observation::Output(line) => progress.suspend(|| {
                // A closed pipe ends the command when the result is written.
                let _ = say::result(&format!("{line}\n"));
            }),
        })
    });
    progress.finish();
    supervised
}

/// Ctrl-C asks the run to stop with what it has.
pub fn stop_on_ctrl_c(stop: &StopSignal) {
    let handler_stop = stop.clone();
    if let Err(error) = ctrlc::set_handler(move || handler_stop.request()) {
        say::warning(&format!("Ctrl-C will end the run without an answer: {error}"));
    }
}

/// Starts this program again as the child.
pub fn supervisor() -> io::Result<Supervisor> {
    Supervisor::of_this_program(["__worker"])
}

/// What was shown, as far as the exit code depends on it.
pub struct Shown {
    /// A baseline is given, and it has every finding.
    nothing_new: bool,
}

impl Shown {
    /// `code` is that of the whole result.
    pub fn exit_code(&self, code: ExitCode) -> ExitCode {
        match code {
            ExitCode::Bug if self.nothing_new => ExitCode::Success,
            code => code,
        }
    }
}

/// Keeps the findings that the user wants in SARIF. Says whether a baseline has all that matter.
pub fn choose_findings(view: &mut View<'_>, output: &OutputArguments) -> Result<bool, String> {
    if !output.suppressed {
        view.findings.retain(|finding| finding.suppression.is_none());
    }
    let Some(path) = &output.baseline else {
        return Ok(false);
    };
    let known = fingerprint::of_sarif(path)?;
    let mut fingerprints = fingerprint::fingerprints(&view.findings).into_iter();
    let before = view.findings.len();
    view.findings
        .retain(|_| fingerprints.next().is_none_or(|own| !known.contains(&own)));
    let new = view.findings.len();
    if output.output_format == OutputFormat::Text {
        let old = crate::units::count((before - new) as u64, "finding");
        say::remarks(&format!("{old} in the baseline {}, {new} new\n", path.display()));
    }
    Ok(new == 0)
}

/// Writes the result in the wanted format to where the user wants it.
pub fn show(
    mut view: View<'_>,
    output: &OutputArguments,
    common: &Arguments,
    last_line: Option<String>,
) -> Result<Shown, String> {
    if let Some(path) = &output.report {
        // A page shows everything.
        write_file(path, &output.shown(html::render(&view)))?;
    }
    let nothing_new = choose_findings(&mut view, output)?;
    let options = text::Options {
        quiet: common.quiet,
        verbose: common.verbose,
        width: text::terminal_width(),
        cut: output.output.is_none() && io::stdout().is_terminal(),
    };
    let format = output.output_format;
    if format == OutputFormat::Text {
        say::remarks(&output.shown(text::remarks(&view, &options)));
    }
    let result = output.shown(format.render(&view, &options)?);
    match &output.output {
        Some(path) if format == OutputFormat::Text => {
            write_file(path, &anstream::adapter::strip_str(&result).to_string())?;
        }
        Some(path) => write_file(path, &result)?,
        None => say::result(&result)?,
    }
    match last_line {
        Some(line) if format == OutputFormat::Text || output.output.is_some() => say::result(&line)?,
        Some(line) => say::remarks(&line),
        None => {}
    }
    Ok(Shown { nothing_new })
}

/// Writes into the file as it is, which may be a device or a pipe.
pub fn write_file(path: &Path, text: &str) -> Result<(), String> {
    File::create(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
