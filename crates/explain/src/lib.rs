//! failing trace ─> control slice ─> wlp ─> no map updates ─> atoms ─> **blocking formula**
//!
//! ExplainError, Algorithm 2 of "Angelic Verification" ([Angelic15], DOI 10.1007/978-3-319-21690-4_19): a formula of the
//! user's vocabulary, over what the environment decides, under which a failing trace does not fail.
//!
//! Architecture invariants:
//! - a [`Blocking`] formula mentions inputs of the entry, constants and placeholders only, and the solver has proved
//!   that it excludes the failure: *background ∧ lemmas ∧ formula ⊨ wlp*. It is not known to contradict the background;
//! - whatever the solver does not answer in time is treated as not proved;
//! - nothing recurses over the depth of terms, and the same question gives the same answer as long as time suffices.
//!
//! Deviations from the paper: a formula that was found and is not acceptable can be asked for again in a weaker form ([`Weakness`]); assumes that are no conditions of jumps, and assertions that held, are the background
//! instead of a part of the formula; atoms must be consistent with it. The trace is executed forward on terms, which
//! for a single path gives the wlp. What is decided (by arithmetic, freshness, the conditions of the trace) is
//! simplified while map updates are eliminated.

mod atoms;
mod cnf;
mod control;
mod control_slice;
mod cube;
mod decider;
mod eliminate_map_updates;
mod explanation;
mod freshness;
mod linear;
mod monomial;
mod opaque;
mod origin;
mod path;
mod pattern;
mod project_atoms;
mod prover;
#[cfg(test)]
mod random_formulas;
mod related;
mod replayed;
mod tidy;
mod vocabulary;
mod wlp;
mod word_pattern;

pub use control::ProgramFacts;
pub use explanation::{
    Blocking, ExplainOptions, Explained, Explanation, FailingTrace, InWords, Placeholder, Source,
    ValueOrigin, Weakness,
};
pub use pattern::{Pattern, PatternError};

use std::time::Instant;

use lariat_ir::StmtId;
use lariat_report::Structure;
use lariat_smt::{Context, SolverError};
use lariat_term::{TermId, TermPool};
use rustc_hash::FxHashSet;

use crate::cnf::{Clause, conjunction};
use crate::control_slice::{Role, control_slice};
use crate::cube::cube;
use crate::decider::Decider;
use crate::eliminate_map_updates::{MapUpdates, Stop};
use crate::freshness::{excluding_lemma, lemmas_for};
use crate::monomial::monomials;
use crate::path::{TraceStep, TraceStepKind};
use crate::project_atoms::{Projection, project_atoms};
use crate::prover::{Prover, Satisfiability};
use crate::related::Relations;
use crate::replayed::Replayed;
use crate::tidy::tidy;
use crate::vocabulary::Filter;
use crate::wlp::{Wlp, wlp};

/// Algorithm 2. The pool holds the program's terms under their own ids; new ones go there.
pub fn explain(
    pool: &mut TermPool,
    trace: &FailingTrace<'_>,
    options: &ExplainOptions,
) -> Result<Explained, SolverError> {
    explain_with(
        &ProgramFacts::of(trace.program),
        &mut Context::new()?,
        pool,
        trace,
        options,
    )
}

/// [`explain`] for many traces of one program; the context is one of the pool's terms.
pub fn explain_with(
    facts: &ProgramFacts,
    context: &mut Context,
    pool: &mut TermPool,
    trace: &FailingTrace<'_>,
    options: &ExplainOptions,
) -> Result<Explained, SolverError> {
    let started = Instant::now();
    let mut explainer = Explainer {
        pool,
        trace,
        options,
        deadline: started + options.time,
        solver_calls: 0,
        lemmas: Vec::new(),
        failing_results: Vec::new(),
        conditions: Vec::new(),
    };
    let explanation = explainer.explain(facts, context)?;
    let origin = origin::value_origin(trace);
    let mut evidence = explainer.conditions;
    evidence.extend(origin.sources.iter().filter_map(|source| match *source {
        Source::Made { stmt, .. } => Some(stmt),
        _ => None,
    }));
    Ok(Explained {
        explanation,
        lemmas: explainer.lemmas,
        failing_results: explainer.failing_results,
        origin,
        evidence,
        seconds: started.elapsed().as_secs_f64(),
        solver_calls: explainer.solver_calls,
    })
}

/// What one question to the solver may cost.
const EFFORT: u32 = 300_000;

/// Steps of the elimination of map updates from one fact of the background.
const MAX_FACT_STEPS: usize = 300;

struct Explainer<'a, 'p> {
    pool: &'p mut TermPool,
    trace: &'a FailingTrace<'a>,
    options: &'a ExplainOptions,
    deadline: Instant,
    solver_calls: u64,
    lemmas: Vec<Blocking>,
    failing_results: Vec<TermId>,
    /// Of the jumps that the failure depends on.
    conditions: Vec<StmtId>,
}

/// What is known of the failure after map updates have been eliminated.
struct Reduced {
    /// φ2 of the paper.
    formula: TermId,
    /// Disequalities that hold because memory is fresh.
    freshness: Vec<TermId>,
}

/// How reads of memory are resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    /// By all cases: which addresses are the same becomes a part of the formula.
    AllCases,
    /// As in the replay: which addresses are the same becomes a condition of the trace. What is blocked is this
    /// constellation only; others are other traces.
    AsReplayed,
}

enum Attempt {
    Found(Explanation),
    TooComplex,
}

impl Attempt {
    fn nothing(reason: &str, needed: TermId) -> Attempt {
        Attempt::Found(not_expressible(reason, Some(needed)))
    }
}

impl Explainer<'_, '_> {
    fn explain(&mut self, facts: &ProgramFacts, context: &mut Context) -> Result<Explanation, SolverError> {
        if self.options.vocabulary.empty {
            return Ok(not_expressible("the vocabulary is empty", None));
        }
        let path = match path::executed_path(self.trace) {
            Ok(path) => path,
            Err(reason) => return Ok(not_expressible(&reason, None)),
        };
        let roles = control_slice(self.trace.program, facts, &path);
        self.conditions = conditions(&path, &roles);
        let wlp = wlp(self.pool, self.trace, &path, &roles);
        for reading in [Reading::AllCases, Reading::AsReplayed] {
            let mut prover = Prover::new(context, self.deadline, EFFORT)?;
            let outcome = match self.eliminate(&mut prover, &wlp, reading) {
                Ok(reduced) => self.search(&mut prover, &wlp, &reduced)?,
                Err(Stop::TooLarge) => Attempt::TooComplex,
                Err(Stop::Solver(error)) => return Err(error),
            };
            self.solver_calls += prover.calls();
            // What was not found when the time was over, or when the solver gave up, may still exist.
            let (is_late, gave_up) = (prover.is_late(), prover.gave_up());
            match outcome {
                Attempt::Found(Explanation::NotExpressible { .. }) | Attempt::TooComplex if is_late => {
                    return Ok(Explanation::OutOfTime);
                }
                Attempt::Found(Explanation::NotExpressible { .. }) if gave_up => {
                    return Ok(Explanation::TooHard);
                }
                Attempt::Found(explanation) => return Ok(explanation),
                Attempt::TooComplex => {}
            }
        }
        let reason = "what is needed has too many cases";
        Ok(not_expressible(reason, Some(whole_wlp(self.pool, &wlp))))
    }

    /// φ2: conditions under the background, the failing condition under the conditions, too.
    fn eliminate(&mut self, prover: &mut Prover<'_>, wlp: &Wlp, reading: Reading) -> Result<Reduced, Stop> {
        let pool = &mut *self.pool;
        let mut decider = Decider::new(prover, &wlp.symbols);
        let mut background = Vec::new();
        let mut updates = MapUpdates::new(&mut decider);
        for &fact in &wlp.background {
            // A fact with many cases is done without.
            match updates.eliminate(pool, fact, MAX_FACT_STEPS) {
                Ok(fact) if pool.as_bool(fact) != Some(true) => background.push(fact),
                Ok(_) | Err(Stop::TooLarge) => {}
                Err(error) => return Err(error),
            }
        }
        decider.set_background(pool, &background)?;
        if reading == Reading::AsReplayed {
            decider.follow(Replayed::new(pool, wlp).ok_or(Stop::TooLarge)?);
        }
        let mut conditions = Vec::new();
        let mut updates = MapUpdates::new(&mut decider);
        for &condition in &wlp.conditions {
            conditions.push(updates.eliminate(pool, condition, self.options.max_terms)?);
        }
        if reading == Reading::AllCases {
            decider.set_premises(pool, &conditions);
        }
        let mut updates = MapUpdates::new(&mut decider);
        let failing = updates.eliminate(pool, wlp.failing, self.options.max_terms)?;
        let mut parts: Vec<TermId> = conditions.iter().map(|&condition| pool.not(condition)).collect();
        parts.push(failing);
        for choice in std::mem::take(&mut decider.choices) {
            parts.push(pool.not(choice));
        }
        Ok(Reduced {
            formula: pool.or(&parts),
            freshness: std::mem::take(&mut decider.freshness),
        })
    }

    fn search(
        &mut self,
        prover: &mut Prover<'_>,
        wlp: &Wlp,
        reduced: &Reduced,
    ) -> Result<Attempt, SolverError> {
        let formula = reduced.formula;
        if prover.implies(self.pool, &[], formula)? {
            return self.infeasible(prover, wlp, reduced).map(Attempt::Found);
        }
        if prover.check(self.pool, &[formula])? == Satisfiability::Impossible {
            return Ok(Attempt::Found(Explanation::AlwaysFails));
        }
        let filter = match Filter::new(&self.options.vocabulary, self.trace, &wlp.symbols) {
            Ok(filter) => filter,
            Err(error) => return Ok(Attempt::nothing(&error.to_string(), formula)),
        };
        let mut atoms = atoms::literals(self.pool, formula);
        atoms.retain(|&atom| filter.accepts(self.pool, atom));
        if atoms.is_empty() {
            return Ok(Attempt::nothing(
                "no condition of the trace is in the vocabulary",
                formula,
            ));
        }
        let structure = self.options.vocabulary.structure;
        let relations = Relations::new(self.trace, &wlp.symbols);
        let mut single = match self.options.weakness {
            Weakness::Single => monomials(self.pool, prover, &atoms, formula)?,
            Weakness::Clauses | Weakness::Related => Vec::new(),
        };
        if structure == Structure::Cube {
            single.truncate(1);
        }
        let clauses = if !single.is_empty() {
            vec![single]
        } else if structure == Structure::Monomial {
            let reason = "no atom of the vocabulary alone excludes the failure";
            return Ok(Attempt::nothing(reason, formula));
        } else {
            let atoms: FxHashSet<TermId> = atoms.into_iter().collect();
            let may_stand_beside = |pool: &TermPool, literal: TermId, others: &[TermId]| {
                self.options.weakness == Weakness::Related
                    && filter.is_nameable(pool, literal)
                    && !filter.is_about_pointers(pool, literal)
                    && relations.is_beside(pool, literal, others)
            };
            match project_atoms(self.pool, prover, formula, &atoms, &may_stand_beside)? {
                Projection::Clauses(clauses) if structure == Structure::Cube => {
                    let Some(atoms) = cube(self.pool, prover, &clauses, formula)? else {
                        let reason = "no conjunction of atoms of the vocabulary excludes the failure";
                        return Ok(Attempt::nothing(reason, formula));
                    };
                    atoms.into_iter().map(|atom| vec![atom]).collect()
                }
                Projection::Clauses(clauses) => clauses,
                Projection::Empty(clause) => {
                    let needed = self.pool.or(&clause);
                    let reason = "part of what is needed is not in the vocabulary";
                    return Ok(Attempt::nothing(reason, needed));
                }
                Projection::TooLarge => return Ok(Attempt::TooComplex),
            }
        };
        let mut clauses = tidy(self.pool, prover, clauses)?;
        let arithmetic = self.without_sums(prover, &filter, &mut clauses)?;
        if clauses.len() > self.options.max_clauses {
            return Ok(Attempt::TooComplex);
        }
        let found = self.checked(prover, wlp, reduced, &clauses)?;
        if let Explanation::Blocked(_) = found {
            let lemmas = arithmetic.into_iter().map(|fact| blocking(self.pool, wlp, fact));
            self.lemmas.extend(lemmas);
            let is_beside = |literal: &TermId| {
                !filter.accepts(self.pool, *literal) && relations.is_of_calls(self.pool, *literal)
            };
            self.failing_results = clauses.iter().flatten().copied().filter(is_beside).collect();
        }
        Ok(Attempt::Found(found))
    }

    /// A pointer that is not null stays so when a number is added: nobody wants to read, or to assume, `p + n != NULL`. Says
    /// `p != NULL` instead, and returns the facts `p != NULL ==> p + n != NULL` that this rests on.
    fn without_sums(
        &mut self,
        prover: &mut Prover<'_>,
        filter: &Filter<'_>,
        clauses: &mut [Clause],
    ) -> Result<Vec<TermId>, SolverError> {
        let mut facts = Vec::new();
        for clause in clauses {
            for literal in &mut *clause {
                let Some((pointer, null)) = filter
                    .pointer_of_sum(self.pool, *literal)
                    .zip(self.trace.open.null)
                else {
                    continue;
                };
                let is_null = self.pool.eq(pointer, null);
                let fact = self.pool.or(&[is_null, *literal]);
                prover.assume(self.pool, fact)?;
                facts.push(fact);
                *literal = self.pool.not(is_null);
            }
            let mut seen = FxHashSet::default();
            clause.retain(|&literal| seen.insert(literal));
        }
        Ok(facts)
    }

    /// The clauses as an answer, if the solver agrees.
    fn checked(
        &mut self,
        prover: &mut Prover<'_>,
        wlp: &Wlp,
        reduced: &Reduced,
        clauses: &[Clause],
    ) -> Result<Explanation, SolverError> {
        let term = conjunction(self.pool, clauses);
        let fails = self.pool.not(reduced.formula);
        match prover.check(self.pool, &[term, fails])? {
            Satisfiability::Impossible => {}
            Satisfiability::Possible => {
                let reason = "the formula that was found does not avoid the failure";
                return Ok(not_expressible(reason, Some(reduced.formula)));
            }
            Satisfiability::Unknown => return Ok(Explanation::TooHard),
        }
        if prover.check(self.pool, &[term])? == Satisfiability::Impossible {
            let reason = "what the vocabulary can say contradicts what the trace assumes";
            return Ok(not_expressible(reason, Some(reduced.formula)));
        }
        self.lemmas = lemmas_for(self.pool, wlp, reduced, term, prover, &mut self.solver_calls)?;
        Ok(Explanation::Blocked(blocking(self.pool, wlp, term)))
    }

    /// The trace cannot fail.
    fn infeasible(
        &mut self,
        prover: &mut Prover<'_>,
        wlp: &Wlp,
        reduced: &Reduced,
    ) -> Result<Explanation, SolverError> {
        let lemma = excluding_lemma(self.pool, wlp, reduced, prover, &mut self.solver_calls)?;
        Ok(match lemma {
            Some(lemma) => Explanation::Infeasible(lemma),
            None if reduced.freshness.is_empty() => not_expressible(
                "the solver finds that the trace cannot fail, unlike the replay: please report this",
                Some(whole_wlp(self.pool, wlp)),
            ),
            None => not_expressible(
                "the trace needs fresh memory to be where something else is, which no lemma can name",
                Some(whole_wlp(self.pool, wlp)),
            ),
        })
    }
}

fn conditions(path: &[TraceStep<'_>], roles: &[Role]) -> Vec<StmtId> {
    let steps = path.iter().zip(roles);
    let conditions = steps.filter(|(_, role)| **role == Role::Condition);
    let stmts = conditions.filter_map(|(step, _)| match step.kind {
        TraceStepKind::Stmt(stmt) => Some(stmt.id),
        _ => None,
    });
    stmts.collect()
}

fn not_expressible(reason: &str, needed: Option<TermId>) -> Explanation {
    Explanation::NotExpressible {
        reason: reason.into(),
        needed,
    }
}

/// φ1 of the paper.
fn whole_wlp(pool: &mut TermPool, wlp: &Wlp) -> TermId {
    let conditions = pool.and(&wlp.conditions);
    pool.implies(conditions, wlp.failing)
}

/// A formula with those placeholders that occur in it.
fn blocking(pool: &TermPool, wlp: &Wlp, term: TermId) -> Blocking {
    let vars = pool.free_vars(&[term]);
    Blocking {
        term,
        placeholders: wlp
            .symbols
            .placeholders
            .iter()
            .filter(|placeholder| vars.contains(&placeholder.var))
            .copied()
            .collect(),
    }
}
