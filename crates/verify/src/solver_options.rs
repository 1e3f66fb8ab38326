//! The options that the solver is given unless the user says otherwise; why is in `docs/solver-options.md`.

use lariat_ir::Program;
use lariat_report::VerifyRequest;
use lariat_term::Sort;

/// Options of the incremental core, strongest evidence first.
const DEFAULTS: &[(&str, &str)] = &[
    // Quantifiers are instantiated by their triggers only.
    ("smt.mbqi", "false"),
    ("smt.arith.solver", "2"),
    ("smt.delay_units", "true"),
    ("smt.arith.propagation_mode", "0"),
    ("smt.array.extensional", "false"),
    ("smt.array.weak", "true"),
    ("smt.case_split", "3"),
    ("smt.qi.eager_threshold", "100"),
    ("smt.phase_selection", "0"),
    ("smt.restart_strategy", "0"),
    ("smt.restart_factor", "1.5"),
    ("smt.arith.random_initial_value", "true"),
    ("smt.bv.reflect", "true"),
];

/// What replaces the defaults where a program has floats.
const WITH_FLOATS: &[(&str, &str)] = &[("smt.case_split", "1")];

/// The defaults for the program, with what the request says replacing or adding to them.
pub fn solver_options(request: &VerifyRequest, program: &Program) -> Vec<(String, String)> {
    let has_floats = program
        .pool
        .sorts()
        .any(|sort| matches!(sort, Sort::Float { .. }));
    let profile = if has_floats { WITH_FLOATS } else { &[] };
    let is_replaced = |key: &str| profile.iter().any(|(other, _)| *other == key);
    let mut options: Vec<(String, String)> = DEFAULTS
        .iter()
        .filter(|(key, _)| !is_replaced(key))
        .chain(profile)
        .map(|&(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    for option in &request.solver_options {
        match options.iter_mut().find(|(key, _)| *key == option.key) {
            Some((_, value)) => value.clone_from(&option.value),
            None => options.push((option.key.clone(), option.value.clone())),
        }
    }
    options
}
