//! What the tests share: reading a text, running an engine, random programs.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod random;

use lariat_abstraction::Found;
use lariat_base::Budget;
use lariat_engine::{MergePolicy, SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_passes::PrepareOptions;
pub use lariat_testkit::boogie::problem_with as problem;
use lariat_vc::Problem;

/// No pass that simplifies.
pub fn plain() -> PrepareOptions {
    PrepareOptions {
        propagate_constants: false,
        constant_loop_limit: 0,
        slice: false,
        ..PrepareOptions::default()
    }
}

pub fn solver_options() -> Vec<(String, String)> {
    vec![("smt.mbqi".into(), "false".into())]
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Reached,
    Proved,
    Bounded,
}

/// Stratified inlining up to a bound.
pub fn search(problem: Problem, max_bound: u32) -> Found<Verdict> {
    let options = SearchOptions {
        merge: MergePolicy::Tree,
        max_bound,
        unavoidable: false,
        solver_options: solver_options(),
        ..SearchOptions::default()
    };
    let mut ignore = |_: SearchEvent| {};
    let mut search = Session::new(problem, options, Budget::unlimited(), &mut ignore).expect("a search");
    match search.run() {
        SearchOutcome::Reached(counterexample) => Found::Path {
            blocks: counterexample.path.blocks,
            answer: Verdict::Reached,
        },
        SearchOutcome::Proved => Found::NoPath(Verdict::Proved),
        SearchOutcome::Bounded { .. } => Found::NoPath(Verdict::Bounded),
        SearchOutcome::Unknown { reason, .. } => panic!("no answer: {reason}"),
    }
}
