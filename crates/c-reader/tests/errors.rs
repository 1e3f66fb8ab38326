//! Input that cannot be read is told, and never more than that.

mod common;

use std::path::Path;

use common::{read_files, read_with};
use lariat_c_reader::ReadOptions;
use lariat_options::COptions;
use lariat_testkit::folder::Folder;

fn messages(text: &str) -> Vec<String> {
    let outcome = read_with(text, &ReadOptions::default());
    assert!(outcome.program.is_none());
    assert!(!outcome.messages.is_empty());
    outcome.messages
}

#[test]
fn a_syntax_error_is_told_with_its_place() {
    assert_eq!(
        messages("int main(void) {\n  return 0\n}\n"),
        ["c-error: 2:11: expected ';' after return statement []"]
    );
}

#[test]
fn a_missing_header_has_a_hint() {
    let messages = messages("#include <no_such_header.h>\n");
    assert!(
        messages[0].starts_with(
            "c-error: 1:10: 'no_such_header.h' file not found [give the header's folder with -I"
        )
    );
}

#[test]
fn several_errors_are_all_told() {
    assert_eq!(messages("int a = b;\nint c = d;\n").len(), 2);
}

#[test]
fn a_file_that_is_not_c() {
    assert!(
        messages("Dear reader,\nthis is a letter.\n")[0]
            .starts_with("c-error: 1:1: unknown type name 'Dear'")
    );
    let folder = Folder::new("c-reader");
    let path = folder.write("a.c", b"\x7fELF\x00\x01\x02");
    let outcome = read_files(&[&path], &ReadOptions::default());
    assert!(outcome.program.is_none());
    assert!(outcome.messages[0].contains("is not a C file: it contains binary data"));
    let outcome = read_files(&[Path::new("/no/such/file.c")], &ReadOptions::default());
    assert!(outcome.messages[0].starts_with("unreadable-file: /no/such/file.c cannot be read"));
}

#[test]
fn an_empty_file_is_an_empty_program() {
    let outcome = read_with("", &ReadOptions::default());
    assert_eq!(outcome.program.map(|program| program.functions.len()), Some(0));
}

#[test]
fn latin1_is_read_and_offsets_stay_true() {
    let folder = Folder::new("c-reader");
    let path = folder.write(
        "a.c",
        b"/* Stra\xdfe */ char s[] = \"\xe4\"; int main(void) { return 0; }\n",
    );
    let outcome = read_files(&[&path], &ReadOptions::default());
    let program = outcome.program.expect("a program");
    let main = &program.functions[program.functions_by_name()["main"]];
    assert_eq!(outcome.sources.snippet(main.span), "main");
    assert!(lariat_c_program::print_program(&program).contains("char s[2] = zero { \"\\228.\\0.\" }"));
}

#[test]
fn deep_nesting_is_refused_and_not_overflown() {
    let deep = 100_000;
    for text in [
        format!(
            "int f(void) {{ return {}1{}; }}",
            "(".repeat(deep),
            ")".repeat(deep)
        ),
        format!("int f(int x) {{ return x{}; }}", " + 1".repeat(deep)),
        format!("int f(int x) {{ return {}x; }}", "- ".repeat(deep)),
        format!("void f(void) {{ {}{} }}", "{".repeat(deep), "}".repeat(deep)),
    ] {
        let messages = messages(&text);
        assert!(messages[0].starts_with("nested-too-deeply"), "{messages:?}");
    }
    let outcome = read_with(
        &format!("int f(int x) {{ return x{}; }}", " + 1".repeat(5_000)),
        &ReadOptions::default(),
    );
    assert!(outcome.program.is_some(), "{:?}", outcome.messages);
}

#[test]
fn a_bad_standard_or_database_is_told() {
    let options = ReadOptions::from(COptions {
        standard: Some("c1066".into()),
        ..COptions::default()
    });
    let outcome = read_with("int x;", &options);
    assert!(outcome.program.is_none());
    assert!(outcome.messages[0].contains("c1066") || outcome.messages[0].starts_with("clang-failed"));
    let options = ReadOptions::from(COptions {
        compile_commands: Some("/no/such/compile_commands.json".into()),
        ..COptions::default()
    });
    assert!(read_with("int x;", &options).messages[0].starts_with("bad-compile-commands"));
}
