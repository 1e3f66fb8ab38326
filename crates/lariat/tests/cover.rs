//! `lariat cover` as a whole: formats, tests that gcov measures, limits.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

#[allow(dead_code, reason = "a part is used")]
#[path = "../src/format/schema.rs"]
mod schema;

use std::fs;

use common::{Sandbox, assert_code, assert_says, assert_shows, stdout};
use lariat_report::{CoverReport, CoverStatus};
use lariat_testkit::gcc::tools_are_there;

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);

static int kind(int x)
{
    if (x < 0)
        return 1;
    if (x == 123457)
        return 2;
    if (x < 0)
        return 3;
    return 4;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y;
    switch (kind(x)) {
    case 2:
        if (y > x && __VERIFIER_nondet_int() == y - 1)
            return 5;
        break;
    case 9:
        return 6;
    default:
        while (x > 3)
            x = x / 2;
    }
    return x == 2 ? __VERIFIER_nondet_int() : 0;
}
";

fn sandbox(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("kind.c", PROGRAM);
    sandbox
}

fn report(sandbox: &Sandbox, arguments: &[&str], code: i32) -> CoverReport {
    let mut all = vec!["cover", "--output-format", "json", "kind.c"];
    all.extend(arguments);
    let output = sandbox.run(&all);
    assert_code(&output, code);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let schema = include_str!("../../../docs/schema/cover-1.json");
    let objections = schema::objections_by(schema, &value);
    assert!(objections.is_empty(), "{}\n{value:#}", objections.join("\n"));
    let mut wrong = value.clone();
    wrong["functions"][0]["goals"][0]["status"] = "guessed".into();
    assert!(!schema::objections_by(schema, &wrong).is_empty());
    serde_json::from_value(value).expect("a report")
}

#[test]
fn what_is_claimed_is_executed_when_the_tests_run() {
    if !tools_are_there("what_is_claimed_is_executed_when_the_tests_run", &["gcc", "gcov"]) {
        return;
    }
    let sandbox = sandbox("cover-gcov");
    for more in [&[][..], &["--runs", "0"]] {
        let mut arguments = vec!["--tests", "tests", "--measure"];
        arguments.extend(more);
        let report = report(&sandbox, &arguments, 0);
        let counts = report.counts();
        assert_eq!(
            (counts.dead, counts.bounded, counts.unknown),
            (2, 0, 0),
            "{counts:?}"
        );
        let measured = report.measured.expect("it was measured");
        assert!(measured.failed.is_empty(), "{measured:?}");
        assert!(measured.missed.is_empty(), "{measured:?}");
        assert!(measured.contradicted.is_empty(), "{measured:?}");
        assert!(measured.tests > 1 && measured.compared >= 12, "{measured:?}");
        assert!(measured.taken >= 12, "{measured:?}");
        let needed = report
            .executions
            .iter()
            .filter(|execution| execution.needed)
            .count();
        assert_eq!(measured.tests, needed);
        for execution in report.executions.iter().filter(|execution| execution.needed) {
            let path = execution.test.as_ref().expect("the test was written");
            let text = fs::read_to_string(sandbox.path().join(path)).expect("a test");
            assert!(text.starts_with("/* Written by Lariat: a test."), "{text}");
        }
    }
    let metadata =
        fs::read_to_string(sandbox.path().join("tests/test-suite/metadata.xml")).expect("metadata");
    assert!(
        metadata.contains("<programfile>kind.c</programfile>"),
        "{metadata}"
    );
    assert!(metadata.contains("COVER EDGES(@DECISIONEDGE)"), "{metadata}");
}

#[test]
fn dead_code_is_in_every_format() {
    let sandbox = sandbox("cover-formats");
    let reason = "`x < 0` is false whenever it is evaluated";
    let text = sandbox.run(&["cover", "kind.c"]);
    assert_code(&text, 0);
    assert_shows(&text, "2 dead kind.c");
    assert_shows(&text, &format!("kind.c:9 dead kind, `x < 0` is true: {reason}"));
    let sarif = sandbox.run(&["cover", "kind.c", "--output-format", "sarif"]);
    let log: serde_json::Value = serde_json::from_slice(&sarif.stdout).expect("JSON");
    schema::assert_valid(&log);
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    assert!(
        results.iter().all(|result| result["ruleId"] == "dead-code"),
        "{log:#}"
    );
    let page = sandbox.run(&["cover", "kind.c", "--output-format", "html"]);
    let page = stdout(&page);
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
    assert!(
        page.contains("<tr class=\"bad\"><td class=\"number\">9</td>"),
        "{page}"
    );
    assert!(
        page.contains("<tr class=\"good\"><td class=\"number\">5</td>"),
        "{page}"
    );
    let json = sandbox.run(&["cover", "kind.c", "--output-format", "json", "-o", "result.json"]);
    assert_code(&json, 0);
    let again = sandbox.run(&["explain", "result.json"]);
    assert_code(&again, 0);
    assert_shows(&again, reason);
}

#[test]
fn a_run_that_is_stopped_keeps_what_it_has() {
    let sandbox = Sandbox::new("cover-stopped");
    sandbox.write(
        "hard.bpl",
        common::HARD_PROGRAM
            .replace("  assert", "  if (x == y) { assume false; }\n  if (")
            .replace(
                " != 5316911983139663417828251946283171871bv128;",
                " == 5316911983139663417828251946283171871bv128) { assume true; }",
            ),
    );
    let output = sandbox.run(&[
        "cover",
        "hard.bpl",
        "--time-limit",
        "3",
        "--output-format",
        "json",
    ]);
    assert_code(&output, 3);
    let report: CoverReport = serde_json::from_slice(&output.stdout).expect("a report");
    let reached = |status: &CoverStatus| matches!(status, CoverStatus::Reached { .. });
    assert!(report.goals().any(|goal| reached(&goal.status)), "{report:#?}");
    assert!(report.goals().all(|goal| goal.status != CoverStatus::Pending));
    assert!(report.goals().any(|goal| !reached(&goal.status)));
}

#[test]
fn wrong_requests_are_refused() {
    let sandbox = sandbox("cover-usage");
    let label = sandbox.run(&["cover", "kind.c", "--goal", "nowhere"]);
    assert_code(&label, 2);
    assert_says(&label, "there is no label `nowhere`");
    sandbox.write("empty.bpl", "procedure main() { }");
    let tests = sandbox.run(&["cover", "empty.bpl", "--tests", "tests"]);
    assert_code(&tests, 2);
    assert_says(&tests, "`--tests` is for programs in C");
}

const SUCCESS: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(), sum = 0;
    if (x > 10)
        x = 10;
    assert(x <= 10);
    if (x > 20)
        assert(x == 7);
    if (x > 30)
        reach_error();
    for (int i = 0; i < n; i++) {
        sum++;
        if (sum > 50)
            assert(sum < 100000000);
    }
    return 0;
}
";

#[test]
fn a_success_says_which_checks_it_never_reached() {
    let sandbox = Sandbox::new("verify-coverage");
    sandbox.write("success.c", SUCCESS);
    let options = ["--engine", "dag", "--bound", "3"];
    let verify = |more: &[&str]| sandbox.run(&[&["verify", "success.c"], &options[..], more].concat());
    let output = verify(&["--coverage"]);
    assert_code(&output, 3);
    let text = stdout(&output);
    let listed: Vec<&str> = text
        .lines()
        .filter(|line| line.trim_start().starts_with("success.c:"))
        .collect();
    // Not the call of `reach_error`: that is there to be never reached.
    let expected = [
        "  success.c:12 bounded(3) main, `assert(x == 7);`",
        "  success.c:18 bounded(3) main, `assert(sum < 100000000);`",
    ];
    assert_eq!(listed, expected, "{text}");
    assert_shows(
        &output,
        "coverage: 10 of 13 lines reached, 3 not reached within the bound",
    );
    // Without it nothing more is asked.
    assert!(!stdout(&verify(&[])).contains("coverage"));
    let json = verify(&["--coverage", "--output-format", "json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let schema = include_str!("../../../docs/schema/verify-1.json");
    let objections = schema::objections_by(schema, &value);
    assert!(objections.is_empty(), "{}", objections.join("\n"));
    let schema = include_str!("../../../docs/schema/cover-1.json");
    let objections = schema::objections_by(schema, &value["coverage"]);
    assert!(objections.is_empty(), "{}", objections.join("\n"));
    // A page has it, and a saved result shows it again.
    sandbox.write("saved.json", String::from_utf8(json.stdout).expect("text"));
    let page = sandbox.run(&["explain", "saved.json", "--output-format", "html"]);
    assert_shows(&page, "<tr class=\"bounded\">");
    let page = verify(&["--output-format", "html"]);
    assert_shows(&page, "<tr class=\"bounded\">");
    assert_shows(&page, "10 of 13 lines reached");
    // A failure needs no coverage: its execution is shown.
    sandbox.write("failure.c", SUCCESS.replace("x <= 10", "x < 10"));
    let output = sandbox.run(&["verify", "failure.c", "--coverage"]);
    assert_code(&output, 1);
    assert!(!stdout(&output).contains("coverage"));
}

/// A value that is not initialised is an input of the test. Its type may be an enumeration without a tag, in a header.
#[test]
fn an_input_may_be_of_a_type_without_a_tag() {
    if !tools_are_there("an_input_may_be_of_a_type_without_a_tag", &["gcc", "gcov"]) {
        return;
    }
    let sandbox = Sandbox::new("cover-enum");
    sandbox.write(
        "level.h",
        "typedef enum { LOW, HIGH = 7 } level;\nstruct box { level at; int n; };\n\
         static int is_high(void)\n{\n    struct box box;\n    if (box.at == HIGH)\n        return 1;\n    return 0;\n}\n",
    );
    sandbox.write(
        "kind.c",
        "#include \"level.h\"\nint main(void)\n{\n    return is_high();\n}\n",
    );
    // A test cannot set a variable of a header, so one side of the branch is not taken; but the tests compile.
    let measured = report(&sandbox, &["--tests", "tests", "--measure"], 3).measured;
    let measured = measured.expect("it was measured");
    assert!(measured.failed.is_empty(), "{measured:?}");
}

/// gcov resolves the names of files that the user wrote otherwise.
#[test]
fn files_that_are_named_by_a_way_around_are_measured() {
    if !tools_are_there(
        "files_that_are_named_by_a_way_around_are_measured",
        &["gcc", "gcov"],
    ) {
        return;
    }
    let sandbox = Sandbox::new("cover-way-around");
    sandbox.write("beside/nothing.txt", "");
    sandbox.write("two.c", "int __VERIFIER_nondet_int(void);\nint main(void)\n{\n    if (__VERIFIER_nondet_int() == 3)\n        return 1;\n    return 0;\n}\n");
    let output = sandbox.run(&["cover", "beside/../two.c", "--tests", "tests", "--measure"]);
    assert_code(&output, 0);
    assert_shows(&output, "gcov: 2 of 2 branches taken");
    assert!(
        !stdout(&output).contains(" 0 claims compared"),
        "{}",
        stdout(&output)
    );
}

/// What is dead is so under assumptions, which are said; where nothing is dead there is no need.
#[test]
fn a_proof_says_what_it_rests_on() {
    let sandbox = Sandbox::new("cover-assumptions");
    sandbox.write(
        "room.c",
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (!p) return 1; free(p); return 0; }\n",
    );
    let output = sandbox.run(&["cover", "room.c"]);
    assert_code(&output, 0);
    assert_shows(&output, "`p` is false: ");
    assert_shows(&output, "assuming that:");
    assert_shows(&output, "memory does not run out (--malloc-may-fail)");
    let output = sandbox.run(&["cover", "room.c", "--malloc-may-fail"]);
    assert_code(&output, 0);
    assert_shows(&output, "3 of 3 goals reached");
    assert!(!stdout(&output).contains("assuming that"), "{}", stdout(&output));
}
