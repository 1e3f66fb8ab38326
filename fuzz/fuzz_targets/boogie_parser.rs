//! Any text is read without a panic, and what is accepted reads back the same after printing.
//!
//! `cargo +nightly fuzz run boogie_parser fuzz/corpus/boogie_parser crates/boogie/tests/programs`

#![no_main]

use lariat_base::SourceMap;
use lariat_boogie::parser::parse;
use lariat_boogie::printer::print;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::new();
    let id = sources.add("fuzz.bpl", text);
    let (program, diagnostics) = parse(&sources, id);
    for diagnostic in diagnostics.iter() {
        diagnostic.render(&sources, false);
    }
    if diagnostics.has_errors() {
        return;
    }
    let printed = print(&program);
    let id = sources.add("printed.bpl", printed.as_str());
    let (again, diagnostics) = parse(&sources, id);
    assert!(!diagnostics.has_errors(), "the printed program is refused:\n{printed}");
    assert_eq!(print(&again), printed, "printing is not stable");
});
