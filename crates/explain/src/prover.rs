//! The solver as a prover: one incremental solver for an explanation, in the context of whoever asks. (To make a context takes longer than most
//! explanations.)
//!
//! Formulas that are only sometimes assumed are guarded by a literal of their own, so that everything the solver has
//! learned is kept. What is hard is [`crate::opaque`] to the solver. A question that is not answered (a limit) counts as *not proved*; nothing is concluded from it.

use std::time::{Duration, Instant};

use lariat_smt::{Ast, CheckResult, Context, Model, Solver, SolverError};
use lariat_term::{TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::opaque::Opaque;

type Result<T> = std::result::Result<T, SolverError>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Satisfiability {
    Possible,
    Impossible,
    /// A limit was reached.
    Unknown,
}

pub(crate) struct Prover<'c> {
    context: &'c mut Context,
    solver: Solver,
    opaque: Opaque,
    guards: FxHashMap<TermId, Ast>,
    deadline: Instant,
    /// A question was not answered.
    gave_up: bool,
    /// Models of what is always assumed together with `premises`.
    models: Vec<Model>,
    /// What is assumed in questions about decisions.
    premises: Vec<TermId>,
}

/// Models that are kept to answer questions without the solver.
const MAX_MODELS: usize = 8;

impl<'c> Prover<'c> {
    /// Effort: what one question may cost, in the solver's own measure.
    pub fn new(context: &'c mut Context, deadline: Instant, effort: u32) -> Result<Self> {
        let left = deadline.saturating_duration_since(Instant::now());
        let milliseconds = left.max(Duration::from_millis(1)).as_millis();
        let options = [
            ("rlimit".to_string(), effort.to_string()),
            (
                "timeout".to_string(),
                milliseconds.min(u128::from(u32::MAX) - 1).to_string(),
            ),
        ];
        let solver = Solver::new(context, &options)?;
        Ok(Prover {
            context,
            solver,
            opaque: Opaque::default(),
            guards: FxHashMap::default(),
            deadline,
            gave_up: false,
            models: Vec::new(),
            premises: Vec::new(),
        })
    }

    /// Another one, which knows nothing of what this one has assumed.
    pub fn another(&mut self, effort: u32) -> Result<Prover<'_>> {
        Prover::new(self.context, self.deadline, effort)
    }

    pub fn calls(&self) -> u64 {
        self.solver.stats().checks
    }

    pub fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Whether a question was not answered.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Assumes a formula from now on.
    pub fn assume(&mut self, pool: &mut TermPool, fact: TermId) -> Result<()> {
        let fact = self.translate(pool, fact)?;
        self.models.clear();
        self.solver.assert(self.context, fact)
    }

    /// Decisions are made under these from now on.
    pub fn set_premises(&mut self, premises: &[TermId]) {
        self.premises = premises.to_vec();
        self.models.clear();
    }

    fn translate(&mut self, pool: &mut TermPool, term: TermId) -> Result<Ast> {
        let term = self.opaque.simplify(pool, term);
        self.context.term(pool, term)
    }

    fn guard(&mut self, pool: &mut TermPool, formula: TermId) -> Result<Ast> {
        if let Some(&guard) = self.guards.get(&formula) {
            return Ok(guard);
        }
        let term = self.translate(pool, formula)?;
        let guard = self.solver.assert_tracked(self.context, term)?;
        self.guards.insert(formula, guard);
        Ok(guard)
    }

    /// Can the formulas hold together?
    pub fn check(&mut self, pool: &mut TermPool, formulas: &[TermId]) -> Result<Satisfiability> {
        if self.is_late() {
            return Ok(Satisfiability::Unknown);
        }
        let guards = self.guards_of(pool, formulas)?;
        Ok(match self.solver.check(self.context, &guards)? {
            CheckResult::Sat => Satisfiability::Possible,
            CheckResult::Unsat => Satisfiability::Impossible,
            CheckResult::Unknown(_) => {
                self.gave_up = true;
                Satisfiability::Unknown
            }
        })
    }

    fn guards_of(&mut self, pool: &mut TermPool, formulas: &[TermId]) -> Result<Vec<Ast>> {
        formulas
            .iter()
            .map(|&formula| self.guard(pool, formula))
            .collect()
    }

    /// Which of the formulas cannot hold together, by their positions; `None` if they can or it is not known.
    pub fn conflict(&mut self, pool: &mut TermPool, formulas: &[TermId]) -> Result<Option<Vec<usize>>> {
        if self.check(pool, formulas)? != Satisfiability::Impossible {
            return Ok(None);
        }
        let guards = self.guards_of(pool, formulas)?;
        self.solver.unsat_core(self.context, &guards).map(Some)
    }

    /// Whether the premises surely imply the goal.
    pub fn implies(&mut self, pool: &mut TermPool, premises: &[TermId], goal: TermId) -> Result<bool> {
        let mut formulas = premises.to_vec();
        formulas.push(pool.not(goal));
        Ok(self.check(pool, &formulas)? == Satisfiability::Impossible)
    }

    /// The truth value that the formula has whenever the premises hold; `None` if it has both or it is not known.
    pub fn decide(&mut self, pool: &mut TermPool, formula: TermId) -> Result<Option<bool>> {
        if let Some(value) = pool.as_bool(formula) {
            return Ok(Some(value));
        }
        if self.models.is_empty() && self.new_model(pool, None)? != Satisfiability::Possible {
            return Ok(None);
        }
        let term = self.translate(pool, formula)?;
        let mut values = Vec::new();
        for model in &self.models {
            values.push(model.is_true(self.context, term)?);
        }
        let value = values[0];
        if values.iter().any(|&other| other != value) {
            return Ok(None);
        }
        let opposite = if value { pool.not(formula) } else { formula };
        let answer = self.new_model(pool, Some(opposite))?;
        Ok((answer == Satisfiability::Impossible).then_some(value))
    }

    /// Looks for a model of the premises and one more formula, and keeps it.
    fn new_model(&mut self, pool: &mut TermPool, formula: Option<TermId>) -> Result<Satisfiability> {
        let mut formulas = self.premises.clone();
        formulas.extend(formula);
        let answer = self.check(pool, &formulas)?;
        if answer == Satisfiability::Possible {
            let model = self.solver.model(self.context)?;
            if self.models.len() == MAX_MODELS {
                self.models.remove(1);
            }
            self.models.push(model);
        }
        Ok(answer)
    }
}
