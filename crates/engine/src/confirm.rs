//! A second look at one path, with complete instantiation of quantifiers.
//!
//! The main solver instantiates quantifiers by their triggers only, so a model it gives where there
//! are any is a candidate. One path is a much smaller formula than the unfolding: a solver of its own
//! finds a model that satisfies the quantifiers, or shows that the path is infeasible.

use std::time::Duration;

use lariat_smt::{CheckResult, Model, Solver, SolverError};

use crate::path::Path;
use crate::unfolding::Unfolding;

/// The answer about a path.
pub enum PathAnswer {
    Feasible(Model),
    Infeasible,
    Unknown,
}

/// Decides whether there is an execution along the path.
pub fn check_path(unfolding: &mut Unfolding, path: &Path, time: Duration) -> Result<PathAnswer, SolverError> {
    let options = [
        ("smt.mbqi".to_owned(), "true".to_owned()),
        (
            "timeout".to_owned(),
            time.as_millis().clamp(1, 1 << 30).to_string(),
        ),
    ];
    let context = &mut unfolding.context;
    let mut solver = Solver::new(context, &options)?;
    for &axiom in &unfolding.axioms {
        solver.assert(context, axiom)?;
    }
    for &literal in &path.taken {
        solver.assert(context, literal)?;
    }
    for &literal in &path.not_taken {
        let negation = context.not(literal)?;
        solver.assert(context, negation)?;
    }
    for &instance in &path.instances {
        for &clause in &unfolding.instances[instance].clauses {
            solver.assert(context, clause)?;
        }
    }
    Ok(match solver.check(context, &[])? {
        CheckResult::Sat => PathAnswer::Feasible(solver.model(context)?),
        CheckResult::Unsat => PathAnswer::Infeasible,
        CheckResult::Unknown(_) => PathAnswer::Unknown,
    })
}
