//! The rules of right and wrong.
//!
//! - The verdict agrees with `expect`: right.
//! - `bounded` agrees with `safe` if the row's bound was completed; where a row has no bound, only if
//!   every loop and call was covered fully, or with `--bounded-ok`: any bound for Boogie, at least
//!   [`VerifyRequest::DEEP_BOUND`] for C.
//! - A program with threads is `bounded` in a number of contexts too: that of the row was completed, or with `--bounded-ok` it
//!   is at least 3, whatever the bound.
//! - `bounded` where a bug is expected: wrong if the row's bound was completed (or everything was
//!   covered), else unsolved.
//! - `bug-unconfirmed` counts as `bug`.
//! - An entry that reaches no assertion agrees with `safe`.
//! - A definite verdict on a row without a known answer is new: neither right nor wrong.
//! - `accept`: a refusal is wrong, unless Lariat documents that it does not support the construct, or the program needs
//!   Boogie's library, which Lariat does not have. `reject`: right with a position.
//! - Everything else is unsolved.
//!
//! [`judge_angelic`] has the rules for rows of angelic verification, [`judge_boogie`] those of modular verification.

mod angelic;
mod boogie;
mod equivalence;
mod formula;

use lariat_report::{UnknownCause, Verdict, VerifyReport, VerifyRequest};
use serde::{Deserialize, Serialize};

pub use self::angelic::{AngelicDetail, AngelicJudgement, first_error, judge_angelic};
pub use self::boogie::{BoogieDetail, judge_boogie};
use crate::manifest::{Expect, Row};

/// What a verdict is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    Right,
    Wrong,
    Unsolved,
    /// A verdict for a row without a known one.
    New,
}

impl Judgement {
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Right => "right",
            Judgement::Wrong => "wrong",
            Judgement::Unsolved => "unsolved",
            Judgement::New => "new",
        }
    }

    /// The row has a verdict, whatever it is worth.
    pub fn is_solved(self) -> bool {
        self != Judgement::Unsolved
    }
}

/// With `--bounded-ok`, a program with threads is safe if it is in so many contexts.
const ENOUGH_CONTEXTS: u32 = 3;

/// What a verdict claims about a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Claim {
    Safe,
    Bug,
    Nothing,
}

pub fn judge(row: &Row, report: &VerifyReport, bounded_ok: bool) -> Judgement {
    match row.expect {
        Expect::Accept => judge_acceptance(row, report),
        Expect::Reject => judge_rejection(report),
        Expect::Error if report.verdict == Verdict::BadInput => Judgement::Right,
        Expect::Error | Expect::Blocked => Judgement::Unsolved,
        Expect::Safe => match claim(row, report, bounded_ok) {
            Claim::Safe => Judgement::Right,
            Claim::Bug => Judgement::Wrong,
            Claim::Nothing => Judgement::Unsolved,
        },
        // `--bounded-ok` does not make `bounded` a stronger claim where a bug is expected.
        Expect::Bug => match claim(row, report, false) {
            Claim::Bug => Judgement::Right,
            Claim::Safe => Judgement::Wrong,
            Claim::Nothing => Judgement::Unsolved,
        },
        Expect::Unknown => match claim(row, report, bounded_ok) {
            Claim::Nothing => Judgement::Unsolved,
            Claim::Safe | Claim::Bug => Judgement::New,
        },
    }
}

fn claim(row: &Row, report: &VerifyReport, bounded_ok: bool) -> Claim {
    match report.verdict {
        Verdict::Bug | Verdict::BugUnconfirmed { .. } => Claim::Bug,
        Verdict::Proved => Claim::Safe,
        Verdict::Bounded { bound, contexts, .. } => {
            let completed_bound = match row.bound {
                Some(wanted) => bound >= wanted,
                None => !report.entries.is_empty() && report.entries.iter().all(|entry| entry.cut.is_empty()),
            };
            let completed_contexts = match (contexts, row.contexts) {
                (None, _) => true,
                (Some(contexts), Some(wanted)) => contexts >= wanted,
                // A bound of Boogie is for the default number of contexts.
                (Some(contexts), None) => !row.is_c() && contexts >= VerifyRequest::DEFAULT_CONTEXTS,
            };
            let completed = completed_bound && completed_contexts;
            let will_do = bounded_ok
                && match contexts {
                    Some(contexts) => contexts >= ENOUGH_CONTEXTS,
                    None => !row.is_c() || bound >= VerifyRequest::DEEP_BOUND,
                };
            if completed || will_do {
                Claim::Safe
            } else {
                Claim::Nothing
            }
        }
        // No execution from the entry gets to an assertion. The verdict warns of it; for a row it is an answer.
        Verdict::Unknown {
            cause: UnknownCause::NothingChecked,
            ..
        } if !report.entries.is_empty() => Claim::Safe,
        Verdict::Unknown { .. } | Verdict::BadInput | Verdict::Accepted => Claim::Nothing,
    }
}

fn judge_acceptance(row: &Row, report: &VerifyReport) -> Judgement {
    match report.verdict {
        Verdict::Accepted => Judgement::Right,
        Verdict::BadInput => {
            let is_limit = |code: &str| code.starts_with("unsupported") || code == "civl-construct";
            let unsupported =
                report.errors().next().is_some() && report.errors().all(|error| is_limit(&error.code));
            if unsupported || row.library.is_some() {
                Judgement::Unsolved
            } else {
                Judgement::Wrong
            }
        }
        _ => Judgement::Unsolved,
    }
}

fn judge_rejection(report: &VerifyReport) -> Judgement {
    match report.verdict {
        Verdict::Accepted => Judgement::Wrong,
        Verdict::BadInput if report.errors().any(|error| error.location.is_some()) => Judgement::Right,
        _ => Judgement::Unsolved,
    }
}

#[cfg(test)]
mod tests {
    use lariat_report::{
        CutKind, CutSite, DiagnosticReport, EntryReport, EntryStats, Goal, GoalKind, Location, Severity,
        UnknownCause,
    };

    use super::*;

    fn row(text: &str) -> Row {
        serde_json::from_str(text).expect("a row")
    }

    fn report(verdict: Verdict) -> VerifyReport {
        VerifyReport::new(&VerifyRequest::default(), verdict)
    }

    fn bounded(bound: u32, cut: bool) -> VerifyReport {
        let mut report = report(Verdict::bounded(bound));
        report.entries.push(EntryReport {
            entry: "main".to_owned(),
            goal: Goal {
                kind: GoalKind::AssertionFails,
                text: String::new(),
            },
            verdict: Verdict::bounded(bound),
            bound: Some(bound),
            ended_by_time: false,
            contexts: None,
            cut: Vec::new(),
            failures: Vec::new(),
            tracked: None,
            stats: EntryStats::default(),
        });
        if cut {
            report.entries[0].cut.push(CutSite {
                name: "main".to_owned(),
                kind: CutKind::Loop,
                location: None,
            });
        }
        report
    }

    fn refused(code: &str, with_place: bool) -> VerifyReport {
        let mut report = report(Verdict::BadInput);
        report.diagnostics.push(DiagnosticReport {
            severity: Severity::Error,
            code: code.to_owned(),
            message: String::new(),
            location: with_place.then(|| Location {
                file: "a.bpl".to_owned(),
                line: 1,
                column: 1,
            }),
            label: None,
            hint: None,
            rendered: String::new(),
        });
        report
    }

    fn unconfirmed() -> VerifyReport {
        report(Verdict::BugUnconfirmed {
            reason: String::new(),
        })
    }

    fn unknown() -> VerifyReport {
        report(Verdict::unknown(UnknownCause::Time, "time limit reached"))
    }

    #[test]
    fn verdicts_on_rows_with_a_bound() {
        let safe = row(r#"{"file": "a", "expect": "safe", "bound": 3}"#);
        let bug = row(r#"{"file": "a", "expect": "bug", "bound": 3}"#);
        for (report, for_safe, for_bug) in [
            (report(Verdict::Proved), Judgement::Right, Judgement::Wrong),
            (report(Verdict::Bug), Judgement::Wrong, Judgement::Right),
            (unconfirmed(), Judgement::Wrong, Judgement::Right),
            (bounded(3, true), Judgement::Right, Judgement::Wrong),
            (bounded(4, true), Judgement::Right, Judgement::Wrong),
            (bounded(2, true), Judgement::Unsolved, Judgement::Unsolved),
            (unknown(), Judgement::Unsolved, Judgement::Unsolved),
            (
                report(Verdict::BadInput),
                Judgement::Unsolved,
                Judgement::Unsolved,
            ),
        ] {
            assert_eq!(judge(&safe, &report, false), for_safe, "{:?}", report.verdict);
            assert_eq!(judge(&bug, &report, false), for_bug, "{:?}", report.verdict);
        }
    }

    #[test]
    fn bounded_on_rows_without_a_bound() {
        let safe = row(r#"{"file": "a", "expect": "safe"}"#);
        let bug = row(r#"{"file": "a", "expect": "bug"}"#);
        assert_eq!(judge(&safe, &bounded(3, true), false), Judgement::Unsolved);
        assert_eq!(judge(&safe, &bounded(3, true), true), Judgement::Right);
        assert_eq!(judge(&safe, &bounded(3, false), false), Judgement::Right);
        assert_eq!(judge(&bug, &bounded(3, true), false), Judgement::Unsolved);
        assert_eq!(judge(&bug, &bounded(3, true), true), Judgement::Unsolved);
        assert_eq!(judge(&bug, &bounded(3, false), false), Judgement::Wrong);
    }

    #[test]
    fn in_c_bounded_will_do_if_it_is_deep() {
        let safe = row(r#"{"file": "a.c", "expect": "safe"}"#);
        let bug = row(r#"{"file": "a.i", "expect": "bug"}"#);
        assert_eq!(judge(&safe, &bounded(9, true), true), Judgement::Unsolved);
        assert_eq!(judge(&safe, &bounded(10, true), true), Judgement::Right);
        assert_eq!(judge(&safe, &bounded(10, true), false), Judgement::Unsolved);
        assert_eq!(judge(&bug, &bounded(10, true), true), Judgement::Unsolved);
        assert_eq!(judge(&bug, &report(Verdict::Proved), true), Judgement::Wrong);
    }

    #[test]
    fn a_definite_verdict_without_a_known_answer_is_new() {
        let row = row(r#"{"file": "a", "expect": "unknown", "bound": 3}"#);
        for report in [report(Verdict::Proved), report(Verdict::Bug), bounded(3, true)] {
            assert_eq!(judge(&row, &report, false), Judgement::New);
        }
        for report in [bounded(2, true), unknown()] {
            assert_eq!(judge(&row, &report, false), Judgement::Unsolved);
        }
    }

    #[test]
    fn the_front_end_alone() {
        let accept = row(r#"{"file": "a", "expect": "accept"}"#);
        let with_library = row(r#"{"file": "a", "expect": "accept", "library": "-lib:base"}"#);
        let reject = row(r#"{"file": "a", "expect": "reject"}"#);
        for (report, for_accept, for_library, for_reject) in [
            (
                report(Verdict::Accepted),
                Judgement::Right,
                Judgement::Right,
                Judgement::Wrong,
            ),
            (
                refused("type-mismatch", true),
                Judgement::Wrong,
                Judgement::Unsolved,
                Judgement::Right,
            ),
            (
                refused("unsupported-civl", true),
                Judgement::Unsolved,
                Judgement::Unsolved,
                Judgement::Right,
            ),
            (
                refused("cannot-read", false),
                Judgement::Wrong,
                Judgement::Unsolved,
                Judgement::Unsolved,
            ),
            (
                unknown(),
                Judgement::Unsolved,
                Judgement::Unsolved,
                Judgement::Unsolved,
            ),
        ] {
            assert_eq!(judge(&accept, &report, false), for_accept, "{:?}", report.verdict);
            assert_eq!(
                judge(&with_library, &report, false),
                for_library,
                "{:?}",
                report.verdict
            );
            assert_eq!(judge(&reject, &report, false), for_reject, "{:?}", report.verdict);
        }
    }

    #[test]
    fn what_this_version_does_not_do_is_unsolved() {
        let blocked = row(r#"{"file": "a", "expect": "blocked", "command": "angelic"}"#);
        assert_eq!(judge(&blocked, &report(Verdict::Bug), false), Judgement::Unsolved);
        let error = row(r#"{"file": "a", "expect": "error", "command": "angelic"}"#);
        assert_eq!(judge(&error, &report(Verdict::BadInput), false), Judgement::Right);
        assert_eq!(judge(&error, &unknown(), false), Judgement::Unsolved);
    }
}
