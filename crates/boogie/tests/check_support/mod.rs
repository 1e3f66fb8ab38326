//! What the tests of the checker share: programs in, error codes with places out.
#![allow(dead_code, reason = "not every test file uses all of it")]

use lariat_base::{Diagnostic, Diagnostics, Severity, SourceMap};
use lariat_boogie::typed::Program;
use lariat_boogie::{ast, check, parser};

/// A program that must be accepted; gives it with its types.
pub fn accept(text: &str) -> Program {
    let (program, diagnostics, sources) = run(text, check);
    let errors: Vec<String> = errors(&diagnostics)
        .map(|error| error.render(&sources, false))
        .collect();
    assert!(errors.is_empty(), "not accepted:\n{text}\n{}", errors.join("\n"));
    program.expect("a program without errors")
}

/// A program that must be rejected with exactly these errors: code, line, column.
pub fn reject(text: &str, expected: &[(&str, usize, usize)]) {
    let (program, diagnostics, sources) = run(text, check);
    assert!(program.is_none() || expected.is_empty(), "accepted:\n{text}");
    let found: Vec<(&str, usize, usize)> = errors(&diagnostics)
        .map(|error| {
            let (line, column) = sources.line_column(error.span.expect("errors have places"));
            (error.code, line, column)
        })
        .collect();
    let rendered: Vec<String> = diagnostics
        .iter()
        .map(|error| error.render(&sources, false))
        .collect();
    assert_eq!(found, expected, "in\n{text}\n{}", rendered.join("\n"));
}

/// The hint of the only error of a program.
pub fn hint(text: &str) -> String {
    let (_, diagnostics, _) = run(text, check);
    let errors: Vec<&Diagnostic> = errors(&diagnostics).collect();
    assert_eq!(errors.len(), 1, "in\n{text}");
    errors[0].hint.clone().unwrap_or_default()
}

/// The codes and lines of the warnings of an accepted program.
pub fn warnings(text: &str) -> Vec<(&'static str, usize)> {
    let (program, diagnostics, sources) = run(text, check);
    assert!(program.is_some(), "not accepted:\n{text}");
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Warning)
        .map(|warning| {
            (
                warning.code,
                sources.line_column(warning.span.expect("warnings have places")).0,
            )
        })
        .collect()
}

pub type Checked = (Option<Program>, Diagnostics);

pub fn run(text: &str, checker: fn(&ast::Program) -> Checked) -> (Option<Program>, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let id = sources.add("test.bpl", text);
    let (program, diagnostics) = parser::parse(&sources, id);
    let parse_errors: Vec<String> = diagnostics
        .iter()
        .map(|error| error.render(&sources, false))
        .collect();
    assert!(
        parse_errors.is_empty(),
        "the test does not parse:\n{}",
        parse_errors.join("\n")
    );
    let (program, diagnostics) = checker(&program);
    (program, diagnostics, sources)
}

fn errors(diagnostics: &Diagnostics) -> impl Iterator<Item = &Diagnostic> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
}
