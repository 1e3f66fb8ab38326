//! Inferred facts at call sites ([`lariat_vc::Problem::summaries`]), and when to do without them.
//!
//! A summary only constrains what a call may do, so leaving it out is always sound: it makes fewer
//! queries unsatisfiable. Facts mostly help, but they can also turn an easy query into an intractable
//! one. So they are asserted under one switch that each query assumes, a query with facts may take a
//! limited effort, and a query that exceeds it is asked again without them. After a few such queries the
//! facts are left out for good.
//!
//! Effort is the solver's own count, not time: the same input gives the same queries.

use lariat_smt::{Ast, Context, SolverError};

/// A query with facts may take this much effort in any case …
const LEAST_EFFORT: u32 = 500_000;
/// … and otherwise so many times the effort of the hardest query that was answered.
const GROWTH: u32 = 10;
/// After so many queries that were too hard, the facts are dropped.
const MOST_FAILURES: u32 = 3;

/// The switch of all inferred facts of a search.
#[derive(Default)]
pub(crate) struct Facts {
    /// `None` if there are no facts, or none any more.
    switch: Option<Ast>,
    hardest: u32,
    failures: u32,
    /// Whether the last negative answer needs the facts.
    used: bool,
}

impl Facts {
    pub fn new(context: &mut Context, any: bool) -> Result<Self, SolverError> {
        Ok(Facts {
            switch: if any { Some(context.fresh_bool()?) } else { None },
            ..Facts::default()
        })
    }

    /// The literal to assume while the facts count.
    pub fn switch(&self) -> Option<Ast> {
        self.switch
    }

    /// The effort that a query with facts may take.
    pub fn effort(&self) -> u32 {
        self.hardest
            .saturating_mul(GROWTH)
            .max(LEAST_EFFORT << self.failures)
    }

    /// Notes a query that was answered with facts.
    pub fn note_answer(&mut self, effort: u64) {
        self.hardest = self.hardest.max(u32::try_from(effort).unwrap_or(u32::MAX));
    }

    /// Notes a query that was too hard with facts. Returns the switch if they are dropped because of it.
    pub fn note_failure(&mut self) -> Option<Ast> {
        self.failures += 1;
        if self.failures < MOST_FAILURES {
            return None;
        }
        self.drop_all()
    }

    /// Leaves the facts out from now on; returns the switch that is never assumed again.
    pub fn drop_all(&mut self) -> Option<Ast> {
        self.used = false;
        self.switch.take()
    }

    /// Notes whether a negative answer needs the facts.
    pub fn note_core(&mut self, used: bool) {
        self.used = used;
    }

    /// Whether the last negative answer needs the facts.
    pub fn are_used(&self) -> bool {
        self.used
    }
}
