//! `lariat bench` on a small suite.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use std::fs;

use common::{Sandbox, assert_code, assert_shows, stdout};

fn suite(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("suite/safe.bpl", "procedure main(x: int) { assert x == x; }");
    sandbox.write("suite/bug.bpl", "procedure main(x: int) { assert x != 7; }");
    sandbox.write("suite/refused.bpl", "procedure main(x: int) { assert y; }");
    sandbox.write(
        "suite/manifest.jsonl",
        r#"{"file": "safe.bpl", "expect": "safe", "bound": 2, "peer_seconds": {"other": 1.5}}
{"file": "bug.bpl", "expect": "bug", "bound": 2, "peer_seconds": {"other": 0.5}}
{"file": "refused.bpl", "expect": "reject"}
{"file": "safe.bpl", "expect": "accept"}
{"file": "bug.bpl", "expect": "unknown", "bound": 2}
{"file": "bug.bpl", "expect": "bug", "command": "angelic"}
"#,
    );
    sandbox
}

#[test]
fn a_suite_is_judged_and_written_down() {
    let sandbox = suite("bench");
    let output = sandbox.run(&["bench", "suite", "--out", "out", "--time-limit", "30"]);
    assert_code(&output, 0);
    let text = stdout(&output);
    let last = text.lines().last().expect("a last line");
    assert!(
        last.starts_with("4 right, 0 wrong, 1 unsolved of 6 in ") && last.ends_with(" s"),
        "{text}"
    );
    assert!(text.contains("bugs replayed"), "{text}");
    assert!(text.contains("MB/s"), "{text}");

    let lines = fs::read_to_string(sandbox.path().join("out/results.jsonl")).expect("results");
    assert_eq!(lines.lines().count(), 6);
    let csv = fs::read_to_string(sandbox.path().join("out/results.csv")).expect("a table");
    assert_eq!(csv.lines().count(), 7);
    let page = fs::read_to_string(sandbox.path().join("out/report.html")).expect("a page");
    for part in ["cactus plot", "scatter plot", "peer: other", "refused.bpl"] {
        assert!(page.contains(part), "{part} is not on the page");
    }
    assert!(
        !page.contains("http://") && !page.contains("https://"),
        "the page must be self-contained"
    );
}

#[test]
fn a_wrong_verdict_is_shown_by_the_exit_code() {
    let sandbox = suite("wrong");
    sandbox.write("suite/manifest.jsonl", r#"{"file": "bug.bpl", "expect": "safe"}"#);
    let output = sandbox.run(&["bench", "suite", "--out", "out"]);
    assert_code(&output, 1);
    assert_shows(&output, "0 right, 1 wrong, 0 unsolved of 1 in ");
}

#[test]
fn a_panic_in_a_row_is_shown_by_the_exit_code() {
    let sandbox = suite("panic");
    sandbox.write(
        "suite/manifest.jsonl",
        r#"{"file": "open.bpl", "expect": "bug", "command": "angelic"}"#,
    );
    sandbox.write(
        "suite/open.bpl",
        "const NULL: int; procedure main(x: int) { assert x != 7; }",
    );
    let mut command = sandbox.lariat(&["bench", "suite", "--out", "out"]);
    let output = command
        .env("LARIAT_TEST_FAULT", "entry")
        .output()
        .expect("started");
    assert_code(&output, 101);
    assert_shows(&output, "1 row ended by a crash");
}

#[test]
fn a_run_is_resumed_from_what_was_written() {
    let sandbox = suite("resume");
    let run = |more: &[&str]| {
        let arguments = [
            &["bench", "suite", "--out", "out", "--engine", "stratified,static"],
            more,
        ]
        .concat();
        let output = sandbox.run(&arguments);
        assert_code(&output, 0);
        fs::read_to_string(sandbox.path().join("out/results.jsonl")).expect("results")
    };
    let first = run(&[]);
    assert_eq!(first.lines().count(), 12);
    // A run that was killed after five records, in the middle of the sixth.
    let mark = |line: &str| line.replacen("\"solver_calls\":", "\"solver_calls\":99", 1);
    let mut cut: Vec<String> = first.lines().take(5).map(mark).collect();
    cut.push("{\"series\": \"strat".to_owned());
    sandbox.write("out/results.jsonl", cut.join("\n"));
    let kept = |results: &str| {
        results
            .lines()
            .filter(|line| line.contains("\"solver_calls\":99"))
            .count()
    };
    let second = run(&["--resume"]);
    assert_eq!((second.lines().count(), kept(&second)), (12, 5), "{second}");
    // With other settings nothing is kept.
    let third = run(&["--resume", "--seed", "5"]);
    assert_eq!((third.lines().count(), kept(&third)), (12, 0), "{third}");
}

#[test]
fn two_runs_are_compared() {
    let sandbox = suite("compare");
    sandbox.run(&["bench", "suite", "--out", "before", "--filter", "bug"]);
    let output = sandbox.run(&["bench", "suite", "--out", "after", "--compare", "before"]);
    assert_code(&output, 0);
    let page = fs::read_to_string(sandbox.path().join("after/report.html")).expect("a page");
    assert!(page.contains("before: portfolio"));
}
