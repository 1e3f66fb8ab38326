//! From a Boogie text to a program and to a problem.

use lariat_base::{Diagnostics, SourceMap};
use lariat_boogie::typed;
use lariat_ir::Program;
use lariat_passes::{Goal, PrepareOptions, prepare};
use lariat_vc::Problem;

/// A typed program and its text, for places in it.
pub struct Typed {
    pub sources: SourceMap,
    pub program: typed::Program,
}

/// Parses and checks; the messages if a stage refuses the text. What a procedure modifies must be declared.
pub fn try_check(text: &str) -> Result<Typed, String> {
    typed_by(text, lariat_boogie::check)
}

/// Parses and checks. Missing `modifies` clauses are added.
#[track_caller]
pub fn check(text: &str) -> Typed {
    typed_by(text, lariat_boogie::check_completing_modifies).unwrap_or_else(|messages| panic!("{messages}"))
}

fn typed_by(
    text: &str,
    check: impl FnOnce(&lariat_boogie::ast::Program) -> (Option<typed::Program>, Diagnostics),
) -> Result<Typed, String> {
    let mut sources = SourceMap::new();
    let id = sources.add("test.bpl", text);
    let (syntax, diagnostics) = lariat_boogie::parser::parse(&sources, id);
    if diagnostics.has_errors() {
        return Err(render(&diagnostics, &sources));
    }
    let (program, diagnostics) = check(&syntax);
    match program {
        Some(program) => Ok(Typed { sources, program }),
        None => Err(render(&diagnostics, &sources)),
    }
}

/// All messages as they are shown.
pub fn render(diagnostics: &Diagnostics, sources: &SourceMap) -> String {
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic.render(sources, false) + "\n")
        .collect()
}

/// The lowered program.
#[track_caller]
pub fn program(text: &str) -> Program {
    let typed = check(text);
    match lariat_lower::lower(&typed.program) {
        Ok(lowered) => lowered.program,
        Err(errors) => panic!("{}", render(&errors, &typed.sources)),
    }
}

/// [`problem_with`] the usual passes.
#[track_caller]
pub fn problem(text: &str) -> Problem {
    problem_with(text, &PrepareOptions::default())
}

/// Whether an assertion that the entry reaches can fail, or, in a program without assertions, whether the entry can return.
/// The entry is the procedure that is marked as one, or `main`.
#[track_caller]
pub fn problem_with(text: &str, options: &PrepareOptions) -> Problem {
    let program = program(text);
    let goal = match program.asserts.is_empty() {
        true => Goal::EntryReturns,
        false => Goal::AssertionFails { checked: None },
    };
    problem_of(&program, &goal, options)
}

/// Whether the entry can return; assertions do not matter.
#[track_caller]
pub fn return_problem(text: &str, options: &PrepareOptions) -> Problem {
    problem_of(&program(text), &Goal::EntryReturns, options)
}

fn problem_of(program: &Program, goal: &Goal, options: &PrepareOptions) -> Problem {
    let marked = program.procs.iter().max_by_key(|(_, proc)| proc.entry_mark);
    let marked = marked.filter(|(_, proc)| proc.entry_mark.is_some());
    let entry = marked.map(|(id, _)| id).or_else(|| program.proc_by_name("main"));
    let entry = entry.expect("an entry");
    Problem::from(prepare(program, entry, goal, options))
}
