//! Which entries get summaries, and which summaries an entry gets.

use std::collections::BTreeSet;
use std::sync::Arc;

use lariat_base::Budget;
use lariat_ir::{AssertId, OpenEntry, Program};

use super::{Done, Run};
use crate::specification::SpecText;
use crate::summary::{Attached, ProcSummary};

impl Run<'_> {
    /// The entries that others call which have to be analysed.
    pub(super) fn needing_summaries(&self) -> BTreeSet<usize> {
        let others = self.dependencies.iter().enumerate();
        let analysed = others.filter(|&(other, _)| self.reusable(other).is_none());
        analysed.flat_map(|(_, before)| before).copied().collect()
    }

    /// The summary of an entry, if it is needed and can be proved.
    pub(super) fn summary(
        &self,
        index: usize,
        specs: &[SpecText],
        dropped: &BTreeSet<AssertId>,
        callees: &[Arc<Done>],
        budget: &Budget,
    ) -> Option<ProcSummary> {
        if !self.needs_summary.contains(&index) {
            return None;
        }
        let results = callees.iter().flat_map(|done| &done.inherited);
        let results = results.map(|text| text.exact.clone()).collect();
        let known: Vec<&ProcSummary> = callees.iter().filter_map(|done| done.summary.as_ref()).collect();
        self.summaries
            .of(&self.entries[index], specs, results, dropped, &known, budget)
    }

    /// The program with summaries of what the entry calls.
    pub(super) fn with_summaries(
        &self,
        entry: &OpenEntry,
        callees: &[Arc<Done>],
    ) -> (Program, Vec<Attached>) {
        let known: Vec<&ProcSummary> = callees.iter().filter_map(|done| done.summary.as_ref()).collect();
        let mut program = self.cones.cut(&self.front_end.program, self.calls, entry.proc);
        let attached = self
            .summaries
            .attach(&mut program, entry.proc, &known, &|pool, assert| {
                // What is reported is assumed.
                match self.switches.checks.get(&assert) {
                    Some(&check) => {
                        let is_checked = pool.var(check);
                        Some(pool.not(is_checked))
                    }
                    None => Some(pool.bool(true)),
                }
            });
        (program, attached)
    }
}
