//! A second look at one path, with complete instantiation of quantifiers.
//!
//! The main solver instantiates quantifiers by their triggers only, so a model it gives where there
//! are any is a candidate. One path is a much smaller formula than the unfolding: a solver of its own
//! finds a model that satisfies the quantifiers, or shows that the path is infeasible.

use std::time::Duration;

use lariat_smt::{CheckResult, Model, PROGRAM_QUANTIFIER, Solver, SolverError};

use crate::path::Path;
use crate::unfolding::Unfolding;

/// The answer about a path.
pub enum PathAnswer {
    Feasible(Model),
    /// A model that satisfies the quantifiers of the program itself, and of the axioms only the
    /// instances that their triggers ask for.
    Candidate(Model),
    Infeasible,
    Unknown,
}

/// Which quantifiers are instantiated by models.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Complete {
    All,
    Program,
}

/// Decides whether there is an execution along the path; takes at most twice the time.
pub fn check_path(unfolding: &mut Unfolding, path: &Path, time: Duration) -> Result<PathAnswer, SolverError> {
    match check_path_once(unfolding, path, time, Complete::All)? {
        PathAnswer::Unknown => check_path_once(unfolding, path, time, Complete::Program),
        answer => Ok(answer),
    }
}

fn check_path_once(
    unfolding: &mut Unfolding,
    path: &Path,
    time: Duration,
    complete: Complete,
) -> Result<PathAnswer, SolverError> {
    let mut options = vec![
        ("smt.mbqi".to_owned(), "true".to_owned()),
        (
            "timeout".to_owned(),
            time.as_millis().clamp(1, 1 << 30).to_string(),
        ),
    ];
    if complete == Complete::Program {
        options.push(("smt.mbqi.id".to_owned(), PROGRAM_QUANTIFIER.to_owned()));
    }
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
        CheckResult::Unknown(reason) if complete == Complete::Program && reason.contains("incomplete") => {
            PathAnswer::Candidate(solver.model(context)?)
        }
        CheckResult::Unknown(_) => PathAnswer::Unknown,
    })
}
