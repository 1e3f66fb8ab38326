//! The theorem prover of §5.4: Adm(ψ1, …, ψn), and which truth values predicates can have together.
//!
//! Invariants:
//! - A question is a set of terms; it is asked once. Terms are asserted once, each under a literal of its own, so that the
//!   solver keeps what it learns.
//! - Of every variable in a question its range is assumed.
//! - Where the solver gives up, the formulas are admissible: the abstraction may only become coarser.

use std::rc::Rc;

use lariat_base::Budget;
use lariat_lts::Stopped;
use lariat_smt::{Ast, CheckResult, Context, Solver, SolverError, Watchdog};
use lariat_term::{TermId, TermPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::Cfa;

/// After so many assertions a new solver is started.
const MAX_ASSERTIONS: usize = 20_000;

/// So many valuations of predicates are enumerated in one step.
const MAX_VALUATIONS: usize = 100_000;

/// How much was asked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ProverStats {
    pub checks: u64,
    pub cached: u64,
    /// The solver gave up.
    pub unknown: u64,
}

pub struct Prover {
    context: Context,
    solver: Solver,
    budget: Budget,
    _watchdog: Watchdog,
    assertions: usize,
    literals: FxHashMap<TermId, Ast>,
    answers: FxHashMap<Box<[TermId]>, bool>,
    /// Truth values of predicates while terms hold.
    enumerated: FxHashMap<Enumeration, Rc<[Vec<bool>]>>,
    free: FxHashMap<TermId, Rc<[VarId]>>,
    stats: ProverStats,
}

/// Terms, and the predicates that were asked about.
type Enumeration = (Box<[TermId]>, Box<[TermId]>);

pub fn failed(error: SolverError) -> Stopped {
    Stopped::Failed(error.to_string())
}

/// The options of all solvers: no choice depends on time.
fn options() -> Vec<(String, String)> {
    vec![("smt.random_seed".to_owned(), "0".to_owned())]
}

impl Prover {
    pub fn new(budget: &Budget) -> Result<Self, Stopped> {
        let mut context = Context::new().map_err(failed)?;
        let solver = Solver::new(&mut context, &options()).map_err(failed)?;
        let watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
        Ok(Prover {
            context,
            solver,
            budget: budget.clone(),
            _watchdog: watchdog,
            assertions: 0,
            literals: FxHashMap::default(),
            answers: FxHashMap::default(),
            enumerated: FxHashMap::default(),
            free: FxHashMap::default(),
            stats: ProverStats::default(),
        })
    }

    pub fn stats(&self) -> ProverStats {
        self.stats
    }

    /// The variables of a term, in ascending order.
    pub fn variables(&mut self, pool: &TermPool, term: TermId) -> Rc<[VarId]> {
        if let Some(known) = self.free.get(&term) {
            return Rc::clone(known);
        }
        let mut vars: Vec<VarId> = pool.free_vars(&[term]).into_iter().collect();
        vars.sort_unstable();
        let vars: Rc<[VarId]> = vars.into();
        self.free.insert(term, Rc::clone(&vars));
        vars
    }

    /// The terms, what is known of their variables, and the axioms; sorted.
    fn question(&mut self, cfa: &Cfa, terms: &[TermId], more: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<VarId> = FxHashSet::default();
        let mut question: Vec<TermId> = terms.to_vec();
        for &term in terms.iter().chain(more) {
            for &var in self.variables(&cfa.pool, term).iter() {
                if seen.insert(var)
                    && let Some(&range) = cfa.ranges.get(&var)
                {
                    question.push(range);
                }
            }
        }
        question.extend(&cfa.axioms);
        question.retain(|&term| cfa.pool.as_bool(term) != Some(true));
        question.sort_unstable();
        question.dedup();
        question
    }

    fn literal(&mut self, pool: &TermPool, term: TermId) -> Result<Ast, Stopped> {
        if let Some(&literal) = self.literals.get(&term) {
            return Ok(literal);
        }
        let formula = self.context.term(pool, term).map_err(failed)?;
        let literal = self
            .solver
            .assert_tracked(&mut self.context, formula)
            .map_err(failed)?;
        self.literals.insert(term, literal);
        self.assertions += 1;
        Ok(literal)
    }

    fn check(&mut self, assumptions: &[Ast]) -> Result<CheckResult, Stopped> {
        self.stats.checks += 1;
        let answer = self
            .solver
            .check(&mut self.context, assumptions)
            .map_err(failed)?;
        if let CheckResult::Unknown(_) = &answer {
            self.budget.check_memory()?;
            self.stats.unknown += 1;
        }
        Ok(answer)
    }

    fn renew_if_full(&mut self) -> Result<(), Stopped> {
        if self.assertions > MAX_ASSERTIONS {
            self.solver = Solver::new(&mut self.context, &options()).map_err(failed)?;
            self.literals.clear();
            self.assertions = 0;
        }
        Ok(())
    }

    /// Adm: whether it cannot be shown that the terms exclude each other.
    pub fn admissible(&mut self, cfa: &Cfa, terms: &[TermId]) -> Result<bool, Stopped> {
        let question = self.question(cfa, terms, &[]);
        if question.iter().any(|&term| cfa.pool.as_bool(term) == Some(false)) {
            return Ok(false);
        }
        if let Some(&answer) = self.answers.get(question.as_slice()) {
            self.stats.cached += 1;
            return Ok(answer);
        }
        self.budget.check()?;
        self.renew_if_full()?;
        let assumptions = question
            .iter()
            .map(|&term| self.literal(&cfa.pool, term))
            .collect::<Result<Vec<_>, _>>()?;
        let answer = self.check(&assumptions)? != CheckResult::Unsat;
        self.answers.insert(question.into(), answer);
        Ok(answer)
    }

    /// Whether the term is true in every state, or false in every state.
    pub fn constant(&mut self, cfa: &mut Cfa, term: TermId) -> Result<Option<bool>, Stopped> {
        if let Some(value) = cfa.pool.as_bool(term) {
            return Ok(Some(value));
        }
        let negated = cfa.pool.not(term);
        Ok(match self.admissible(cfa, &[term])? {
            false => Some(false),
            true => (!self.admissible(cfa, &[negated])?).then_some(true),
        })
    }

    /// All truth values that the predicates can have while the terms hold, in ascending order.
    pub fn valuations(
        &mut self,
        cfa: &mut Cfa,
        terms: &[TermId],
        predicates: &[TermId],
    ) -> Result<Rc<[Vec<bool>]>, Stopped> {
        if predicates.is_empty() {
            let is_admissible = self.admissible(cfa, terms)?;
            return Ok(if is_admissible {
                Rc::from([Vec::new()])
            } else {
                Rc::from([])
            });
        }
        let question = self.question(cfa, terms, predicates);
        if question.iter().any(|&term| cfa.pool.as_bool(term) == Some(false)) {
            return Ok(Rc::from([]));
        }
        let key: Enumeration = (question.clone().into(), predicates.into());
        if let Some(known) = self.enumerated.get(&key) {
            self.stats.cached += 1;
            return Ok(Rc::clone(known));
        }
        let found: Rc<[Vec<bool>]> = match self.models(cfa, &question, predicates)? {
            Some(found) => found.into(),
            None => self.valuations_one_by_one(cfa, terms, predicates)?.into(),
        };
        self.enumerated.insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// The truth values in all models; `None` if the solver does not know all.
    fn models(
        &mut self,
        cfa: &Cfa,
        question: &[TermId],
        predicates: &[TermId],
    ) -> Result<Option<Vec<Vec<bool>>>, Stopped> {
        self.budget.check()?;
        self.renew_if_full()?;
        let mut assumptions = question
            .iter()
            .map(|&term| self.literal(&cfa.pool, term))
            .collect::<Result<Vec<_>, _>>()?;
        let asts = predicates
            .iter()
            .map(|&term| self.context.term(&cfa.pool, term).map_err(failed))
            .collect::<Result<Vec<_>, _>>()?;
        let mut found = Vec::new();
        loop {
            match self.check(&assumptions)? {
                CheckResult::Unsat => break,
                CheckResult::Unknown(_) => return Ok(None),
                CheckResult::Sat => {}
            }
            if found.len() == MAX_VALUATIONS {
                return Err(Stopped::Failed(format!(
                    "a step has more than {MAX_VALUATIONS} abstract successors"
                )));
            }
            let model = self.solver.model(&self.context).map_err(failed)?;
            let mut valuation = Vec::with_capacity(asts.len());
            let mut literals = Vec::with_capacity(asts.len());
            for &ast in &asts {
                let is_true = model.is_true(&self.context, ast).map_err(failed)?;
                valuation.push(is_true);
                literals.push(match is_true {
                    true => ast,
                    false => self.context.not(ast).map_err(failed)?,
                });
            }
            found.push(valuation);
            let another = self.context.not_all(&literals).map_err(failed)?;
            let another = self
                .solver
                .assert_tracked(&mut self.context, another)
                .map_err(failed)?;
            assumptions.push(another);
            self.assertions += 1;
        }
        found.sort_unstable();
        Ok(Some(found))
    }

    /// The same where the solver has no models: every combination that cannot be excluded.
    fn valuations_one_by_one(
        &mut self,
        cfa: &mut Cfa,
        terms: &[TermId],
        predicates: &[TermId],
    ) -> Result<Vec<Vec<bool>>, Stopped> {
        let mut found = vec![(Vec::new(), terms.to_vec())];
        for &predicate in predicates {
            let negated = cfa.pool.not(predicate);
            let mut longer = Vec::new();
            for (valuation, terms) in found {
                for (value, literal) in [(false, negated), (true, predicate)] {
                    let mut terms = terms.clone();
                    terms.push(literal);
                    if self.admissible(cfa, &terms)? {
                        let mut valuation: Vec<bool> = valuation.clone();
                        valuation.push(value);
                        longer.push((valuation, terms));
                    }
                }
                if longer.len() > MAX_VALUATIONS {
                    return Err(Stopped::Failed(format!(
                        "a step has more than {MAX_VALUATIONS} abstract successors"
                    )));
                }
            }
            found = longer;
        }
        Ok(found.into_iter().map(|(valuation, _)| valuation).collect())
    }
}
