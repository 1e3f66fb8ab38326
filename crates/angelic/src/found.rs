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
        let is_done = |result: &EntryResult| result.outcome == Some(EntryOutcome::Done);
        is_done(self) || !is_done(other) && self.stats.traces >= other.stats.traces
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
