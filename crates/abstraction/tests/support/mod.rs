//! What the tests share: reading a text, running an engine, random programs.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod random;

use lariat_abstraction::Found;
use lariat_base::{Budget, SourceMap};
use lariat_engine::{MergePolicy, Outcome, Search, SearchEvent, SearchOptions};
use lariat_passes::{Goal, PrepareOptions, prepare};
use lariat_vc::Problem;

/// A program of which it is asked whether an assertion that `main` reaches can fail.
pub fn problem(text: &str, options: &PrepareOptions) -> Problem {
    let mut sources = SourceMap::new();
    let id = sources.add("test.bpl", text);
    let (syntax, _) = lariat_boogie::parser::parse(&sources, id);
    let (typed, diagnostics) = lariat_boogie::check_completing_modifies(&syntax);
    let errors: Vec<String> = diagnostics.iter().map(|d| d.render(&sources, false)).collect();
    let typed = typed.unwrap_or_else(|| panic!("{}", errors.join("\n")));
    let lowered = lariat_lower::lower(&typed).expect("it can be lowered").program;
    let entry = lowered.proc_by_name("main").expect("a main");
    let goal = Goal::AssertionFails { checked: None };
    let prepared = prepare(&lowered, entry, &goal, options);
    Problem::new(
        prepared.program,
        prepared.entry,
        prepared.interfaces,
        prepared.error,
    )
}

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
    let mut search = Search::new(problem, options, Budget::unlimited(), &mut ignore).expect("a search");
    match search.run() {
        Outcome::Reached(counterexample) => Found::Path {
            blocks: counterexample.path.blocks,
            answer: Verdict::Reached,
        },
        Outcome::Proved => Found::NoPath(Verdict::Proved),
        Outcome::Bounded { .. } => Found::NoPath(Verdict::Bounded),
        Outcome::Unknown { reason, .. } => panic!("no answer: {reason}"),
    }
}
