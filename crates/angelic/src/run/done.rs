//! What came of an entry, for those that call it.

use std::collections::BTreeSet;

use lariat_ir::AssertId;

use crate::found::EntryResult;
use crate::reuse::Reused;
use crate::specification::SpecText;
use crate::summary::ProcSummary;

/// An entry that has ended.
pub struct Done {
    pub(super) result: EntryResult,
    /// Its share of the time has ended, and not that of the run.
    pub(super) needs_more_time: bool,
    /// Taken over from the earlier run.
    pub(super) reused: Option<Reused>,
    /// Assertions that were reported here or in what it calls.
    pub(super) dropped: BTreeSet<AssertId>,
    /// Those of them that some environment avoids, though no specification of the vocabulary says how.
    pub(super) weak: BTreeSet<AssertId>,
    /// Specifications that can be used.
    pub(super) specs: Vec<SpecText>,
    /// Those that hold for whoever calls the entry.
    pub(super) inherited: Vec<SpecText>,
    /// Where no call of it fails, if that was found out and somebody wants to know.
    pub(super) summary: Option<ProcSummary>,
}

/// What holds for whoever calls an entry.
pub(super) fn inherited(specs: &[SpecText]) -> Vec<SpecText> {
    let about_results = specs.iter().filter(|text| text.is_about_results());
    about_results.cloned().collect()
}
