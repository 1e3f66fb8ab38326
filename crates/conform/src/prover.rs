//! The theorem prover of §5.4: Adm(ψ1, …, ψn), and which truth values predicates can have together.
//!
//! Invariants:
//! - A question is a set of terms that share variables; it is asked once. The solver holds one question at a time:
//!   assertions of other questions only make it slower.
//! - The range of every variable in a question is assumed.
//! - Where the solver gives up, the formulas are admissible: the abstraction may only become coarser.

use std::rc::Rc;

use lariat_base::Budget;
use lariat_lts::Stopped;
use lariat_smt::{CheckResult, Context, Solver, SolverError, Watchdog};
use lariat_term::{TermId, TermPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::Cfa;

/// The most valuations of predicates that are enumerated for one step.
const MAX_VALUATIONS: usize = 4096;

/// How many questions were asked.
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
    answers: FxHashMap<Box<[TermId]>, bool>,
    /// Truth values of predicates while terms hold.
    enumerated: FxHashMap<Enumeration, Rc<[Vec<bool>]>>,
    free: FxHashMap<TermId, Rc<[VarId]>>,
    stats: ProverStats,
}

/// Terms, and the predicates in question.
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

    /// The terms and what is known of their variables, sorted.
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
        question.retain(|&term| cfa.pool.as_bool(term) != Some(true));
        question.sort_unstable();
        question.dedup();
        question
    }

    fn check(&mut self) -> Result<CheckResult, Stopped> {
        self.stats.checks += 1;
        let answer = self.solver.check(&mut self.context, &[]).map_err(failed)?;
        if let CheckResult::Unknown(_) = &answer {
            self.budget.check_memory()?;
            self.stats.unknown += 1;
        }
        Ok(answer)
    }

    /// Asks something while the terms of a question hold.
    fn asking<R>(
        &mut self,
        cfa: &Cfa,
        question: &[TermId],
        ask: impl FnOnce(&mut Self) -> Result<R, Stopped>,
    ) -> Result<R, Stopped> {
        self.budget.check()?;
        self.solver.push(&mut self.context).map_err(failed)?;
        for &term in question {
            let formula = self.context.term(&cfa.pool, term).map_err(failed)?;
            self.solver.assert(&mut self.context, formula).map_err(failed)?;
        }
        let answer = ask(self);
        self.solver.pop(&mut self.context).map_err(failed)?;
        answer
    }

    /// Adm: whether it cannot be shown that the terms exclude each other.
    pub fn admissible(&mut self, cfa: &Cfa, terms: &[TermId]) -> Result<bool, Stopped> {
        for (terms, _) in self.independent(cfa, terms, &[]) {
            if !self.connected_admissible(cfa, &terms)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn connected_admissible(&mut self, cfa: &Cfa, terms: &[TermId]) -> Result<bool, Stopped> {
        let question = self.question(cfa, terms, &[]);
        if question.iter().any(|&term| cfa.pool.as_bool(term) == Some(false)) {
            return Ok(false);
        }
        if let Some(&answer) = self.answers.get(question.as_slice()) {
            self.stats.cached += 1;
            return Ok(answer);
        }
        let answer = self.asking(cfa, &question, |prover| Ok(prover.check()? != CheckResult::Unsat))?;
        self.answers.insert(question.into(), answer);
        Ok(answer)
    }

    /// Terms and predicates, by the variables that they share, directly or through others: what holds of one part says
    /// nothing about another. Predicates are given by their places.
    fn independent(
        &mut self,
        cfa: &Cfa,
        terms: &[TermId],
        predicates: &[TermId],
    ) -> Vec<(Vec<TermId>, Vec<usize>)> {
        let all: Vec<TermId> = terms
            .iter()
            .chain(&cfa.axioms)
            .chain(predicates)
            .copied()
            .collect();
        // Each term knows one of the same part, the first one itself.
        let mut part: Vec<usize> = (0..all.len()).collect();
        let mut first_with: FxHashMap<VarId, usize> = FxHashMap::default();
        for (index, &term) in all.iter().enumerate() {
            for &var in self.variables(&cfa.pool, term).iter() {
                let other = *first_with.entry(var).or_insert(index);
                let (one, other) = (first_of(&mut part, index), first_of(&mut part, other));
                part[one.max(other)] = one.min(other);
            }
        }
        let mut parts: Vec<(Vec<TermId>, Vec<usize>)> = Vec::new();
        let mut number: FxHashMap<usize, usize> = FxHashMap::default();
        let assumed = terms.len() + cfa.axioms.len();
        for (index, &term) in all.iter().enumerate() {
            let own = *number.entry(first_of(&mut part, index)).or_insert_with(|| {
                parts.push(Default::default());
                parts.len() - 1
            });
            match index.checked_sub(assumed) {
                None => parts[own].0.push(term),
                Some(predicate) => parts[own].1.push(predicate),
            }
        }
        parts
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
        let mut all: Vec<Vec<bool>> = vec![vec![false; predicates.len()]];
        for (terms, places) in self.independent(cfa, terms, predicates) {
            let own: Vec<TermId> = places.iter().map(|&place| predicates[place]).collect();
            let found = self.connected_valuations(cfa, &terms, &own)?;
            if all.len().saturating_mul(found.len()) > MAX_VALUATIONS {
                return Err(Stopped::StateLimit(MAX_VALUATIONS));
            }
            let mut longer = Vec::with_capacity(all.len() * found.len());
            for before in &all {
                for values in found.iter() {
                    let mut valuation = before.clone();
                    for (&place, &value) in places.iter().zip(values) {
                        valuation[place] = value;
                    }
                    longer.push(valuation);
                }
            }
            all = longer;
        }
        all.sort_unstable();
        Ok(all.into())
    }

    fn connected_valuations(
        &mut self,
        cfa: &mut Cfa,
        terms: &[TermId],
        predicates: &[TermId],
    ) -> Result<Rc<[Vec<bool>]>, Stopped> {
        if predicates.is_empty() {
            let is_admissible = self.connected_admissible(cfa, terms)?;
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
        let found: Rc<[Vec<bool>]> =
            match self.asking(cfa, &question, |prover| prover.models(cfa, predicates))? {
                Some(found) => found.into(),
                None => self.valuations_one_by_one(cfa, terms, predicates)?.into(),
            };
        self.enumerated.insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// The truth values in all models of what is asserted; `None` if the solver does not know all.
    fn models(&mut self, cfa: &Cfa, predicates: &[TermId]) -> Result<Option<Vec<Vec<bool>>>, Stopped> {
        let asts = predicates
            .iter()
            .map(|&term| self.context.term(&cfa.pool, term).map_err(failed))
            .collect::<Result<Vec<_>, _>>()?;
        let mut found = Vec::new();
        loop {
            match self.check()? {
                CheckResult::Unsat => break,
                CheckResult::Unknown(_) => return Ok(None),
                CheckResult::Sat => {}
            }
            if found.len() == MAX_VALUATIONS {
                return Err(Stopped::StateLimit(MAX_VALUATIONS));
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
            self.solver.assert(&mut self.context, another).map_err(failed)?;
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
                    return Err(Stopped::StateLimit(MAX_VALUATIONS));
                }
            }
            found = longer;
        }
        Ok(found.into_iter().map(|(valuation, _)| valuation).collect())
    }
}

/// The representative of a part; all terms on the way then point to it directly.
fn first_of(part: &mut [usize], mut index: usize) -> usize {
    while part[index] != index {
        part[index] = part[part[index]];
        index = part[index];
    }
    index
}
