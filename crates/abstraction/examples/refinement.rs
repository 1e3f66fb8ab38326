//! Must-show 4 of issue 3: the refinement algorithms on generated spurious counterexamples.
//!
//! `cargo run --release -p lariat-abstraction --example refinement`
#![allow(clippy::print_stdout, reason = "a table for the reader")]

#[path = "../tests/support/mod.rs"]
mod support;

use lariat_abstraction::{CegarOptions, RefineOptions, RefinementTable, generate_program};
use lariat_base::Budget;
use lariat_passes::PrepareOptions;

/// What `lariat verify` gives the solver (`crates/verify/src/solver_options.rs`).
const SOLVER_OPTIONS: [(&str, &str); 13] = [
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

fn main() {
    let options = CegarOptions {
        refine: RefineOptions {
            solver_options: SOLVER_OPTIONS
                .iter()
                .map(|&(key, value)| (key.to_owned(), value.to_owned()))
                .collect(),
        },
        ..CegarOptions::default()
    };
    let mut table = RefinementTable::default();
    for (seed, globals) in [120, 150, 180, 210, 240, 280, 320, 360, 400]
        .into_iter()
        .enumerate()
    {
        let text = generate_program(seed as u64, globals);
        let problem = support::problem(&text, &PrepareOptions::default());
        let name = format!("seed {seed}");
        table
            .add(&name, &problem, &options, &Budget::unlimited(), |problem| {
                support::search(problem, 1)
            })
            .expect("the solver answers");
    }
    println!("{table}");
}
