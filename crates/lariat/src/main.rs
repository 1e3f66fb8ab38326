//! `lariat`: the command line.
//!
//! Architecture invariant: this is the only crate that prints, parses arguments and picks exit codes.
//! The work itself is done in a child process (`worker`), so that this one can always answer.
//!
//! ```text
//! arguments ─> request ─ command ─> child: worker ─> report ─ view ─> format::{text, json, sarif, html}
//! ```

mod angelic;
mod arguments;
mod bench;
mod boogie;
mod check;
mod cluster;
mod command;
mod conform;
mod corral;
mod cover;
mod doctor;
mod evidence;
#[cfg(test)]
mod examples;
mod exit;
mod explain;
mod format;
mod generate;
mod glob;
mod inputs;
mod log;
mod lsp;
mod progress;
mod rules;
mod say;
mod style;
mod tables;
mod units;
mod verify;
mod view;
mod worker;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::exit::ExitCode;
use crate::inputs::Plan;

fn main() -> std::process::ExitCode {
    exit::report_panics();
    let mut arguments = match corral::is_called_corral(std::env::args_os()) {
        true => corral::as_command(std::env::args_os().skip(1).collect()),
        false => Arguments::parse(),
    };
    arguments.color.apply();
    let code = match inputs::prepare(&mut arguments) {
        // The files are there until the command has ended.
        Ok(Plan::Once(_inputs)) => run(&arguments),
        Ok(Plan::Done(code)) => code,
        Err(message) => say::usage_error(&message),
    };
    // Not by returning: threads that still wait for the child must not hold us up.
    std::process::exit(code.code())
}

fn run(arguments: &Arguments) -> ExitCode {
    if needs_solver(&arguments.command)
        && let Err(unusable) = lariat_smt::check_solver_version()
    {
        return say::usage_error(&unusable.to_string());
    }
    match &arguments.command {
        Command::Verify(verify) => verify::run(verify, arguments),
        Command::Angelic(angelic) => angelic::run(angelic, arguments),
        Command::Conform(conform) => conform::run(conform, arguments),
        Command::Cover(cover) => cover::run(cover, arguments),
        Command::Boogie { arguments: given } => boogie::run(given),
        Command::Corral { flags } => corral::run(flags, arguments),
        Command::Explain(explain) => explain::run(explain, arguments),
        Command::Lsp(lsp) => lsp::run(lsp),
        Command::Check(check) => check::run(check, arguments),
        Command::Doctor => doctor::run(),
        Command::Bench(bench) => bench::run(bench, arguments),
        Command::Completions { shell } => generate::completions(*shell),
        Command::Man { out } => generate::man_pages(out.as_deref()),
        Command::Worker(worker) => cluster::worker(worker, arguments),
        Command::Queue(queue) => cluster::queue(queue),
        Command::Serve { request } => worker::run(request),
    }
}

/// Whether the command is pointless without Z3. One that works in a child says so here, once and before it reads anything.
fn needs_solver(command: &Command) -> bool {
    match command {
        Command::Verify(_)
        | Command::Angelic(_)
        | Command::Conform(_)
        | Command::Cover(_)
        | Command::Boogie { .. }
        | Command::Corral { .. }
        | Command::Lsp(_)
        | Command::Check(_)
        | Command::Bench(_)
        | Command::Worker(_) => true,
        Command::Explain(_)
        | Command::Doctor
        | Command::Completions { .. }
        | Command::Man { .. }
        | Command::Queue(_)
        // The parent has looked.
        | Command::Serve { .. } => false,
    }
}
