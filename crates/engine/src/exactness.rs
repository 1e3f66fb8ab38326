//! Does an answer rest on the bound?
//!
//! The unsat core of query type 2 may name calls that it could do without. A small unfolding can afford to
//! be exact about that, and then the answer is the same whatever the order of inlining was.

use lariat_smt::Stop;

use crate::dag::CallSiteId;
use crate::options::{ExpandPolicy, SplitPolicy};
use crate::path::Path;
use crate::search::Search;

/// Up to how many instances the question is asked, and how much effort of the solver it may take.
const MOST_INSTANCES: u64 = 500;
const MOST_EFFORT: u64 = 15_000_000;

impl Search<'_> {
    /// Whether some execution goes through calls beyond the bound, if those may do anything. `true` as well if
    /// that is too hard to find out.
    pub(crate) fn rests_on_bound(&mut self) -> bool {
        self.within_effort(MOST_EFFORT, Self::goes_beyond_bound)
            .unwrap_or(true)
    }

    /// Asks something of a completed bound that may take so much effort.
    pub(crate) fn within_effort<T>(
        &mut self,
        effort: u64,
        ask: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let limit = self.effort_limit;
        let own = self.unfolding.effort().saturating_add(effort);
        self.effort_limit = Some(limit.map_or(own, |limit| limit.min(own)));
        // The bound is completed first; a split comes after it.
        let split = std::mem::replace(&mut self.options.split, SplitPolicy::Never);
        let answer = ask(self);
        self.options.split = split;
        self.effort_limit = limit;
        answer
    }

    fn goes_beyond_bound(&mut self) -> Result<bool, Stop> {
        while self.options.expand == ExpandPolicy::Eager || self.unfolding.stats.inlined <= MOST_INSTANCES {
            let Ok(candidate) = self.ask_blocking(&[])? else {
                return Ok(false);
            };
            let path = Path::follow(&self.unfolding, &candidate.model)?;
            let open: Vec<CallSiteId> = path
                .open_calls()
                .filter(|&site| self.within_bound(site))
                .collect();
            if open.is_empty() {
                return Ok(true);
            }
            self.inline(&open)?;
        }
        Ok(true)
    }
}
