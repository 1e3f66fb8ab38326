//! A second look at one path, with complete instantiation of quantifiers.
//!
//! The main solver instantiates quantifiers by their triggers only, so a model it gives where there
//! are any is a candidate. One path is a much smaller formula than the unfolding: a solver of its own
//! finds a model that satisfies the quantifiers, or shows that the path is infeasible.
//!
//! Quantified axioms take part only if a solver shows quickly that they have a model. Preludes in the
//! wild contradict themselves at points that no trigger ever reaches; complete instantiation would
//! find that and refute everything.

use std::time::Duration;

use lariat_smt::{Ast, CheckResult, Model, Solver, SolverError};

use crate::path::{Path, PathStep};
use crate::unfolding::Unfolding;

/// How long it may take to show that the axioms have a model: where it can be shown, it is quick.
const AXIOM_MODEL_TIME: Duration = Duration::from_millis(500);

/// The answer about a path.
pub enum PathAnswer {
    Feasible(Model),
    /// A model that satisfies everything but the quantified axioms.
    Candidate(Model),
    Infeasible,
    Unknown,
}

/// Decides whether there is an execution along the path.
pub fn check_path(unfolding: &mut Unfolding, path: &Path, time: Duration) -> Result<PathAnswer, SolverError> {
    let with_axioms = axioms_have_a_model(unfolding, time.min(AXIOM_MODEL_TIME))?;
    let mut facts = path_facts(unfolding, path)?;
    facts.extend(&unfolding.ground_axioms);
    if with_axioms {
        facts.extend(&unfolding.quantified_axioms);
    }
    let (answer, solver) = solve(unfolding, &facts, time)?;
    let context = &unfolding.context;
    Ok(match answer {
        CheckResult::Sat if with_axioms => PathAnswer::Feasible(solver.model(context)?),
        CheckResult::Sat => PathAnswer::Candidate(solver.model(context)?),
        CheckResult::Unsat => PathAnswer::Infeasible,
        CheckResult::Unknown(_) => PathAnswer::Unknown,
    })
}

/// Whether the axioms are known to be consistent; found out once.
fn axioms_have_a_model(unfolding: &mut Unfolding, time: Duration) -> Result<bool, SolverError> {
    if unfolding.quantified_axioms.is_empty() {
        return Ok(true);
    }
    if let Some(known) = unfolding.axioms_have_a_model {
        return Ok(known);
    }
    let axioms: Vec<Ast> = unfolding
        .ground_axioms
        .iter()
        .chain(&unfolding.quantified_axioms)
        .copied()
        .collect();
    let (answer, _) = solve(unfolding, &axioms, time)?;
    let known = answer == CheckResult::Sat;
    unfolding.axioms_have_a_model = Some(known);
    Ok(known)
}

/// The conditions of the visited instances, and which blocks they go through.
fn path_facts(unfolding: &mut Unfolding, path: &Path) -> Result<Vec<Ast>, SolverError> {
    let mut facts = path.taken.clone();
    for &literal in &path.not_taken {
        facts.push(unfolding.context.not(literal)?);
    }
    for &instance in &path.instances {
        facts.extend(&unfolding.instances[instance].clauses);
    }
    facts.extend(unfolding.assumptions());
    facts.extend(unfolding.environment.clauses());
    for step in &path.steps {
        if let PathStep::EnterCall(site) | PathStep::OpenCall(site) = *step {
            facts.extend(&unfolding.sites[site].facts);
        }
    }
    Ok(facts)
}

fn solve(
    unfolding: &mut Unfolding,
    facts: &[Ast],
    time: Duration,
) -> Result<(CheckResult, Solver), SolverError> {
    let options = [
        ("smt.mbqi".to_owned(), "true".to_owned()),
        (
            "timeout".to_owned(),
            time.as_millis().clamp(1, 1 << 30).to_string(),
        ),
    ];
    let context = &mut unfolding.context;
    let mut solver = Solver::for_one_check(context, &options)?;
    for &fact in facts {
        solver.assert(context, fact)?;
    }
    let answer = solver.check(context, &[])?;
    Ok((answer, solver))
}
