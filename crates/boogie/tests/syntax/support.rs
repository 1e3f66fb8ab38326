//! What the tests of the parser and of the printer share.

use lariat_base::{Diagnostics, SourceMap};
use lariat_boogie::ast::Program;
use lariat_boogie::parser::parse;

pub fn read(text: &str) -> (Program, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let id = sources.add("test.bpl", text);
    let (program, diagnostics) = parse(&sources, id);
    (program, diagnostics, sources)
}

/// What was reported, one `line:column code message` each.
pub fn reports(text: &str) -> Vec<String> {
    let (_, diagnostics, sources) = read(text);
    let report = |diagnostic: &lariat_base::Diagnostic| {
        let (line, column) = sources.line_column(diagnostic.span.expect("a syntax error has a place"));
        format!("{line}:{column} {} {}", diagnostic.code, diagnostic.message)
    };
    diagnostics.iter().map(report).collect()
}

/// The program of a text that must be accepted without a warning.
pub fn accepted(text: &str) -> Program {
    let (program, diagnostics, sources) = read(text);
    let rendered: Vec<String> = diagnostics.iter().map(|it| it.render(&sources, false)).collect();
    assert!(rendered.is_empty(), "{}\nin\n{text}", rendered.join("\n"));
    program
}

/// The tree as text, without the spans.
pub fn tree(program: &Program) -> String {
    let debug = format!("{program:?}");
    let mut rest = debug.as_str();
    let mut tree = String::with_capacity(rest.len());
    while let Some(start) = rest.find("Span {") {
        tree.push_str(&rest[..start]);
        let end = rest[start..].find('}').expect("a span is closed");
        rest = &rest[start + end + 1..];
    }
    tree + rest
}

/// The repository's own programs, which have every construct between them.
pub fn programs() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let mut programs: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder of programs is there")
        .map(|entry| {
            let path = entry.expect("the folder can be listed").path();
            let text = std::fs::read_to_string(&path).expect("a program is readable");
            (path.display().to_string(), text)
        })
        .collect();
    programs.sort();
    programs
}
