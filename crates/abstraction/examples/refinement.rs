//! Must-show 4 of issue 3: the refinement algorithms on generated spurious counterexamples.
//!
//! `cargo run --release -p lariat-abstraction --example refinement`
#![allow(clippy::print_stdout, reason = "a table for the reader")]

#[path = "../tests/support/mod.rs"]
mod support;

use lariat_abstraction::{CegarOptions, RefineOptions, RefinementTable, generate_program};
use lariat_base::Budget;
use lariat_passes::PrepareOptions;

fn main() {
    let options = CegarOptions {
        refine: RefineOptions {
            solver_options: support::solver_options(),
        },
        ..CegarOptions::default()
    };
    let mut table = RefinementTable::default();
    for (seed, globals) in [120, 160, 200, 240, 280, 320, 400].into_iter().enumerate() {
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
