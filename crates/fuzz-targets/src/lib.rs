//! What is done with any input of each reader. An input may be refused; it must never make a reader panic, and what is accepted
//! must have the properties that each function checks.
//!
//! `fuzz/` runs these functions under cargo-fuzz, `tests/smoke.rs` over seeds and a few mutated inputs.

use std::path::Path;

use lariat_base::{Budget, Diagnostics, SourceMap};
use lariat_lts::fsp::{self, Compiler};
use lariat_lts::{ActionTable, aut};

/// Processes of a model that are compiled, and the states of each: a few characters can ask for very many.
const MOST_PROCESSES: usize = 4;
const MOST_STATES: usize = 2_000;

fn render(diagnostics: &Diagnostics, sources: &SourceMap) {
    for diagnostic in diagnostics.iter() {
        assert!(!diagnostic.message.is_empty(), "a message without words");
        diagnostic.render(sources, false);
    }
}

/// Boogie: what is accepted reads back the same after printing.
pub fn boogie(text: &str) {
    let mut sources = SourceMap::new();
    let id = sources.add("fuzz.bpl", text);
    let (program, diagnostics) = lariat_boogie::parser::parse(&sources, id);
    render(&diagnostics, &sources);
    if diagnostics.has_errors() {
        return;
    }
    let (_, found) = lariat_boogie::check_completing_modifies(&program);
    render(&found, &sources);
    let printed = lariat_boogie::printer::print(&program);
    let id = sources.add("printed.bpl", printed.as_str());
    let (again, diagnostics) = lariat_boogie::parser::parse(&sources, id);
    assert!(
        !diagnostics.has_errors(),
        "the printed program is refused:\n{printed}"
    );
    assert_eq!(
        lariat_boogie::printer::print(&again),
        printed,
        "printing is not stable"
    );
}

/// C: a program that is accepted obeys the rules of `c-program`, and a refused one has an error. The file is written to
/// `folder`, since libclang reads files.
pub fn c(text: &str, folder: &Path) {
    let path = folder.join("fuzz.c");
    if std::fs::write(&path, text).is_err() {
        return;
    }
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let options = lariat_c_reader::ReadOptions::default();
    let program = lariat_c_reader::read(&[&path], &options, &mut sources, &mut diagnostics);
    render(&diagnostics, &sources);
    match program {
        Some(program) => {
            let problems = lariat_c_program::check_program(&program);
            assert!(problems.is_empty(), "{problems:?}");
            lariat_c_program::print_program(&program);
        }
        None => assert!(diagnostics.has_errors(), "refused without an error"),
    }
}

/// FSP: processes are compiled up to a limit.
pub fn fsp(text: &str) {
    let mut sources = SourceMap::new();
    let source = sources.add("fuzz.fsp", text);
    let (model, diagnostics) = fsp::parse(source, text);
    render(&diagnostics, &sources);
    if diagnostics.has_errors() {
        return;
    }
    let names: Vec<String> = model
        .process_names()
        .iter()
        .map(|name| name.text.to_string())
        .collect();
    let mut actions = ActionTable::new();
    let budget = Budget::unlimited();
    let mut compiler = Compiler::new(&model, &mut actions, &budget, MOST_STATES);
    for name in names.iter().take(MOST_PROCESSES) {
        if let Ok(lts) = compiler.compile(name, &[]) {
            assert!(lts.state_count() > 0, "{name} has no state");
        }
    }
    render(compiler.warnings(), &sources);
}

/// AUT: what is accepted reads back with as many states and transitions after writing.
pub fn aut(text: &str) {
    let mut sources = SourceMap::new();
    let source = sources.add("fuzz.aut", text);
    // A number of states allocates memory; the limit of the reader is too large for many runs.
    if text
        .split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() > 5)
    {
        return;
    }
    let mut actions = ActionTable::new();
    match aut::read(source, text, &mut actions) {
        Ok(lts) => {
            let written = aut::write(&lts, &actions);
            let source = sources.add("written.aut", written.as_str());
            let again = aut::read(source, &written, &mut actions);
            let again = again.unwrap_or_else(|_| panic!("what was written is refused:\n{written}"));
            assert_eq!(again.transition_count(), lts.transition_count(), "{written}");
            assert_eq!(again.state_count(), lts.state_count(), "{written}");
        }
        Err(diagnostics) => {
            assert!(diagnostics.has_errors(), "refused without an error");
            render(&diagnostics, &sources);
        }
    }
}

/// Project files of `lariat conform`.
pub fn project(text: &str) {
    let mut sources = SourceMap::new();
    let source = sources.add("fuzz.conform", text);
    let mut diagnostics = Diagnostics::new();
    lariat_conform::project::Project::parse(source, text, &mut diagnostics);
    render(&diagnostics, &sources);
}

/// Files of specifications, and each line as an expression.
pub fn specs(text: &str) {
    match lariat_specs::SpecsFile::parse("fuzz.specs.toml", text) {
        Ok(file) => {
            file.warnings().render(false);
            for spec in file.specifications() {
                expression(&spec.text);
            }
        }
        Err(messages) => {
            assert!(messages.diagnostics.has_errors(), "refused without an error");
            messages.render(false);
        }
    }
    text.lines().for_each(expression);
}

/// What is accepted reads back the same after printing.
fn expression(text: &str) {
    if let Ok(expr) = lariat_specs::SpecExpr::parse(text) {
        let printed = expr.to_string();
        let again = lariat_specs::SpecExpr::parse(&printed);
        assert_eq!(again.ok().as_ref(), Some(&expr), "`{text}` prints as `{printed}`");
    }
}
