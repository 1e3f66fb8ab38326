//! Reading a text into a problem.

use lariat_base::SourceMap;
use lariat_passes::{Goal, PrepareOptions, prepare};
use lariat_vc::Problem;

/// A program of which `main` is asked whether it can return, with all its calls: the passes would
/// decide many small programs by themselves.
pub fn problem(text: &str) -> Problem {
    let mut sources = SourceMap::new();
    let id = sources.add("test.bpl", text);
    let (syntax, _) = lariat_boogie::parser::parse(&sources, id);
    let (typed, diagnostics) = lariat_boogie::check_completing_modifies(&syntax);
    let errors: Vec<String> = diagnostics.iter().map(|d| d.render(&sources, false)).collect();
    let typed = typed.unwrap_or_else(|| panic!("{}", errors.join("\n")));
    let lowered = lariat_lower::lower(&typed).expect("it can be lowered").program;
    let entry = lowered.proc_by_name("main").expect("a main");
    let options = PrepareOptions {
        propagate_constants: false,
        slice: false,
        ..PrepareOptions::default()
    };
    let prepared = prepare(&lowered, entry, &Goal::EntryReturns, &options);
    Problem::new(
        prepared.program,
        prepared.entry,
        prepared.interfaces,
        prepared.error,
    )
}
