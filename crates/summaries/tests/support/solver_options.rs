//! The options of `crates/verify/src/solver_options.rs`.

pub fn solver_options() -> Vec<(String, String)> {
    [
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
    ]
    .iter()
    .map(|&(key, value)| (key.to_owned(), value.to_owned()))
    .collect()
}
