//! Boogie texts as problems.

use lariat_base::SourceMap;
use lariat_passes::{Goal, PrepareOptions, prepare};
use lariat_vc::Problem;

/// A program of which it is asked whether an assertion can fail in the marked entry or in `main`; if it has
/// none, whether the entry can return.
pub fn problem(text: &str) -> Problem {
    let mut sources = SourceMap::new();
    let id = sources.add("test.bpl", text);
    let (syntax, _) = lariat_boogie::parser::parse(&sources, id);
    let (typed, diagnostics) = lariat_boogie::check_completing_modifies(&syntax);
    let errors: Vec<String> = diagnostics.iter().map(|d| d.render(&sources, false)).collect();
    let typed = typed.unwrap_or_else(|| panic!("{}", errors.join("\n")));
    let lowered = lariat_lower::lower(&typed).expect("it can be lowered").program;
    let marked = lowered.procs.iter().max_by_key(|(_, proc)| proc.entry_mark);
    let marked = marked.filter(|(_, proc)| proc.entry_mark.is_some());
    let entry = marked.map(|(id, _)| id).or_else(|| lowered.proc_by_name("main"));
    let entry = entry.expect("an entry");
    let goal = match lowered.asserts.is_empty() {
        true => Goal::EntryReturns,
        false => Goal::AssertionFails { checked: None },
    };
    let prepared = prepare(&lowered, entry, &goal, &PrepareOptions::default());
    Problem::new(
        prepared.program,
        prepared.entry,
        prepared.interfaces,
        prepared.error,
    )
}
