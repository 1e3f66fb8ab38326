//! The options that the solver is given unless the user says otherwise; why is in `docs/solver-options.md`.

use lariat_ir::Program;
use lariat_report::{SolverProfile, VerifyRequest};
use lariat_term::{Op, Sort, TermId};

/// Options of the incremental core, strongest evidence first.
const DEFAULTS: &[(&str, &str)] = &[
    // Quantifiers are instantiated by their triggers only.
    ("smt.mbqi", "false"),
    ("smt.arith.solver", "2"),
    ("smt.arith.propagation_mode", "0"),
    ("smt.array.extensional", "false"),
    ("smt.array.weak", "true"),
    ("smt.qi.eager_threshold", "100"),
    ("smt.arith.random_initial_value", "true"),
    ("smt.bv.reflect", "true"),
];

/// What makes the profile `activity` of them: decisions by activity with the values that variables had last.
const ACTIVITY: &[(&str, &str)] = &[
    ("smt.case_split", "1"),
    ("smt.phase_selection", "3"),
    ("smt.restart_strategy", "1"),
    ("smt.restart_factor", "1.1"),
    ("smt.delay_units", "false"),
];

/// What makes the profile `relevancy` of them: Corral's settings.
const RELEVANCY: &[(&str, &str)] = &[
    ("smt.case_split", "3"),
    ("smt.phase_selection", "0"),
    ("smt.restart_strategy", "0"),
    ("smt.restart_factor", "1.5"),
    ("smt.delay_units", "true"),
];

/// What replaces the defaults where decisions are by activity and no axiom is quantified: bounds are propagated. Instances of
/// axioms, such as those about the addresses of a driver's allocations, make that costly.
const WITHOUT_QUANTIFIED_AXIOMS: &[(&str, &str)] = &[("smt.arith.propagation_mode", "2")];

/// What replaces the defaults where a program has floats.
const WITH_FLOATS: &[(&str, &str)] = &[("smt.case_split", "1")];

/// The options of questions that are no search, with what the request says replacing or adding to them.
pub fn solver_options(request: &VerifyRequest, program: &Program) -> Vec<(String, String)> {
    let profile = request.search.solver_profile;
    profile_options(request, program, profile == SolverProfile::Activity)
}

/// The same for one of the two profiles.
pub fn profile_options(
    request: &VerifyRequest,
    program: &Program,
    by_activity: bool,
) -> Vec<(String, String)> {
    let has_floats = program
        .pool
        .sorts()
        .any(|sort| matches!(sort, Sort::Float { .. }));
    let for_floats = if has_floats { WITH_FLOATS } else { &[] };
    let profile = if by_activity { ACTIVITY } else { RELEVANCY };
    let for_axioms = if by_activity && !has_quantified_axioms(program) {
        WITHOUT_QUANTIFIED_AXIOMS
    } else {
        &[]
    };
    let own = request.solver_options.iter();
    let own = own.map(|option| (option.key.as_str(), option.value.as_str()));
    let all = DEFAULTS
        .iter()
        .chain(profile)
        .chain(for_axioms)
        .chain(for_floats)
        .copied();
    let mut options: Vec<(String, String)> = Vec::new();
    for (key, value) in all.chain(own) {
        match options.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => value.clone_into(known),
            None => options.push((key.to_owned(), value.to_owned())),
        }
    }
    options
}

fn has_quantified_axioms(program: &Program) -> bool {
    let axioms: Vec<TermId> = program.axioms.iter().map(|axiom| axiom.term).collect();
    let mut quantified = false;
    program.pool.visit_subterms(&axioms, |term| {
        quantified |= matches!(program.pool.op(term), Op::Quantifier(_));
    });
    quantified
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one profile sets and the other does not would be Z3's own choice there.
    #[test]
    fn profiles_set_the_same_options() {
        let keys = |profile: &[(&'static str, &str)]| -> Vec<&'static str> {
            profile.iter().map(|&(key, _)| key).collect()
        };
        assert_eq!(keys(ACTIVITY), keys(RELEVANCY));
        assert!(keys(ACTIVITY).iter().all(|key| !keys(DEFAULTS).contains(key)));
    }
}
