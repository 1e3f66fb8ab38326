//! Which equations and conditions have only one truth value on the trace.
//!
//! Decided, cheapest first: by arithmetic (`p + 8` and `p + 16`), by freshness, by what is assumed literally, by the
//! solver.
//!
//! Freshness: the address of fresh memory, at any offset, differs from every value that was not computed from it.
//! That includes what the environment chooses later: an environment that hands out the program's own new memory is
//! not considered. What was decided by freshness is recorded, since the solver does not know it.
//!
//! Where too many cases are left, the decider *follows* the execution: what is still open is decided as it was in the
//! replay, and the decision becomes a condition of the trace.

use lariat_smt::SolverError;
use lariat_term::{BvOp, Op, TermId, TermPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::linear::compare;
use crate::prover::Prover;
use crate::replayed::Replayed;
use crate::wlp::Symbols;

type Result<T> = std::result::Result<T, SolverError>;

/// Questions to the solver while map updates are eliminated.
const MAX_QUESTIONS: usize = 60;

pub(crate) struct Decider<'a, 'c> {
    pub prover: &'a mut Prover<'c>,
    symbols: &'a Symbols,
    /// Decides what is open.
    replayed: Option<Replayed>,
    /// Formulas that are assumed literally, and their opposites.
    assumed: FxHashMap<TermId, bool>,
    undecided: FxHashSet<TermId>,
    /// How many more the solver may be asked.
    questions: usize,
    /// What was decided as in the replay, as true formulas.
    pub choices: Vec<TermId>,
    /// Disequalities that hold because memory is fresh.
    pub freshness: Vec<TermId>,
}

impl<'a, 'c> Decider<'a, 'c> {
    /// A decider without a solver.
    pub fn new(prover: &'a mut Prover<'c>, symbols: &'a Symbols) -> Self {
        Decider {
            prover,
            symbols,
            replayed: None,
            assumed: FxHashMap::default(),
            undecided: FxHashSet::default(),
            questions: 0,
            choices: Vec::new(),
            freshness: Vec::new(),
        }
    }

    /// These hold. The solver may be asked now.
    pub fn set_background(&mut self, pool: &mut TermPool, background: &[TermId]) -> Result<()> {
        self.assume(pool, background);
        self.questions = MAX_QUESTIONS;
        for &fact in background {
            self.prover.assume(pool, fact)?;
        }
        Ok(())
    }

    /// Decides what is open as in the replay from now on.
    pub fn follow(&mut self, replayed: Replayed) {
        self.replayed = Some(replayed);
    }

    /// Decisions are made under these, too, from now on.
    pub fn set_premises(&mut self, pool: &mut TermPool, premises: &[TermId]) {
        self.prover.set_premises(premises);
        self.undecided.clear();
        self.assume(pool, premises);
    }

    fn assume(&mut self, pool: &mut TermPool, formulas: &[TermId]) {
        for &formula in formulas {
            let parts = match pool.op(formula) {
                Op::And => pool.args(formula).to_vec(),
                _ => vec![formula],
            };
            for part in parts {
                self.learn(pool, part, true);
            }
        }
    }

    /// `a = b`, decided if that is cheap; neither side is a case distinction.
    pub fn equality(&mut self, pool: &mut TermPool, a: TermId, b: TermId) -> Result<TermId> {
        let equality = compare(pool, Op::Eq, a, b);
        if pool.as_bool(equality).is_some() {
            return Ok(equality);
        }
        if self.symbols.has_fresh() && self.differ_by_freshness(pool, a, b) {
            let fact = pool.not(equality);
            if !self.freshness.contains(&fact) {
                self.freshness.push(fact);
                self.prover.assume(pool, fact)?;
            }
            return Ok(pool.bool(false));
        }
        Ok(self.known(pool, equality).unwrap_or(equality))
    }

    fn known(&self, pool: &mut TermPool, formula: TermId) -> Option<TermId> {
        self.assumed.get(&formula).map(|&value| pool.bool(value))
    }

    /// A formula, or its truth value if it has only one.
    pub fn condition(&mut self, pool: &mut TermPool, formula: TermId) -> Result<TermId> {
        if pool.as_bool(formula).is_some() {
            return Ok(formula);
        }
        if let Some(value) = self.known(pool, formula) {
            return Ok(value);
        }
        if let Some(replayed) = &mut self.replayed
            && let Some(value) = replayed.truth(pool, formula)
        {
            self.choices.push(if value { formula } else { pool.not(formula) });
            self.learn(pool, formula, value);
            return Ok(pool.bool(value));
        }
        if self.questions == 0 || self.undecided.contains(&formula) {
            return Ok(formula);
        }
        self.questions -= 1;
        Ok(match self.prover.decide(pool, formula)? {
            Some(value) => {
                self.learn(pool, formula, value);
                pool.bool(value)
            }
            None => {
                self.undecided.insert(formula);
                formula
            }
        })
    }

    fn learn(&mut self, pool: &mut TermPool, formula: TermId, value: bool) {
        let opposite = pool.not(formula);
        self.assumed.insert(formula, value);
        self.assumed.insert(opposite, !value);
    }

    fn differ_by_freshness(&self, pool: &TermPool, a: TermId, b: TermId) -> bool {
        let (roots_a, roots_b) = (self.fresh_roots(pool, a), self.fresh_roots(pool, b));
        let foreign = |roots: &[VarId], other: TermId| roots.iter().any(|&root| !mentions(pool, other, root));
        foreign(&roots_a, b) || foreign(&roots_b, a)
    }

    /// The fresh memory that an address lies in.
    fn fresh_roots(&self, pool: &TermPool, address: TermId) -> Vec<VarId> {
        let mut roots = Vec::new();
        let mut stack = vec![address];
        while let Some(term) = stack.pop() {
            match pool.op(term) {
                Op::Var(var) if self.symbols.is_fresh(var) => roots.push(var),
                Op::Add | Op::Bv2(BvOp::Add) => stack.extend_from_slice(pool.args(term)),
                _ => {}
            }
        }
        roots
    }
}

/// Whether the value of a term can have been computed from a variable. What memory held at the start has not.
fn mentions(pool: &TermPool, term: TermId, var: VarId) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if pool.is_closed(term) || !seen.insert(term) {
            continue;
        }
        match pool.op(term) {
            Op::Var(other) if other == var => return true,
            Op::Select if pool.as_var(pool.args(term)[0]).is_some() => {}
            _ => stack.extend(pool.children(term)),
        }
    }
    false
}
