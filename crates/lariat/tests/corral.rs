//! `corral` as SMACK starts it, and what SMACK reads from its output.

#![cfg(unix)]

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use std::os::unix::fs::symlink;
use std::process::Output;
use std::time::{Duration, Instant};

use common::{HARD_PROGRAM, Sandbox, stderr, stdout};
use regex::Regex;

/// The flags that SMACK passes to every run, with these bounds.
fn flags_of_smack(loop_limit: u32, unroll: u32, seconds: u32, violations: u32) -> Vec<String> {
    vec![
        "/tryCTrace".to_owned(),
        "/noTraceOnDisk".to_owned(),
        "/printDataValues:1".to_owned(),
        "/k:1".to_owned(),
        "/useProverEvaluate".to_owned(),
        format!("/timeLimit:{seconds}"),
        format!("/cex:{violations}"),
        format!("/maxStaticLoopBound:{loop_limit}"),
        format!("/recursionBound:{unroll}"),
        "/bopt:proverOpt:O:smt.qi.eager_threshold=100".to_owned(),
        "/bopt:proverOpt:O:smt.arith.solver=2".to_owned(),
    ]
}

/// Runs the program under the name `corral` on a file that is given by its whole path.
fn run(name: &str, program: &str, flags: &[String]) -> (Output, String) {
    let sandbox = Sandbox::new(&format!("corral-{name}"));
    sandbox.write("program.bpl", program);
    let corral = sandbox.path().join("corral");
    symlink(env!("CARGO_BIN_EXE_lariat"), &corral).expect("a link");
    let file = sandbox.path().join("program.bpl");
    let mut command = std::process::Command::new(corral);
    command.arg(&file).args(flags).current_dir(sandbox.path());
    let output = command.output().expect("corral can be started");
    assert_eq!(stderr(&output), "", "everything is on standard output");
    let text = stdout(&output);
    (output, text)
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

/// The first row of SMACK's table that matches anywhere.
fn verdict(text: &str) -> &'static str {
    let rows = [
        (
            r"(?-u)[1-9]\d* time out|Z3 ran out of resources|timed out|ERRORS_TIMEOUT",
            "timeout",
        ),
        (
            r"(?-u)[1-9]\d* verified, 0 errors?|no bugs|NO_ERRORS_NO_TIMEOUT",
            "verified",
        ),
        (
            r"(?-u)\d* verified, [1-9]\d* errors?|can fail|ERRORS_NO_TIMEOUT",
            "error",
        ),
    ];
    let row = rows
        .into_iter()
        .find(|(pattern, _)| regex(pattern).is_match(text));
    row.map_or("unknown", |(_, verdict)| verdict)
}

/// What kind of failure SMACK reports.
fn kind(text: &str) -> Option<String> {
    let found = regex(r"ASSERTION FAILS assert \{:(.+)\}").captures(text)?;
    Some(found[1].to_owned())
}

/// The steps of the trace: file, line, column, thread and what is said.
fn steps(text: &str) -> Vec<(String, u32, u32, u32, String)> {
    let step = regex(r"^([A-Za-z0-9_#$~%./-]+)\(([0-9]+),([0-9]+)\): Trace: Thread=([0-9]+)  \((.*)$");
    text.lines()
        .filter_map(|line| step.captures(line))
        .map(|found| {
            let number = |index: usize| found[index].parse().expect("a number");
            (
                found[1].to_owned(),
                number(2),
                number(3),
                number(4),
                found[5].to_owned(),
            )
        })
        .collect()
}

const PROGRAM: &str = r#"
procedure boogie_si_record_bv32(x: bv32);
procedure boogie_si_record_int(x: int);
function {:bvbuiltin "bvadd"} $add.bv32(x: bv32, y: bv32) returns (bv32);
var $CurrAddr: int;

procedure __VERIFIER_nondet_int() returns ($r: bv32);

procedure $initialize()
{
  $CurrAddr := 1024;
}

procedure get() returns ($r: bv32)
{
  var $i0: bv32;

  assume {:sourceloc "lib/smack.c", 1463, 11} true;
  call $i0 := __VERIFIER_nondet_int();
  call {:cexpr "smack:ext:__VERIFIER_nondet_int"} boogie_si_record_bv32($i0);
  call {:cexpr "x"} boogie_si_record_bv32($i0);
  assume $i0 == 3221225472bv32;
  $r := $i0;
}

procedure {:entrypoint} main() returns ($r: int)
{
  var $i1: bv32;

  call $initialize();
  assume {:sourceloc "/src/a.c", 8, 11} true;
  assume {:verifier.code 0} true;
  call {:cexpr "smack:entry:main"} boogie_si_record_int($CurrAddr);
  call $i1 := get();
  call {:cexpr "v"} boogie_si_record_bv32($i1);
  assume {:sourceloc "/src/a.c", 11, 3} true;
  assert {:overflow} $add.bv32($i1, $i1) != 2147483648bv32;
}
"#;

#[test]
fn smack_reads_a_bug_with_its_kind_and_trace() {
    let (output, text) = run("bug", PROGRAM, &flags_of_smack(1, 1, 1200, 1));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(verdict(&text), "error", "{text}");
    assert_eq!(kind(&text).as_deref(), Some("overflow"), "{text}");
    assert!(regex(r"(?m)^Program has a potential bug: True bug$").is_match(&text));
    assert!(text.contains("/src/a.c(11,1): error PF5001: This assertion can fail\n\nExecution trace:\n"));
    let steps = steps(&text);
    let has = |file: &str, line: u32, said: &str| {
        let found = steps
            .iter()
            .find(|step| step.0 == file && step.1 == line && step.4 == said);
        assert!(found.is_some_and(|step| step.3 == 1), "{said} in {text}");
    };
    has("/src/a.c", 8, "CALL $initialize, RETURN from $initialize )");
    has("/src/a.c", 8, "smack:entry:main = 1024)");
    has("/src/a.c", 8, "CALL get)");
    has(
        "lib/smack.c",
        1463,
        "smack:ext:__VERIFIER_nondet_int = 3221225472bv32)",
    );
    has("lib/smack.c", 1463, "x = 3221225472bv32)");
    has("/src/a.c", 8, "RETURN from get )");
    has("/src/a.c", 8, "v = 3221225472bv32)");
    has(
        "/src/a.c",
        11,
        "ASSERTION FAILS assert {:overflow} $add.bv32($i1, $i1) != 2147483648bv32;",
    );
    has("/src/a.c", 11, "Done)");
    assert!(text.contains(";\n )\n"), "the line after the assertion: {text}");
    // One record on a line, for `--replay`.
    let replayed = regex(r"\((smack:.*) = (.*)\)");
    let replayed: Vec<&str> = text.lines().filter(|line| replayed.is_match(line)).collect();
    assert_eq!(replayed.len(), 2, "{text}");
}

#[test]
fn smack_reads_that_there_is_no_bug() {
    let program = PROGRAM.replace("!= 2147483648bv32", "== 2147483648bv32");
    let (output, text) = run("safe", &program, &flags_of_smack(1, 2, 1200, 1));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(verdict(&text), "verified", "{text}");
    assert!(regex(r"(?m)^Program has no bugs$").is_match(&text));
    assert!(
        !text.contains("Reached recursion bound"),
        "nothing was cut: {text}"
    );
}

#[test]
fn a_bound_that_cut_something_is_told() {
    let program = "procedure {:entrypoint} main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i != 50; }";
    let (_, text) = run("bounded", program, &flags_of_smack(1, 3, 1200, 1));
    assert_eq!(verdict(&text), "verified", "{text}");
    assert!(
        regex(r"(?m)^Program has no bugs\nReached recursion bound of 3$").is_match(&text),
        "{text}"
    );
}

#[test]
fn after_a_bug_nothing_says_that_there_are_none() {
    let program = "procedure {:entrypoint} main(x: int) { assume {:sourceloc \"a.c\", 1, 1} true; assert {:valid_deref} x == 2; assert {:valid_free} x > 3; }";
    let (_, text) = run("several", program, &flags_of_smack(1, 1, 1200, 3));
    assert_eq!(verdict(&text), "error", "{text}");
    assert_eq!(text.matches("This assertion can fail").count(), 2, "{text}");
}

#[test]
fn the_time_limit_ends_before_smack_kills() {
    let started = Instant::now();
    let (output, text) = run("limit", HARD_PROGRAM, &flags_of_smack(1, 1, 2, 1));
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(verdict(&text), "timeout", "{text}");
}

#[test]
fn the_competition_has_growing_bounds() {
    let program = "procedure {:entrypoint} main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i < 1000000; }";
    let flags = [
        "/trackAllVars",
        "/v:1",
        "/recursionBound:65536",
        "/timeLimit:3",
        "/tryCTrace",
    ];
    let flags = flags.map(str::to_owned);
    let (_, text) = run("deep", program, &flags);
    let bound = regex(r"(?-u)Exhausted recursion bound of (\d+)");
    match verdict(&text) {
        "timeout" => assert!(bound.is_match(&text), "{text}"),
        verdict => assert_eq!(verdict, "error", "{text}"),
    }
}

#[test]
fn a_wrong_call_is_refused_as_corral_refuses_it() {
    let (output, text) = run("refused", PROGRAM, &["/noSuchFlag".to_owned()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text.starts_with("\nUsage error: Invalid flag: /noSuchFlag\n"),
        "{text}"
    );
    assert_eq!(verdict(&text), "unknown");
    let (output, text) = run(
        "broken",
        "procedure main() { assert 1; }",
        &flags_of_smack(1, 1, 60, 1),
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("\nError, Invalid input: "), "{text}");
    assert_eq!(verdict(&text), "unknown");
}
