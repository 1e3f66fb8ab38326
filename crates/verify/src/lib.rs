//! From a program to a report.
//!
//! ```text
//! files ─ front-end ─> IR ─ question ─> (entry, goal) ─ passes ─> problem ─ engine ─> outcome
//!                      └───────────── replay <── trace <── counterexample ──┘
//! ```
//!
//! Architecture invariants:
//! - this crate wires the stages together and knows all of them; no stage knows it;
//! - a `bug` in a report has been replayed on the program before any pass, and where the solver
//!   was unsure of its model, a model of all axioms that agrees with the replay is known to exist;
//! - everything decided before the budget ends is in the report.

mod axioms;
mod candidates;
mod counterexample;
mod entry;
mod ground;
mod interpretation;
mod inverses;
mod oracle;
mod problems;
mod question;
mod solver_options;

use std::time::Instant;

use lariat_base::Budget;
use lariat_front_end::{FrontEnd, Reading};
use lariat_report::{
    Phase, Progress, ProgressUpdate, Switch, UnknownCause, Verdict, VerifyReport, VerifyRequest, Warning,
};

pub use crate::axioms::{AxiomCheck, check_axioms, supposes};
pub use crate::entry::{BackMap, Confirmed, EntryAnswer, EntryCheck, RepeatedRun};
pub use crate::interpretation::Interpretation;
pub use crate::oracle::ModelOracle;
pub use crate::problems::{EntryProblem, problems};
pub use crate::question::{Question, entries};

/// Answers `request` within `budget`, reporting to `progress`.
pub fn verify(request: &VerifyRequest, budget: &Budget, progress: &mut dyn FnMut(Progress)) -> VerifyReport {
    let started = Instant::now();
    let mut report = VerifyReport::new(
        request,
        Verdict::unknown(UnknownCause::Interrupted, "not finished"),
    );
    run(request, budget, progress, &mut report);
    report.stats.total_seconds = started.elapsed().as_secs_f64();
    report.stats.peak_memory_bytes = peak_memory();
    report
}

fn run(
    request: &VerifyRequest,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
    report: &mut VerifyReport,
) {
    if let Err(unusable) = lariat_smt::check_solver_version() {
        report.verdict = Verdict::unknown(UnknownCause::Solver, unusable.to_string());
        return;
    }
    let reading = lariat_front_end::read(&request.into(), request.color, progress);
    let Some(front_end) = record(reading, report) else {
        report.verdict = Verdict::BadInput;
        return;
    };
    if request.front_end_only {
        report.verdict = Verdict::Accepted;
        return;
    }
    if request.search.summaries == Switch::Off {
        let ignored = candidates::ignored_without_summaries(&front_end.program);
        report.warnings.extend(ignored);
    }
    // What was read is known even if the process is killed from here on.
    progress(Progress::Partial(Box::new(report.clone())));
    let questions = match question::questions(request, &front_end) {
        Ok(questions) => questions,
        Err(diagnostic) => {
            report
                .diagnostics
                .push(front_end.diagnostic(&diagnostic, request.color));
            report.verdict = Verdict::BadInput;
            return;
        }
    };
    if questions.len() != 1 && !request.partition.is_whole() {
        let reason = "a part of a search is of one entry, and there are several";
        report.verdict = Verdict::unknown(UnknownCause::Unsupported, reason);
        return;
    }
    // A report has the parts of one search.
    let request = &VerifyRequest {
        hand_over: request.hand_over && questions.len() == 1,
        ..request.clone()
    };
    for question in questions {
        progress(Progress::Update(ProgressUpdate {
            phase: Phase::Passes,
            subject: Some(question.name.clone()),
            ..ProgressUpdate::default()
        }));
        let own = budget.part();
        let mut check = EntryCheck::new(request, &front_end, &question, &own);
        let (entry_report, warnings) = check.run(progress, report);
        report.warnings.extend(
            warnings
                .into_iter()
                .filter(|warning| !report.warnings.contains(warning))
                .collect::<Vec<Warning>>(),
        );
        report.entries.push(entry_report);
        report.verdict = overall(report);
        progress(Progress::Partial(Box::new(report.clone())));
    }
    report.verdict = overall(report);
}

/// What was read; the rest goes to the report.
fn record(reading: Reading, report: &mut VerifyReport) -> Option<FrontEnd> {
    report.diagnostics = reading.diagnostics;
    report.warnings = reading.warnings;
    report.externals = reading.externals;
    report.integers = reading.integers;
    report.assumptions = reading.assumptions;
    report.stats = reading.stats;
    reading.program
}

fn overall(report: &VerifyReport) -> Verdict {
    Verdict::overall(report.entries.iter().map(|entry| &entry.verdict))
        .unwrap_or_else(|| Verdict::unknown(UnknownCause::NothingChecked, "there is no entry procedure"))
}

/// Peak memory of this process; 0 if the system does not report it.
pub fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim().trim_end_matches(" kB").trim().parse::<u64>().ok());
    kilobytes.map_or(0, |kilobytes| kilobytes * 1024)
}
