//! The kinds of work: a request, its report, and the report of a child that did not finish.

use lariat_report::{
    AngelicReport, AngelicRequest, BoogieReport, BoogieRequest, ConformReport, ConformRequest, CoverReport,
    CoverRequest, CoverStatus, DiagnosticReport, EntryOutcome, Severity, SurveyReport, SurveyRequest,
    UnknownCause, Verdict, VerifyReport, VerifyRequest,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::supervise::Ending;

/// What a child is asked to do.
pub trait Request: Serialize + DeserializeOwned + Send + 'static {
    type Report: Clone + Serialize + DeserializeOwned + Send + 'static;

    /// The last argument of the child: which kind of request it is to serve.
    const NAME: &'static str;

    /// The report of a run that did not finish; `partial` is the last one that the child sent. It never claims success.
    fn unfinished(&self, partial: Option<Self::Report>, ending: &Ending) -> Self::Report;

    /// Adds what only the parent knows: the time and the memory of the child.
    fn measured(report: &mut Self::Report, seconds: f64, peak_memory_bytes: u64);
}

impl Request for VerifyRequest {
    type Report = VerifyReport;

    const NAME: &'static str = "verify";

    fn measured(report: &mut VerifyReport, seconds: f64, peak_memory_bytes: u64) {
        report.stats.total_seconds = seconds;
        report.stats.peak_memory_bytes = report.stats.peak_memory_bytes.max(peak_memory_bytes);
    }

    /// Bugs and decided entries stay; otherwise the run as a whole has no answer.
    fn unfinished(&self, partial: Option<VerifyReport>, ending: &Ending) -> VerifyReport {
        let (cause, reason) = why(ending);
        let verdict = Verdict::Unknown { cause, reason };
        let Some(mut report) = partial else {
            return VerifyReport::new(self, verdict);
        };
        // Where the time limit is the bound, what was completed is the answer.
        let deepened = self.deepen && matches!(ending, Ending::TimeLimit);
        for entry in &mut report.entries {
            if matches!(entry.verdict, Verdict::Unknown { .. }) {
                entry.verdict = match entry.bound.filter(|_| deepened) {
                    Some(bound) => Verdict::Bounded {
                        bound,
                        contexts: entry.contexts,
                        stack_depth: self.unfolding.stack_depth,
                    },
                    None => verdict.clone(),
                };
                entry.ended_by_time = deepened;
            }
        }
        if !report.verdict.is_bug() {
            let overall = Verdict::overall(report.entries.iter().map(|entry| &entry.verdict));
            report.verdict = overall.filter(|_| deepened).unwrap_or(verdict);
        }
        report
    }
}

impl Request for AngelicRequest {
    type Report = AngelicReport;

    const NAME: &'static str = "angelic";

    fn measured(report: &mut AngelicReport, seconds: f64, peak_memory_bytes: u64) {
        report.stats.total_seconds = seconds;
        report.stats.peak_memory_bytes = report.stats.peak_memory_bytes.max(peak_memory_bytes);
    }

    /// Warnings, specifications and decided entries stay; the other entries are incomplete.
    fn unfinished(&self, partial: Option<AngelicReport>, ending: &Ending) -> AngelicReport {
        let (_, reason) = why(ending);
        let mut report = partial.unwrap_or_else(|| AngelicReport::new(self));
        for entry in &mut report.entries {
            if entry.outcome == EntryOutcome::Pending {
                let reason = reason.clone();
                entry.outcome = EntryOutcome::Incomplete { reason };
                entry.complete = false;
            }
        }
        report.unfinished = Some(reason);
        report
    }
}

impl Request for ConformRequest {
    type Report = ConformReport;

    const NAME: &'static str = "conform";

    fn measured(report: &mut ConformReport, seconds: f64, peak_memory_bytes: u64) {
        report.seconds = seconds;
        report.peak_memory_bytes = report.peak_memory_bytes.max(peak_memory_bytes);
    }

    /// Violations and decided specifications stay; otherwise the run as a whole has no answer.
    fn unfinished(&self, partial: Option<ConformReport>, ending: &Ending) -> ConformReport {
        let (cause, reason) = why(ending);
        let verdict = Verdict::Unknown { cause, reason };
        match partial {
            Some(report) if report.verdict.is_bug() => report,
            Some(report) => ConformReport { verdict, ..report },
            None => ConformReport::new(self, verdict),
        }
    }
}

impl Request for CoverRequest {
    type Report = CoverReport;

    const NAME: &'static str = "cover";

    fn measured(report: &mut CoverReport, seconds: f64, peak_memory_bytes: u64) {
        report.stats.total_seconds = seconds;
        report.stats.peak_memory_bytes = report.stats.peak_memory_bytes.max(peak_memory_bytes);
    }

    /// Goals that were decided stay.
    fn unfinished(&self, partial: Option<CoverReport>, ending: &Ending) -> CoverReport {
        let (_, reason) = why(ending);
        let mut report = partial.unwrap_or_else(|| CoverReport::new(self));
        let goals = report
            .functions
            .iter_mut()
            .flat_map(|function| &mut function.goals);
        for goal in goals.filter(|goal| goal.status == CoverStatus::Pending) {
            goal.status = CoverStatus::Unknown {
                reason: reason.clone(),
            };
        }
        report.unfinished = Some(reason);
        report
    }
}

impl Request for BoogieRequest {
    type Report = BoogieReport;

    const NAME: &'static str = "boogie";

    fn measured(report: &mut BoogieReport, seconds: f64, peak_memory_bytes: u64) {
        report.seconds = seconds;
        report.peak_memory_bytes = report.peak_memory_bytes.max(peak_memory_bytes);
    }

    /// Procedures that were decided stay.
    fn unfinished(&self, partial: Option<BoogieReport>, ending: &Ending) -> BoogieReport {
        let (_, reason) = why(ending);
        BoogieReport {
            unfinished: Some(reason),
            ..partial.unwrap_or_default()
        }
    }
}

impl Request for SurveyRequest {
    type Report = SurveyReport;

    const NAME: &'static str = "survey";

    fn measured(_: &mut SurveyReport, _: f64, _: u64) {}

    /// The file counts as one that cannot be read.
    fn unfinished(&self, _: Option<SurveyReport>, ending: &Ending) -> SurveyReport {
        let (_, reason) = why(ending);
        let message = format!("{} cannot be read: {reason}", self.file.display());
        SurveyReport {
            found: None,
            read: Vec::new(),
            diagnostics: vec![DiagnosticReport {
                severity: Severity::Error,
                code: "unreadable-file".to_owned(),
                rendered: format!("error[unreadable-file]: {message}"),
                message,
                location: None,
                label: None,
                hint: None,
            }],
        }
    }
}

/// Why there is no final report.
fn why(ending: &Ending) -> (UnknownCause, String) {
    match ending {
        Ending::TimeLimit => (UnknownCause::Time, "time limit reached".to_owned()),
        Ending::MemoryLimit => (UnknownCause::Memory, "memory limit reached".to_owned()),
        Ending::Interrupted => (UnknownCause::Interrupted, "interrupted".to_owned()),
        Ending::Died(how) => (
            UnknownCause::Crashed,
            format!("the process that did the work died: {how}"),
        ),
        Ending::Panicked(panic) => (
            UnknownCause::Internal,
            format!("internal error: {}", panic.message),
        ),
        Ending::Finished => (
            UnknownCause::Crashed,
            "the process that did the work gave no report".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use lariat_report::{AngelicEntry, AngelicEntryStats};

    use super::*;

    fn request() -> VerifyRequest {
        VerifyRequest::new(vec!["a.bpl".into()])
    }

    fn unfinished(partial: Verdict, ending: &Ending) -> Verdict {
        let partial = VerifyReport::new(&request(), partial);
        request().unfinished(Some(partial), ending).verdict
    }

    #[test]
    fn a_run_that_did_not_finish_is_no_success() {
        for verdict in [Verdict::Proved, Verdict::Accepted, Verdict::bounded(3)] {
            assert_eq!(
                unfinished(verdict, &Ending::TimeLimit),
                Verdict::unknown(UnknownCause::Time, "time limit reached")
            );
        }
    }

    #[test]
    fn a_bug_that_was_found_stays() {
        assert_eq!(unfinished(Verdict::Bug, &Ending::MemoryLimit), Verdict::Bug);
    }

    #[test]
    fn entries_that_were_decided_stay_decided_and_the_others_are_incomplete() {
        let outcomes = [
            EntryOutcome::Done,
            EntryOutcome::Pending,
            EntryOutcome::Incomplete {
                reason: "too deep".to_owned(),
            },
        ];
        let request = AngelicRequest {
            program: request(),
            ..AngelicRequest::default()
        };
        let mut partial = AngelicReport::new(&request);
        partial.entries = outcomes
            .iter()
            .map(|outcome| AngelicEntry {
                name: "f".to_owned(),
                location: None,
                outcome: outcome.clone(),
                bound: 3,
                complete: true,
                fingerprint: String::new(),
                reused: false,
                stats: AngelicEntryStats::default(),
            })
            .collect();
        let report = request.unfinished(Some(partial), &Ending::Interrupted);
        assert_eq!(report.unfinished.as_deref(), Some("interrupted"));
        let interrupted = EntryOutcome::Incomplete {
            reason: "interrupted".to_owned(),
        };
        let now: Vec<&EntryOutcome> = report.entries.iter().map(|entry| &entry.outcome).collect();
        assert_eq!(now, [&outcomes[0], &interrupted, &outcomes[2]]);
        let nothing = request.unfinished(None, &Ending::TimeLimit);
        assert_eq!(nothing.files, ["a.bpl"]);
        assert_eq!(nothing.unfinished.as_deref(), Some("time limit reached"));
    }

    #[test]
    fn conformance_that_was_not_decided_is_no_success() {
        let request = ConformRequest {
            project: "a.conform".into(),
            ..ConformRequest::default()
        };
        let unfinished = |verdict| {
            let partial = ConformReport::new(&request, verdict);
            request.unfinished(Some(partial), &Ending::TimeLimit).verdict
        };
        let unknown = Verdict::unknown(UnknownCause::Time, "time limit reached");
        assert_eq!(unfinished(Verdict::Proved), unknown);
        assert_eq!(unfinished(Verdict::Bug), Verdict::Bug);
        let nothing = request.unfinished(None, &Ending::TimeLimit);
        assert_eq!(
            (nothing.files, nothing.verdict),
            (vec!["a.conform".to_owned()], unknown)
        );
    }
}
