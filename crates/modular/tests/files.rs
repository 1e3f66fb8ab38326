//! Boogie programs with the flags and the lines that are expected of them in their first comments:
//!
//! ```text
//! // flags: -inline:spec
//! // (12,3): Error: this assertion could not be proved
//! // finished with 2 verified, 1 error
//! ```

use std::fs;
use std::path::Path;

use lariat_base::Budget;
use lariat_report::{BoogieReport, BoogieRequest};

fn verify(arguments: &[&str], path: &Path) -> BoogieReport {
    let mut arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    arguments.push(path.display().to_string());
    let request = BoogieRequest {
        arguments,
        ..BoogieRequest::default()
    };
    lariat_modular::verify(&request, &Budget::unlimited(), &mut |_| {})
}

/// The lines of the head: flags and what is expected.
fn head(text: &str) -> (Vec<&str>, Vec<&str>) {
    let mut flags = Vec::new();
    let mut expected = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        match line.strip_prefix("flags:") {
            Some(given) => flags.extend(given.split_whitespace()),
            None => expected.push(line),
        }
    }
    (flags, expected)
}

/// Lines without the path of the file and without what the head leaves out.
fn shown(report: &BoogieReport, path: &Path) -> Vec<String> {
    let path = path.display().to_string();
    let lines = report.lines.iter().filter(|line| !line.is_empty());
    lines
        .map(|line| line.replace(&path, "").replace("Boogie program verifier ", ""))
        .collect()
}

#[test]
fn every_file_gives_the_lines_of_its_head() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    names.sort();
    assert!(names.len() >= 12, "programs are missing");
    let mut wrong = Vec::new();
    for path in names {
        let text = fs::read_to_string(&path).expect("a program");
        let (flags, expected) = head(&text);
        assert!(!expected.is_empty(), "{}: nothing is expected", path.display());
        let found = shown(&verify(&flags, &path), &path);
        if found != expected {
            wrong.push(format!(
                "{}:\n{}\ninstead of\n{}",
                path.display(),
                found.join("\n"),
                expected.join("\n")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/contracts.bpl");
    let alone = verify(&["-vcsCores:1"], &path);
    let together = verify(&["-vcsCores:3"], &path);
    assert_eq!(alone.lines, together.lines);
    assert_eq!(alone.procedures, together.procedures);
}

#[test]
fn an_unknown_flag_is_refused() {
    let report = verify(&["-noSuchFlag"], Path::new("a.bpl"));
    assert!(report.bad_arguments);
    assert!(
        report.lines[0].starts_with("*** Error: '-noSuchFlag'"),
        "{:?}",
        report.lines
    );
}

#[test]
fn a_proof_is_kept_until_something_changes() {
    let folder = std::env::temp_dir().join(format!("lariat-modular-cache-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("a.bpl");
    let run = |text: &str, check: bool| {
        fs::write(&file, text).expect("written");
        let request = BoogieRequest {
            arguments: vec![file.display().to_string()],
            jobs: Some(1),
            cache: Some(lariat_report::BoogieCache {
                folder: folder.join("cache"),
                check,
            }),
        };
        let report = lariat_modular::verify(&request, &Budget::unlimited(), &mut |_| {});
        let cached: Vec<bool> = report
            .procedures
            .iter()
            .map(|procedure| procedure.cached)
            .collect();
        (report.counts.verified, report.counts.errors, cached)
    };
    let callee = "procedure Q(x: int) returns (y: int); ensures y > x;\n";
    let caller = "procedure P(x: int) { var y: int; call y := Q(x); assert y >= x; }\n";
    let program = format!("{callee}{caller}");
    assert_eq!(run(&program, false), (1, 0, vec![false]));
    assert_eq!(run(&program, false), (1, 0, vec![true]));
    // A text that only moved is the same, and `check` proves again.
    assert_eq!(run(&format!("\n\n{program}"), false), (1, 0, vec![true]));
    assert_eq!(run(&program, true), (1, 0, vec![false]));
    // The contract of a callee has changed.
    let weaker = program.replace("y > x;", "y > x - 2;");
    assert_eq!(run(&weaker, false), (0, 1, vec![false]));
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn the_limit_of_errors_is_kept() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/errors.bpl");
    assert_eq!(verify(&["-proc:Many", "-errorLimit:1"], &path).counts.errors, 1);
    assert_eq!(verify(&["-proc:Many", "-errorLimit:0"], &path).counts.errors, 2);
}
