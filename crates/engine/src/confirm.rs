//! A second look at one path, with complete instantiation of quantifiers.
//!
//! The main solver instantiates quantifiers by their triggers only, so a model it gives where there
//! are any is a candidate. One path is a much smaller formula than the unfolding: a separate solver
//! finds a model that satisfies the quantifiers, or shows that the path is infeasible.
//!
//! Quantified axioms take part only if a solver shows quickly that they have a model. Preludes in the
//! wild contradict themselves at points that no trigger ever reaches; complete instantiation would
//! find that and refute everything.

use lariat_smt::{Ast, CheckResult, Model, Solver, SolverError};

use crate::outcome::Counterexample;
use crate::path::{Path, PathStep};
use crate::search::Search;
use crate::unfolding::Unfolding;

/// The solver's effort to show that the axioms have a model: where it can be shown, it is small.
const AXIOM_MODEL_EFFORT: u32 = 500_000;
/// The solver's effort for one path, a second or two.
const PATH_EFFORT: u32 = 3_000_000;

/// Whether a path has an execution.
enum Feasibility {
    Feasible(Model),
    /// A model that satisfies everything but the quantified axioms.
    Candidate(Model),
    Infeasible,
    Unknown,
}

impl Search<'_> {
    /// Looks for another model along the path of a counterexample. `None` if there is none; then the
    /// path is blocked, and the search can go on.
    pub fn reconsider(
        &mut self,
        counterexample: Counterexample,
    ) -> Result<Option<Counterexample>, SolverError> {
        let unfolding = &mut self.unfolding;
        let path = &counterexample.path;
        match check_path(unfolding, path)? {
            Feasibility::Feasible(model) => Ok(Some(Counterexample {
                model,
                doubt: None,
                ..counterexample
            })),
            Feasibility::Candidate(model) => Ok(Some(Counterexample {
                model,
                ..counterexample
            })),
            Feasibility::Unknown => Ok(Some(counterexample)),
            Feasibility::Infeasible => {
                // It is infeasible as long as the same is assumed.
                let mut facts = path.taken.clone();
                facts.extend(unfolding.assumptions());
                let blocked = unfolding.context.not_all(&facts)?;
                unfolding.solver.assert(&mut unfolding.context, blocked)?;
                self.observer.path_blocked();
                Ok(None)
            }
        }
    }
}

/// Decides whether there is an execution along the path.
fn check_path(unfolding: &mut Unfolding, path: &Path) -> Result<Feasibility, SolverError> {
    let with_axioms = axioms_have_a_model(unfolding)?;
    let mut facts = path_facts(unfolding, path)?;
    facts.extend(&unfolding.ground_axioms);
    if with_axioms {
        facts.extend(&unfolding.quantified_axioms);
    }
    let (answer, solver) = solve(unfolding, &facts, PATH_EFFORT)?;
    let context = &unfolding.context;
    Ok(match answer {
        CheckResult::Sat if with_axioms => Feasibility::Feasible(solver.model(context)?),
        CheckResult::Sat => Feasibility::Candidate(solver.model(context)?),
        CheckResult::Unsat => Feasibility::Infeasible,
        CheckResult::Unknown(_) => Feasibility::Unknown,
    })
}

/// Whether the axioms are known to be consistent; found out once.
fn axioms_have_a_model(unfolding: &mut Unfolding) -> Result<bool, SolverError> {
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
    let (answer, _) = solve(unfolding, &axioms, AXIOM_MODEL_EFFORT)?;
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
    effort: u32,
) -> Result<(CheckResult, Solver), SolverError> {
    let options = [
        ("smt.mbqi".to_owned(), "true".to_owned()),
        ("rlimit".to_owned(), effort.to_string()),
    ];
    let context = &mut unfolding.context;
    let mut solver = Solver::for_one_check(context, &options)?;
    for &fact in facts {
        solver.assert(context, fact)?;
    }
    let answer = solver.check(context, &[])?;
    Ok((answer, solver))
}
