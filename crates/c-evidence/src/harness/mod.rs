//! A C program with the inputs of a trace, compiled and run with a real compiler.
//!
//! The harness is one C file: the user's files are included, and every undefined function that they
//! call is defined with the results that it gave in the trace, in their order. All
//! definitions go by names of the linker (`__asm__("name")`), so that they never clash with how the
//! program declares the functions, or whether it does at all.
//!
//! Variables without initialiser get the values of the trace too, in a copy of the file that becomes
//! part of the harness. What `malloc` returns, arrays and records without
//! initialiser, and memory behind pointers from outside hold what the trace found there. What it did not look at is as the compiled
//! program has it, zero where that can be arranged. A trace that needs other values is not reproduced, which is said.
//! Of a program with threads, one thread runs at a time, in the turns of the trace (`threads.c`); data races are left to
//! ThreadSanitizer.
//! The files are run as they are: a program that deletes files deletes them.

mod build;
mod inputs;
mod judge;
mod measure;
mod memory;
mod process;
mod source;
mod threads;

pub use build::{confirm, has_compiler};
pub use measure::{Coverage, LineCoverage, RunAs, measure, real_path};
pub use source::{HarnessTask, harness_source};

use std::io;
use std::path::Path;
use std::time::Duration;

use lariat_report::{Verdict, VerifyReport, VerifyRequest};

/// How long a harness may run.
pub const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The exit code of a harness that has failed as the marker on its standard error says.
const FAILED: i32 = 42;
/// The exit code of a harness that violated an assumption.
const ASSUMPTION: i32 = 43;
/// The exit code of a harness that called `abort` where that is no failure.
const ABORTED: i32 = 44;
/// The exit code of a harness that a sanitizer stopped.
const SANITIZER: i32 = 45;
/// The exit code of a harness whose threads leave the schedule.
const DIVERGED: i32 = 46;

/// Makes a harness of the first failure of a report, compiles and runs it, and notes in the report what
/// came of it. False if there is no failure.
///
/// A failure that was not confirmed is if it happens there with the real library: if the harness answers no call of a library
/// function itself.
pub fn confirm_report(report: &mut VerifyReport, request: &VerifyRequest, path: &Path) -> io::Result<bool> {
    let externals = report.externals.clone();
    let mut entries = report.entries.iter_mut();
    let Some(entry) = entries.find(|entry| !entry.failures.is_empty()) else {
        return Ok(false);
    };
    let failure = &mut entry.failures[0];
    let task = HarnessTask::read(&request.files, &entry.entry, failure, &externals, &request.c)?;
    let outcome = confirm(&task, path)?;
    let asked = failure.inputs.iter().map(|input| input.function.as_str());
    let mut answered = asked.chain(externals.iter().map(|external| external.name.as_str()));
    let is_real = outcome.reproduced && !answered.any(is_library);
    failure.harness = Some(outcome);
    if is_real && !failure.confirmed {
        failure.confirmed = true;
        failure.why_not = None;
        entry.verdict = Verdict::Bug;
        let verdicts = report.entries.iter().map(|entry| &entry.verdict);
        report.verdict = Verdict::overall(verdicts).unwrap_or(Verdict::Bug);
    }
    Ok(true)
}

/// Whether the library has a function of this name, which does not return what a harness likes.
fn is_library(name: &str) -> bool {
    !name.starts_with("__VERIFIER_nondet_") && lariat_c_library::find(name).is_some()
}
