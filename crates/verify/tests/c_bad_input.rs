//! C input that is wrong, odd or large: a clear message, never a crash.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_base::threads::spawn_with_big_stack;
use lariat_report::{UnknownCause, Verdict, VerifyReport, VerifyRequest};

/// Verifies a file with this content.
fn verify(name: &str, content: &[u8]) -> VerifyReport {
    let folder = std::env::temp_dir().join(format!("lariat-c-bad-input-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path: PathBuf = folder.join("program.c");
    std::fs::write(&path, content).expect("a file");
    let request = VerifyRequest::new(vec![path]);
    let report = std::thread::scope(|scope| {
        let work = || {
            lariat_verify::verify(
                &request,
                &Budget::unlimited().within(Duration::from_secs(120)),
                &mut |_| {},
            )
        };
        spawn_with_big_stack(scope, name, work)
            .expect("a thread")
            .join()
            .expect("no panic")
    });
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    report
}

/// The first error: line, message and hint.
fn first_error(report: &VerifyReport) -> (Option<u32>, &str, Option<&str>) {
    assert_eq!(report.verdict, Verdict::BadInput);
    let error = report.errors().next().expect("an error");
    let line = error.location.as_ref().map(|location| location.line);
    (line, &error.message, error.hint.as_deref())
}

#[test]
fn a_missing_header_is_named_with_what_to_do() {
    let report = verify(
        "header",
        b"\n#include \"nowhere_to_be_found.h\"\nint main(void) { return 0; }\n",
    );
    let (line, message, hint) = first_error(&report);
    assert_eq!(line, Some(2));
    assert!(message.contains("nowhere_to_be_found.h"), "{message}");
    assert!(hint.is_some_and(|hint| hint.contains("-I")), "{hint:?}");
}

#[test]
fn a_syntax_error_has_its_place() {
    let report = verify("syntax", b"int main(void)\n{\n    int x = ;\n    return x;\n}\n");
    let (line, message, _) = first_error(&report);
    assert_eq!((line, message), (Some(3), "expected expression"));
}

#[test]
fn old_style_definitions_are_read() {
    let text = b"extern void reach_error(void);\nadd(a, b) int a; char b; { return a + b; }\n\
                 int main() { if (add(1, 2) != 3) reach_error(); return 0; }\n";
    assert_eq!(verify("old-style", text).verdict, Verdict::Proved);
}

#[test]
fn what_is_no_c_is_said_to_be_none() {
    let report = verify("binary", b"PK\x03\x04\x00\x01binary\xff\xfe\x00");
    let (_, message, _) = first_error(&report);
    assert!(message.contains("not a C file"), "{message}");
    let report = verify("prose", b"Dear Sir or Madam,\n\nthis is a letter.\n");
    assert_eq!(first_error(&report).0, Some(1));
}

#[test]
fn a_program_without_main_is_told_which_functions_there_are() {
    let report = verify("no-main", b"int helper(int x) { return x; }\n");
    let (_, message, hint) = first_error(&report);
    assert!(message.contains("`main`"), "{message}");
    assert!(hint.is_some_and(|hint| hint.contains("`helper`")), "{hint:?}");
}

#[test]
fn a_program_that_says_nothing_is_no_success() {
    let report = verify("nothing", b"int main(void) { return 0; }\n");
    let is_nothing = matches!(
        report.verdict,
        Verdict::Unknown {
            cause: UnknownCause::NothingChecked,
            ..
        }
    );
    assert!(is_nothing, "{}", report.verdict);
}

#[test]
fn fifty_thousand_lines_are_read_in_seconds() {
    let mut text = String::from("extern void reach_error(void);\nint total;\n");
    for index in 0..10_000 {
        text.push_str(&format!(
            "int step{index}(int x)\n{{\n    total += x & {index};\n    return total;\n}}\n"
        ));
    }
    text.push_str("int main(void)\n{\n    total = 1;\n    if (step7(7) != 8)\n        reach_error();\n    return 0;\n}\n");
    let started = Instant::now();
    let report = verify("large", text.as_bytes());
    assert_eq!(report.verdict, Verdict::Proved);
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "{:?}",
        started.elapsed()
    );
}
