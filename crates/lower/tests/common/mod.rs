//! Lowers program text for the tests.

#![allow(dead_code, reason = "each test binary uses a part of this module")]

use lariat_base::Diagnostics;
use lariat_boogie::typed;
use lariat_ir::{Stage, validate};
use lariat_lower::{Lowered, OpenOptions};
use lariat_testkit::boogie::{render, try_check};

/// Parses, checks, lowers and validates; panics with the messages if a stage refuses.
pub fn lower(text: &str) -> Lowered {
    match try_lower(text) {
        Ok(lowered) => lowered,
        Err(message) => panic!("{message}"),
    }
}

pub fn try_lower(text: &str) -> Result<Lowered, String> {
    try_lower_with(text, lariat_lower::lower)
}

/// As an open program, with further monitor variables.
pub fn try_lower_open(text: &str, typestate: &[&str]) -> Result<Lowered, String> {
    let options = OpenOptions {
        typestate: typestate.iter().map(|&name| name.to_owned()).collect(),
    };
    try_lower_with(text, |typed| lariat_lower::lower_open(typed, &options))
}

fn try_lower_with(
    text: &str,
    lower: impl FnOnce(&typed::Program) -> Result<Lowered, Diagnostics>,
) -> Result<Lowered, String> {
    let typed = try_check(text)?;
    let lowered = lower(&typed.program).map_err(|errors| render(&errors, &typed.sources))?;
    validate(&lowered.program, Stage::Lowered).map_err(|violation| violation.to_string())?;
    Ok(lowered)
}

/// The text of one procedure.
pub fn proc_text(lowered: &Lowered, name: &str) -> String {
    let id = lowered.program.proc_by_name(name);
    let id = id.unwrap_or_else(|| panic!("no procedure {name} in\n{}", lowered.program.text()));
    lowered.program.proc_text(id)
}

/// The text of one procedure of an open program.
pub fn open_proc_text(text: &str, name: &str) -> String {
    match try_lower_open(text, &[]) {
        Ok(lowered) => proc_text(&lowered, name),
        Err(message) => panic!("{message}"),
    }
}

/// The text of the procedure `name` of a program is `expected`, apart from indentation.
#[track_caller]
pub fn check_proc(program: &str, name: &str, expected: &str) {
    let lowered = lower(program);
    assert_text(&proc_text(&lowered, name), expected);
}

/// The axioms of a program are those of `expected`, one on each line.
#[track_caller]
pub fn check_axioms(program: &str, expected: &str) {
    let text = lower(program).program.text();
    let axioms: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("axiom "))
        .collect();
    assert_text(&axioms.join("\n"), expected);
}

/// The conditions of the assertions of `procedure main() { … }` with these statements.
#[track_caller]
pub fn check_asserts(declarations: &str, body: &str, expected: &[&str]) {
    let lowered = lower(&format!("{declarations}\nprocedure main() {{ {body} }}"));
    let text = proc_text(&lowered, "main");
    let found: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("assert"))
        .filter_map(|rest| rest.split_once(' '))
        .map(|(_, condition)| condition)
        .collect();
    assert_eq!(found, expected, "in\n{text}");
}

#[track_caller]
pub fn assert_text(found: &str, expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim().to_string())
            .filter(|line| !line.is_empty())
            .collect()
    };
    assert_eq!(lines(found), lines(expected), "found:\n{found}");
}
