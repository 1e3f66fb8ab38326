//! One result, as a line of `results.jsonl`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lariat_report::{
    AngelicReport, AngelicWarning, BoogieReport, EntryOutcome, HarnessOutcome, UnknownCause, Verdict,
};
use lariat_worker::{Ending, Outcome};
use serde::{Deserialize, Serialize};

use crate::judge::{Judgement, first_error, judge, judge_angelic, judge_boogie};
use crate::manifest::{Expect, Row};

/// The result of one row with one engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Which run it belongs to: the engine, as long as nothing else is compared.
    pub series: String,
    /// The path of the manifest.
    pub manifest: String,
    pub file: String,
    /// The number of the row in its manifest, from 1: a file may have several.
    pub row: usize,
    pub expect: Expect,
    pub judgement: Judgement,
    pub verdict: Verdict,
    /// Wall time of the process.
    pub seconds: f64,
    /// Processor seconds of the process, where the system tells them.
    #[serde(default)]
    pub processor_seconds: Option<f64>,
    pub solver_seconds: f64,
    /// From the file to the intermediate representation.
    pub front_end_seconds: f64,
    pub source_bytes: u64,
    pub lines: Option<u64>,
    pub peak_memory_bytes: u64,
    pub inlined: u64,
    pub solver_calls: u64,
    /// The largest bound that was searched completely.
    pub bound: Option<u32>,
    /// Violations found, and how many of them the interpreter replayed.
    pub failures: u64,
    pub confirmed: u64,
    /// What a compiled program with the inputs of the bug did, for bugs in C.
    #[serde(default)]
    pub harness: Option<HarnessOutcome>,
    /// The first error, for programs that were refused.
    pub error: Option<String>,
    /// What differs from what was expected of angelic verification.
    #[serde(default)]
    pub differs: Option<String>,
    /// The process died or panicked.
    pub crashed: bool,
    /// A thread of the process panicked: a bug of Lariat.
    #[serde(default)]
    pub panicked: bool,
    pub peer_seconds: BTreeMap<String, f64>,
    /// What the result depends on besides the row; `--resume` keeps only results with the same settings.
    pub settings: String,
}

impl Record {
    pub(crate) fn new(row: &Row, outcome: &Outcome, context: RecordContext<'_>) -> Self {
        let report = &outcome.report;
        let stats = &report.stats;
        let error = report.errors().next();
        Record {
            series: context.series.to_owned(),
            manifest: context.manifest.to_owned(),
            file: row.file.clone(),
            row: context.row,
            expect: row.expect,
            judgement: judge(row, report, context.bounded_ok),
            verdict: report.verdict.clone(),
            seconds: outcome.seconds,
            processor_seconds: outcome.processor_seconds,
            solver_seconds: stats.solver_seconds,
            front_end_seconds: stats.front_end_seconds(),
            source_bytes: stats.source_bytes,
            lines: row.lines,
            peak_memory_bytes: stats.peak_memory_bytes.max(outcome.peak_memory_bytes),
            inlined: stats.inlined,
            solver_calls: stats.solver_calls,
            bound: report.entries.iter().filter_map(|entry| entry.bound).min(),
            failures: report.failures().count() as u64,
            confirmed: report.failures().filter(|failure| failure.confirmed).count() as u64,
            harness: report.failures().find_map(|failure| failure.harness.clone()),
            error: error.map(|error| match &error.location {
                Some(location) => format!("{}:{}: {}", location.line, location.column, error.message),
                None => error.message.clone(),
            }),
            differs: None,
            crashed: has_crashed(&outcome.ending),
            panicked: matches!(outcome.ending, Ending::Panicked(_)),
            peer_seconds: row.peer_seconds.clone(),
            settings: context.settings.to_owned(),
        }
    }

    /// The result of angelic verification of the file `program`.
    pub(crate) fn angelic(
        row: &Row,
        outcome: &Outcome<AngelicReport>,
        program: &Path,
        context: RecordContext<'_>,
    ) -> Self {
        let report = &outcome.report;
        let judged = judge_angelic(row, report, program);
        let error = first_error(report).filter(|_| report.bad_input);
        let traces = || report.warnings.iter().flat_map(|warning| &warning.traces);
        let crashed = has_crashed(&outcome.ending);
        Record {
            series: context.series.to_owned(),
            manifest: context.manifest.to_owned(),
            file: row.file.clone(),
            row: context.row,
            expect: row.expect,
            judgement: judged.judgement,
            verdict: angelic_verdict(report),
            seconds: outcome.seconds,
            processor_seconds: outcome.processor_seconds,
            solver_seconds: 0.0,
            front_end_seconds: report.stats.read_seconds,
            source_bytes: fs::metadata(program).map_or(0, |data| data.len()),
            lines: row.lines,
            peak_memory_bytes: report.stats.peak_memory_bytes.max(outcome.peak_memory_bytes),
            inlined: 0,
            solver_calls: report.entries.iter().map(|entry| entry.stats.solver_calls).sum(),
            bound: report.entries.iter().map(|entry| entry.bound).min(),
            failures: report.warnings.len() as u64,
            confirmed: traces().filter(|trace| trace.failure.confirmed).count() as u64,
            harness: None,
            error: error.map(|error| error.message.clone()),
            differs: judged.differs,
            crashed,
            panicked: matches!(outcome.ending, Ending::Panicked(_)),
            peer_seconds: row.peer_seconds.clone(),
            settings: context.settings.to_owned(),
        }
    }

    /// The result of modular verification.
    pub(crate) fn boogie(row: &Row, outcome: &Outcome<BoogieReport>, context: RecordContext<'_>) -> Self {
        let report = &outcome.report;
        let (judgement, differs) = judge_boogie(row, report);
        let verdict = match (&report.unfinished, report.errors.first()) {
            (Some(reason), _) => Verdict::unknown(UnknownCause::Interrupted, reason.clone()),
            (None, Some(_)) => Verdict::BadInput,
            (None, None) if report.has_replayed_failure() => Verdict::Bug,
            (None, None) if report.counts.errors > 0 => Verdict::BugUnconfirmed {
                reason: "an assertion was not proved".to_owned(),
            },
            (None, None) if report.procedures.len() == report.counts.verified => Verdict::Proved,
            (None, None) => Verdict::unknown(UnknownCause::Solver, "the solver has no answer"),
        };
        Record {
            series: context.series.to_owned(),
            manifest: context.manifest.to_owned(),
            file: row.file.clone(),
            row: context.row,
            expect: row.expect,
            judgement,
            verdict,
            seconds: outcome.seconds,
            processor_seconds: outcome.processor_seconds,
            solver_seconds: 0.0,
            front_end_seconds: 0.0,
            source_bytes: 0,
            lines: row.lines,
            peak_memory_bytes: report.peak_memory_bytes.max(outcome.peak_memory_bytes),
            inlined: 0,
            solver_calls: 0,
            bound: None,
            failures: report.counts.errors as u64,
            confirmed: 0,
            harness: None,
            error: report.errors.first().map(|error| error.message.clone()),
            differs,
            crashed: has_crashed(&outcome.ending),
            panicked: matches!(outcome.ending, Ending::Panicked(_)),
            peer_seconds: row.peer_seconds.clone(),
            settings: context.settings.to_owned(),
        }
    }

    /// What is compared between series.
    pub fn case(&self) -> CaseName {
        CaseName {
            file: self.file.clone(),
            row: self.row,
        }
    }

    /// Why there is no verdict, or what qualifies it; empty if there is nothing to add.
    pub fn remark(&self) -> &str {
        if let Some(differs) = &self.differs {
            return differs;
        }
        match &self.verdict {
            Verdict::Unknown { reason, .. } | Verdict::BugUnconfirmed { reason } => reason,
            _ => self.error.as_deref().unwrap_or(""),
        }
    }
}

fn has_crashed(ending: &Ending) -> bool {
    matches!(ending, Ending::Died(_) | Ending::Panicked(_))
}

/// The nearest verdict: a warning is a bug, a specification is not.
fn angelic_verdict(report: &AngelicReport) -> Verdict {
    if report.bad_input {
        return Verdict::BadInput;
    }
    let confirmed = |warning: &AngelicWarning| warning.traces.iter().any(|trace| trace.failure.confirmed);
    if report.warnings.iter().any(confirmed) {
        return Verdict::Bug;
    }
    if !report.warnings.is_empty() {
        return Verdict::BugUnconfirmed {
            reason: "no warning was replayed".to_owned(),
        };
    }
    let incomplete = report.entries.iter().find_map(|entry| match &entry.outcome {
        EntryOutcome::Incomplete { reason } => Some(reason.clone()),
        EntryOutcome::Done | EntryOutcome::Pending => None,
    });
    if let Some(reason) = report.unfinished.clone().or(incomplete) {
        return Verdict::unknown(UnknownCause::Interrupted, reason);
    }
    let cut = report.entries.iter().filter(|entry| !entry.complete);
    match cut.map(|entry| entry.bound).min() {
        Some(bound) => Verdict::bounded(bound),
        None => Verdict::Proved,
    }
}

/// Names a row across runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CaseName {
    pub file: String,
    pub row: usize,
}

/// What a record has from the run rather than from its row.
#[derive(Clone, Copy)]
pub(crate) struct RecordContext<'a> {
    pub series: &'a str,
    pub manifest: &'a str,
    pub row: usize,
    pub bounded_ok: bool,
    pub settings: &'a str,
}

/// Reads a `results.jsonl`. A line that cannot be read (the last one of a run that was killed) is
/// skipped: its row is run again.
pub fn read_records(path: &Path) -> std::io::Result<Vec<Record>> {
    lariat_worker::read_json_lines(path)
}
