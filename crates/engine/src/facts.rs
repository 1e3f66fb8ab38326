//! Inferred facts at call sites ([`lariat_vc::Problem::summaries`]), and when to do without them.
//!
//! A summary only constrains what a call may do, so leaving it out is always sound: it makes fewer
//! queries unsatisfiable. Facts mostly help, but they can also turn an easy query into an intractable
//! one. So they are asserted under one switch that each query assumes, a query with facts may take a
//! limited effort, and a query that exceeds it is asked again without them. After a few such queries the
//! facts are left out for good.
//!
//! Effort is the solver's own count, not time: the same input gives the same queries.

use std::rc::Rc;

use lariat_ir::ProcId;
use lariat_smt::{Ast, Context, SolverError, Template};
use lariat_term::VarId;

use crate::unfolding::{SiteTerms, Unfolding};

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
    /// Whether there are to be no facts any more.
    dropped: bool,
}

impl Facts {
    pub fn new(context: &mut Context, any: bool) -> Result<Self, SolverError> {
        Ok(Facts {
            switch: if any { Some(context.fresh_bool()?) } else { None },
            ..Facts::default()
        })
    }

    /// There are facts to come, and a query with them may take so much effort; `false` if they are dropped at once.
    pub fn prepare(&mut self, context: &mut Context, effort: u32) -> Result<bool, SolverError> {
        self.hardest = self.hardest.max(effort / GROWTH);
        if self.switch.is_none() && !self.dropped {
            self.switch = Some(context.fresh_bool()?);
        }
        Ok(self.switch.is_some())
    }

    /// Whether there are no facts any more.
    pub fn are_dropped(&self) -> bool {
        self.dropped
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

    /// Leaves the facts out until others are there; returns the switch that is never assumed again.
    pub fn set_aside(&mut self) -> Option<Ast> {
        self.used = false;
        self.switch.take()
    }

    /// Leaves the facts out from now on; returns the switch that is never assumed again.
    pub fn drop_all(&mut self) -> Option<Ast> {
        self.dropped = true;
        self.set_aside()
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

impl Unfolding {
    /// `switch ∧ control ⇒ summary`, for an open call site, or one that is about to be open.
    pub(crate) fn assert_summary(
        &mut self,
        callee: ProcId,
        terms: &mut SiteTerms,
    ) -> Result<(), SolverError> {
        let (Some(summary), Some(switch)) = (&self.problem.summaries[callee], self.facts.switch()) else {
            return Ok(());
        };
        if self.summaries[callee].is_none() {
            let parameters: Vec<VarId> = summary.ins.iter().chain(&summary.outs).copied().collect();
            let pool = &self.problem.program.pool;
            let template = Template::new(&mut self.context, pool, &summary.facts, &parameters)?;
            self.summaries[callee] = Some(Rc::new(template));
        }
        let Some(template) = self.summaries[callee].clone() else {
            return Ok(());
        };
        let arguments: Vec<Ast> = terms.ins.iter().chain(&terms.outs).copied().collect();
        for fact in template.instantiate(&mut self.context, &arguments)? {
            let guarded = self.context.implies(terms.control, fact)?;
            let guarded = self.context.implies(switch, guarded)?;
            if !terms.facts.contains(&guarded) {
                self.solver.assert(&mut self.context, guarded)?;
                terms.facts.push(guarded);
            }
        }
        Ok(())
    }

    /// The literals that all questions assume now: those of the user, and the switch of the facts.
    pub(crate) fn assumptions(&self) -> impl Iterator<Item = Ast> + '_ {
        self.assumed.iter().copied().chain(self.facts.switch())
    }

    /// Does without inferred facts from now on.
    pub(crate) fn drop_facts(&mut self) -> Result<(), SolverError> {
        match self.facts.drop_all() {
            Some(switch) => self.retire(switch),
            None => Ok(()),
        }
    }

    /// A switch is never assumed again.
    pub(crate) fn retire(&mut self, switch: Ast) -> Result<(), SolverError> {
        let never = self.context.not(switch)?;
        self.solver.assert(&mut self.context, never)
    }
}
