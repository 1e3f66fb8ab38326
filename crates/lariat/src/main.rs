//! `lariat`: the command line.
//!
//! Architecture invariant: this is the only crate that prints, parses arguments and picks exit codes.
//! The work itself is done in a child process (`worker`), so that this one can always answer.

mod angelic;
mod arguments;
mod bench;
mod c_arguments;
mod conform;
mod evidence;
mod exit;
mod generate;
mod progress;
mod sarif;
mod say;
mod show;
mod style;
mod supervise;
mod tables;
mod units;
mod verify;
mod worker;

use clap::Parser;

use crate::arguments::{Arguments, Command};

fn main() -> std::process::ExitCode {
    exit::tell_panics_as_our_bug();
    let arguments = Arguments::parse();
    arguments.color.apply();
    let code = match &arguments.command {
        Command::Verify(verify) => verify::run(verify, &arguments),
        Command::Angelic(angelic) => angelic::run(angelic, &arguments),
        Command::Conform(conform) => conform::run(conform, &arguments),
        Command::Bench(bench) => bench::run(bench, &arguments),
        Command::Completions { shell } => generate::completions(*shell),
        Command::Man { out } => generate::man_pages(out.as_deref()),
        Command::Worker { request } => worker::run(request),
    };
    // Not by returning: threads that still wait for the child must not hold us up.
    std::process::exit(code.code())
}
