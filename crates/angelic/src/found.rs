//! What comes of the analysis of an entry: its outcome, warnings and specifications, as data.

use lariat_explain::ValueOrigin;
use lariat_ir::AssertId;
use lariat_report::{AngelicEntryStats, Confidence, EntryOutcome, Failure, SpecificationStatus};

use crate::specification::SpecText;

/// What came of an entry.
#[derive(Default)]
pub struct EntryResult {
    pub outcome: Option<EntryOutcome>,
    pub bound: u32,
    pub complete: bool,
    /// No execution gets to an end or to a failure.
    pub is_vacuous: bool,
    pub warnings: Vec<FoundWarning>,
    pub specs: Vec<FoundSpec>,
    pub stats: AngelicEntryStats,
}

impl EntryResult {
    /// Whether it came to the end, or the other one, of the same entry, was cut off no later.
    pub fn says_as_much_as(&self, other: &EntryResult) -> bool {
        let found = |result: &EntryResult| (result.stats.traces, result.bound);
        self.is_done() || !other.is_done() && found(self) >= found(other)
    }

    pub fn is_done(&self) -> bool {
        self.outcome == Some(EntryOutcome::Done)
    }

    /// What the coarse program says where the exact one has no answer, for the reason in `stopped`. What the code expects may be
    /// possible in the coarse program only.
    pub fn of_coarse_alone(mut self, stopped: Option<EntryOutcome>) -> Self {
        let is_certain = |warning: &FoundWarning| warning.confidence != Confidence::Inconsistent;
        if !self.is_done() || !self.warnings.iter().all(is_certain) {
            self.warnings.retain(is_certain);
            self.outcome = stopped;
        }
        self
    }
}

/// A failing execution that is reported.
pub struct FoundWarning {
    pub assert: AssertId,
    pub confidence: Confidence,
    pub failure: Failure,
    pub origin: ValueOrigin,
    pub refused: Option<Refused>,
    pub note: Option<String>,
}

/// A specification that is not acceptable, and which angelic assertion says so.
pub struct Refused {
    pub text: String,
    /// Its position in [`crate::instrument::Switches::seeks`]; `None` if the user has rejected it.
    pub seek: Option<usize>,
}

/// A specification that is assumed at the end.
#[derive(Clone)]
pub struct FoundSpec {
    pub text: SpecText,
    pub status: SpecificationStatus,
    /// The id of a given one.
    pub id: Option<String>,
    /// The failing assertions that it excludes; empty if nothing needed it.
    pub suppresses: Vec<AssertId>,
    /// A given one that excludes nothing.
    pub unnecessary: bool,
    /// Why a given one could not be used.
    pub problem: Option<String>,
    /// Taken over from another entry, where it is listed.
    pub inherited: bool,
}

impl FoundSpec {
    /// One that Lariat has found, for these assertions.
    pub fn inferred(text: SpecText, suppresses: Vec<AssertId>) -> Self {
        FoundSpec {
            text,
            status: SpecificationStatus::Inferred,
            id: None,
            suppresses,
            unnecessary: false,
            problem: None,
            inherited: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The doubt of the coarse program is no reason if the exact one ran out of time.
    #[test]
    fn an_entry_is_incomplete_for_what_stopped_the_exact_program() {
        let incomplete = |reason: &str| {
            Some(EntryOutcome::Incomplete {
                reason: reason.to_owned(),
            })
        };
        let coarse = |outcome| EntryResult {
            outcome,
            ..EntryResult::default()
        };
        let time = incomplete("time limit reached");
        let of = |outcome| coarse(outcome).of_coarse_alone(time.clone()).outcome;
        assert_eq!(of(incomplete("could not be replayed")), time);
        assert_eq!(of(Some(EntryOutcome::Done)), Some(EntryOutcome::Done));
    }
}
