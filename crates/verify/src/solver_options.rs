//! The options that the solver is given unless the user says otherwise; why is in `docs/solver-options.md`.

use lariat_ir::Program;
use lariat_report::{SolverProfile, VerifyRequest};
use lariat_term::{Op, Sort};

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

/// What replaces the defaults where decisions are by activity and most comparisons are equations: bounds are propagated. Long
/// chains of orders, as between the addresses of a driver's allocations, make that costly.
const WITH_FEW_ORDERS: &[(&str, &str)] = &[("smt.arith.propagation_mode", "2")];

/// One order among so many comparisons is few.
const COMPARISONS_PER_ORDER: usize = 5;

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
    let for_orders = if by_activity && has_few_orders(program) {
        WITH_FEW_ORDERS
    } else {
        &[]
    };
    let own = request.solver_options.iter();
    let own = own.map(|option| (option.key.as_str(), option.value.as_str()));
    let all = DEFAULTS
        .iter()
        .chain(profile)
        .chain(for_orders)
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

/// Whether few of the program's comparisons are orders of numbers.
fn has_few_orders(program: &Program) -> bool {
    let (mut orders, mut equations) = (0, 0);
    for op in program.pool.ops() {
        match op {
            Op::Le | Op::Lt => orders += 1,
            Op::Eq => equations += 1,
            _ => {}
        }
    }
    orders * COMPARISONS_PER_ORDER <= orders + equations
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
