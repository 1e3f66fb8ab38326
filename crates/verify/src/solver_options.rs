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

/// What replaces the defaults where bounds are propagated.
const PROPAGATION: &[(&str, &str)] = &[("smt.arith.propagation_mode", "2")];

/// What replaces the defaults where a program has floats.
const WITH_FLOATS: &[(&str, &str)] = &[("smt.case_split", "1")];

/// The options of questions that are no search, with what the request says replacing or adding to them.
pub fn solver_options(request: &VerifyRequest, program: &Program) -> Vec<(String, String)> {
    let profile = request.search.solver_profile;
    match profile {
        SolverProfile::Activity => profile_options(request, program, Profile::Mix),
        _ => profile_options(request, program, Profile::Relevancy),
    }
}

/// How the solver of one engine searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    Relevancy,
    /// By activity, with bounds propagated.
    Widen,
    /// By activity, with bounds propagated where no axiom is quantified: instances of axioms, such as those about the
    /// addresses of a driver's allocations, can make that costly. So the two engines that decide by activity differ there.
    Mix,
}

/// The same for one engine.
pub fn profile_options(
    request: &VerifyRequest,
    program: &Program,
    profile: Profile,
) -> Vec<(String, String)> {
    let has_floats = program
        .pool
        .sorts()
        .any(|sort| matches!(sort, Sort::Float { .. }));
    let for_floats = if has_floats { WITH_FLOATS } else { &[] };
    let decisions = match profile {
        Profile::Relevancy => RELEVANCY,
        Profile::Widen | Profile::Mix => ACTIVITY,
    };
    let propagates = match profile {
        Profile::Relevancy => false,
        Profile::Widen => true,
        Profile::Mix => !has_quantified_axioms(program),
    };
    let for_bounds = if propagates { PROPAGATION } else { &[] };
    let own = request.solver_options.iter();
    let own = own.map(|option| (option.key.as_str(), option.value.as_str()));
    let all = DEFAULTS
        .iter()
        .chain(decisions)
        .chain(for_bounds)
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
