//! Reading C text in tests.
#![allow(dead_code, reason = "each test file uses a part")]

use std::path::Path;

use lariat_base::{Diagnostics, SourceMap, threads};
use lariat_c_program::{CProgram, Machine, check_program, print_function, print_program};
use lariat_c_reader::{ReadOptions, read};
use lariat_options::COptions;
use lariat_testkit::folder::Folder;

/// What came of reading.
pub struct Outcome {
    pub program: Option<CProgram>,
    pub sources: SourceMap,
    /// Code, message and hint of each diagnostic.
    pub messages: Vec<String>,
}

pub fn read_files(files: &[&Path], options: &ReadOptions) -> Outcome {
    std::thread::scope(|scope| {
        let work = || {
            let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
            let program = read(files, options, &mut sources, &mut diagnostics);
            if let Some(program) = &program {
                let problems = check_program(program);
                assert!(problems.is_empty(), "{problems:#?}");
            }
            let messages = diagnostics
                .iter()
                .map(|diagnostic| {
                    let place = diagnostic.span.map(|span| {
                        let (line, column) = sources.line_column(span);
                        format!("{line}:{column}: ")
                    });
                    format!(
                        "{}: {}{} [{}]",
                        diagnostic.code,
                        place.unwrap_or_default(),
                        diagnostic.message,
                        diagnostic.hint.as_deref().unwrap_or_default()
                    )
                })
                .collect();
            Outcome {
                program,
                sources,
                messages,
            }
        };
        threads::spawn_with_big_stack(scope, "reader", work)
            .expect("a thread")
            .join()
            .expect("no panic")
    })
}

pub fn read_with(text: &str, options: &ReadOptions) -> Outcome {
    let folder = Folder::new("c-reader");
    let path = folder.write("a.c", text);
    read_files(&[&path], options)
}

/// The program of a text that must be right.
pub fn program(text: &str, machine: Machine) -> CProgram {
    let options = ReadOptions::from(COptions {
        machine,
        ..COptions::default()
    });
    let outcome = read_with(text, &options);
    assert!(outcome.messages.is_empty(), "{:#?}", outcome.messages);
    outcome.program.expect("a program")
}

/// The whole program as text.
pub fn printed(text: &str) -> String {
    print_program(&program(text, Machine::Lp64))
}

/// The statements of the function `f`, one per line, without indentation.
pub fn body_on(text: &str, machine: Machine) -> Vec<String> {
    let program = program(text, machine);
    let f = program.functions_by_name()["f"];
    let text = print_function(&program, f);
    let lines: Vec<&str> = text.lines().collect();
    lines[1..lines.len() - 1]
        .iter()
        .map(|line| line.trim().to_owned())
        .collect()
}

pub fn body(text: &str) -> Vec<String> {
    body_on(text, Machine::Lp64)
}

/// The line of the printed program that starts so.
pub fn line(text: &str, start: &str) -> String {
    let printed = printed(text);
    let found = printed.lines().find(|line| line.starts_with(start));
    found
        .unwrap_or_else(|| panic!("no line {start:?} in\n{printed}"))
        .to_owned()
}
