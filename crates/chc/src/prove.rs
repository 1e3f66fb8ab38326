//! From a problem to a proof that was checked again.

use cranelift_entity::SecondaryMap;
use lariat_base::Budget;
use lariat_ir::ProcId;
use lariat_smt::SolverError;
use lariat_summaries::{Inductive, check_inductive};
use lariat_term::{Op, TermId, VarId};
use lariat_vc::{Problem, Summary};

use crate::encode::{Direction, Encoding, ProcPredicates, encode};
use crate::ghosts::add_ghosts;
use crate::loosen::has_quantifier;
use crate::solve::{Interpretations, Solved, solve};

/// One way to ask Spacer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    pub direction: Direction,
    /// Spacer's global guidance: lemmas are generalised from what they have in common.
    pub guidance: bool,
}

impl Attempt {
    pub fn new(direction: Direction) -> Self {
        Attempt {
            direction,
            guidance: false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct ChcOptions {
    /// What to try, one after the other; the budget that is left is shared equally.
    pub attempts: Vec<Attempt>,
    /// For the check of the summaries.
    pub solver_options: Vec<(String, String)>,
    /// Larger sets of clauses are declined.
    pub most_clauses: usize,
    pub seed: u32,
}

impl Default for ChcOptions {
    fn default() -> Self {
        ChcOptions {
            attempts: vec![
                Attempt::new(Direction::Forward),
                Attempt::new(Direction::Backward),
                Attempt {
                    guidance: true,
                    ..Attempt::new(Direction::Forward)
                },
            ],
            solver_options: Vec::new(),
            most_clauses: 20_000,
            seed: 0,
        }
    }
}

#[derive(Clone, Debug)]
pub enum ChcOutcome {
    /// The entry cannot return.
    Proved(Box<Proof>),
    /// Spacer says that the entry can return. Only a hint: no execution is known.
    Reachable,
    Unknown(String),
    /// The problem is none for Horn clauses.
    Declined(String),
}

/// Summaries that are inductive and imply that the entry cannot return: our own conditions have
/// confirmed that.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The problem that the summaries are about: the one that was asked about, with ghost parameters of
    /// loops, which no execution depends on, and more terms in its pool.
    pub problem: Problem,
    pub summaries: SecondaryMap<ProcId, Option<Summary>>,
    pub attempt: Attempt,
}

/// Tries to prove that the entry cannot return, whatever the number of activations.
pub fn prove(problem: &Problem, options: &ChcOptions, budget: &Budget) -> ChcOutcome {
    let mut outcome = ChcOutcome::Declined("no encoding was asked for".into());
    for (index, &way) in options.attempts.iter().enumerate() {
        let share = (options.attempts.len() - index) as u32;
        let own = match budget.remaining() {
            Some(remaining) => budget.within(remaining / share),
            None => budget.clone(),
        };
        let next = attempt(problem, way, options, &own);
        // A later attempt may know less, but none can contradict.
        outcome = match (outcome, next) {
            (_, proved @ ChcOutcome::Proved(_)) => return proved,
            (_, ChcOutcome::Reachable) => return ChcOutcome::Reachable,
            (ChcOutcome::Unknown(first), _) => ChcOutcome::Unknown(first),
            (_, next) => next,
        };
    }
    outcome
}

fn attempt(problem: &Problem, way: Attempt, options: &ChcOptions, budget: &Budget) -> ChcOutcome {
    match attempt_with_errors(problem.clone(), way, options, budget) {
        Ok(outcome) => outcome,
        Err(error) => ChcOutcome::Unknown(error.to_string()),
    }
}

fn attempt_with_errors(
    mut problem: Problem,
    way: Attempt,
    options: &ChcOptions,
    budget: &Budget,
) -> Result<ChcOutcome, SolverError> {
    if let Err(exhausted) = budget.check_memory() {
        return Ok(ChcOutcome::Unknown(exhausted.to_string()));
    }
    if way.direction == Direction::Forward {
        add_ghosts(&mut problem);
    }
    let mut encoding = match encode(&mut problem, way.direction, budget) {
        Ok(encoding) => encoding,
        Err(exhausted) => return Ok(ChcOutcome::Unknown(exhausted.to_string())),
    };
    let count = encoding.system.clauses.len();
    if count > options.most_clauses {
        return Ok(ChcOutcome::Declined(format!("{count} Horn clauses")));
    }
    let solved = solve(
        &mut problem.program.pool,
        &mut encoding.system,
        way.guidance,
        options.seed,
        budget,
    )?;
    let interpretations = match solved {
        Solved::Underivable(interpretations) => interpretations,
        Solved::Derivable if encoding.lossy => {
            return Ok(ChcOutcome::Unknown(
                "derivable, but quantifiers, functions or sorts were left open".into(),
            ));
        }
        Solved::Derivable => return Ok(ChcOutcome::Reachable),
        Solved::Unknown(reason) => return Ok(ChcOutcome::Unknown(reason)),
    };
    let mut summaries = SecondaryMap::new();
    for proc in problem.program.procs.keys().collect::<Vec<_>>() {
        summaries[proc] = summary(&mut problem, &encoding, &interpretations, proc);
    }
    confirm(problem, summaries, way, options, budget)
}

/// What the interpretations say of a procedure, with what was known before.
fn summary(
    problem: &mut Problem,
    encoding: &Encoding,
    interpretations: &Interpretations,
    proc: ProcId,
) -> Option<Summary> {
    let predicates = encoding.procs[proc].as_ref();
    if proc == problem.entry || (predicates.is_none() && problem.summaries[proc].is_none()) {
        return None;
    }
    let (ins, outs): (Vec<VarId>, Vec<VarId>) = (problem.ins(proc).collect(), problem.outs(proc).collect());
    let known = problem.summaries[proc].clone();
    let pool = &mut problem.program.pool;
    let mut fresh = |var: VarId| {
        let data = pool.var_data(var).clone();
        pool.declare_var(data.name, data.sort)
    };
    let mut summary = Summary {
        ins: ins.into_iter().map(&mut fresh).collect(),
        outs: outs.into_iter().map(&mut fresh).collect(),
        facts: Vec::new(),
    };
    if let Some(known) = known {
        let own = summary.ins.iter().chain(&summary.outs);
        let mut names = known
            .ins
            .iter()
            .chain(&known.outs)
            .zip(own)
            .map(|(&theirs, &own)| (theirs, pool.var(own)))
            .collect::<lariat_term::Substitution>();
        summary.facts = known.facts.iter().map(|&fact| names.apply(pool, fact)).collect();
    }
    if let Some(predicates) = predicates {
        let found = facts(problem, predicates, interpretations, &summary);
        summary.facts.extend(found);
    }
    Some(summary)
}

/// `called(ins) ⇒ ¬error ∧ returns(ins, outs)`, one fact for each conjunct.
fn facts(
    problem: &mut Problem,
    predicates: &ProcPredicates,
    interpretations: &Interpretations,
    summary: &Summary,
) -> Vec<TermId> {
    let pool = &mut problem.program.pool;
    let mut args = |ins: &[usize], outs: &[usize]| -> Vec<TermId> {
        let ins = ins.iter().map(|&position| summary.ins[position]);
        let outs = outs.iter().map(|&position| summary.outs[position]);
        ins.chain(predicates.constants.iter().copied())
            .chain(outs)
            .map(|var| pool.var(var))
            .collect()
    };
    let (called_args, returns_args) = (
        args(&predicates.ins, &[]),
        args(&predicates.returned_ins, &predicates.outs),
    );
    let context = match predicates.called {
        Some(called) => interpretations.of(pool, called, &called_args),
        None => pool.bool(true),
    };
    let returns = interpretations.of(pool, predicates.returns, &returns_args);
    let mut conclusions: Vec<TermId> = match pool.op(returns) {
        Op::And => pool.args(returns).to_vec(),
        _ => vec![returns],
    };
    if let Some(error) = predicates.error {
        let error = pool.var(summary.outs[error]);
        conclusions.push(pool.not(error));
    }
    let facts = conclusions
        .into_iter()
        .map(|conclusion| pool.implies(context, conclusion));
    let facts: Vec<TermId> = facts.collect();
    facts
        .into_iter()
        .filter(|&fact| pool.as_bool(fact) != Some(true))
        .collect()
}

/// The last word has our own check, with no axioms but those that the clauses had: a prelude that
/// contradicts itself must not prove anything.
fn confirm(
    problem: Problem,
    summaries: SecondaryMap<ProcId, Option<Summary>>,
    way: Attempt,
    options: &ChcOptions,
    budget: &Budget,
) -> Result<ChcOutcome, SolverError> {
    let mut checked = problem.clone();
    let pool = &checked.program.pool;
    checked
        .program
        .axioms
        .retain(|axiom| !has_quantifier(pool, axiom.term));
    Ok(
        match check_inductive(&checked, &summaries, true, &options.solver_options, budget)? {
            Inductive::Yes => ChcOutcome::Proved(Box::new(Proof {
                problem,
                summaries,
                attempt: way,
            })),
            Inductive::No { proc, fact } => ChcOutcome::Unknown(format!(
                "the check refutes {} of {}",
                match fact {
                    Some(_) => "a fact",
                    None => "the goal",
                },
                problem.program.procs[proc].name
            )),
            Inductive::Unknown { reason, .. } => {
                ChcOutcome::Unknown(format!("the check gives no answer: {reason}"))
            }
        },
    )
}
