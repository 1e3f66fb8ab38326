//! From a Boogie text to a problem.

#![allow(dead_code)]

pub mod generate;
mod solver_options;

use lariat_base::SourceMap;
use lariat_passes::{Goal, PrepareOptions, prepare};
use lariat_vc::Problem;
pub use solver_options::solver_options;

/// Whether an assertion of `main` or of what it calls can fail.
pub fn problem(text: &str) -> Problem {
    problem_with(text, &PrepareOptions::default())
}

pub fn problem_with(text: &str, options: &PrepareOptions) -> Problem {
    let mut sources = SourceMap::new();
    let id = sources.add("test.bpl", text);
    let (syntax, found) = lariat_boogie::parser::parse(&sources, id);
    let errors: Vec<String> = found.iter().map(|d| d.render(&sources, false)).collect();
    assert!(errors.is_empty(), "{}\n{text}", errors.join("\n"));
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
