//! `lariat angelic` as a whole: the decisions of the user, the files of a run, limits, results for programs.

#[allow(dead_code, reason = "each test uses a part")]
mod common;
#[path = "../src/format/schema.rs"]
mod schema;

use std::fs;
use std::time::{Duration, Instant};

use common::{HARD_PROGRAM, Sandbox, assert_code, assert_says, assert_shows, stderr, stdout};
use lariat_report::{AngelicReport, Confidence, SpecificationStatus};

/// Two alarms of one entry, each excluded by a specification of its own.
const PROGRAM: &str = "\
const NULL: int;
var m: [int]int;
procedure Use(p: int) modifies m;
{
  var q: int;
  assert p != NULL;
  call q := Get();
  assert q != NULL;
  m[p] := q;
}
procedure Get() returns (r: int);
";

/// Runs `lariat angelic a.bpl` with these arguments for a report.
fn report(sandbox: &Sandbox, arguments: &[&str], code: i32) -> AngelicReport {
    let common = ["angelic", "--output-format", "json", "a.bpl"];
    let arguments: Vec<&str> = common.iter().chain(arguments).copied().collect();
    let output = sandbox.run(&arguments);
    assert_code(&output, code);
    serde_json::from_slice(&output.stdout).expect("a report as JSON")
}

/// The file without the comment that explains it.
fn specs(sandbox: &Sandbox) -> String {
    let text = fs::read_to_string(sandbox.path().join("a.specs.toml")).expect("a file of specifications");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| format!("{line}\n")).collect()
}

fn statuses(report: &AngelicReport) -> Vec<(&str, SpecificationStatus)> {
    let specifications = report.specifications.iter();
    let mut statuses: Vec<_> = specifications.map(|it| (it.text.as_str(), it.status)).collect();
    statuses.sort();
    statuses
}

#[test]
fn decisions_are_obeyed_and_kept() {
    use SpecificationStatus::{Accepted, Edited, Inferred, Rejected};
    let sandbox = Sandbox::new("angelic-decisions");
    sandbox.write("a.bpl", PROGRAM);
    let first = report(&sandbox, &[], 0);
    assert_eq!(
        statuses(&first),
        [("Get() != NULL", Inferred), ("p != NULL", Inferred)]
    );

    // What is accepted is assumed from the start, and the file says so after the run too.
    let accepted = specs(&sandbox).replace("\"inferred\"", "\"accepted\"");
    sandbox.write("a.specs.toml", &accepted);
    let second = report(&sandbox, &[], 0);
    assert_eq!(
        statuses(&second),
        [("Get() != NULL", Accepted), ("p != NULL", Accepted)]
    );
    assert_eq!(
        second.entries.iter().map(|entry| entry.stats.traces).sum::<u64>(),
        0
    );
    assert!(specs(&sandbox).contains("\"accepted\"") && !specs(&sandbox).contains("\"inferred\""));

    // What is rejected is a warning.
    let rejected = specs(&sandbox).replacen("\"accepted\"", "\"rejected\"", 1);
    sandbox.write("a.specs.toml", &rejected);
    let third = report(&sandbox, &[], 1);
    assert_eq!(third.warnings.len(), 1);
    assert_eq!(third.warnings[0].confidence, Confidence::Rejected);
    assert_eq!(
        statuses(&third)
            .iter()
            .filter(|(_, status)| *status == Rejected)
            .count(),
        1
    );

    // What is edited is assumed as it stands now.
    let edited = accepted.replace("\"p != NULL\"", "\"p > NULL\"");
    assert_ne!(edited, accepted);
    sandbox.write("a.specs.toml", &edited);
    let fourth = report(&sandbox, &[], 0);
    assert!(
        statuses(&fourth).contains(&("p > NULL", Edited)),
        "{:?}",
        statuses(&fourth)
    );
    assert!(specs(&sandbox).contains("p > NULL"));

    // Text that cannot be read is reported with its place, and nothing is lost.
    let broken = edited.replace("\"p > NULL\"", "\"p > \"");
    sandbox.write("a.specs.toml", &broken);
    let output = sandbox.run(&["angelic", "a.bpl"]);
    assert_code(&output, 2);
    assert_says(&output, "a.specs.toml:");
    assert_eq!(specs(&sandbox), broken);
}

#[test]
fn an_unnecessary_specification_is_reported() {
    let sandbox = Sandbox::new("angelic-unnecessary");
    sandbox.write("a.bpl", PROGRAM);
    report(&sandbox, &[], 0);
    sandbox.write(
        "a.specs.toml",
        specs(&sandbox).replace("\"inferred\"", "\"accepted\""),
    );
    sandbox.write("a.bpl", PROGRAM.replace("  assert p != NULL;\n", ""));
    let output = sandbox.run(&["angelic", "a.bpl"]);
    let text = stdout(&output);
    assert!(text.contains("unnecessary: Use requires p != NULL"), "{text}");
    assert!(!text.contains("unnecessary: Use requires Get()"), "{text}");
}

#[test]
fn entries_that_have_not_changed_are_not_analysed_again() {
    let sandbox = Sandbox::new("angelic-cache");
    let other = "procedure Other(p: int) { assert p != NULL; }\n";
    sandbox.write("a.bpl", format!("{PROGRAM}{other}"));
    let reused = |report: &AngelicReport| -> Vec<String> {
        let entries = report.entries.iter().filter(|entry| entry.reused);
        entries.map(|entry| entry.name.clone()).collect()
    };
    let first = report(&sandbox, &[], 0);
    assert_eq!(reused(&first), [""; 0]);
    assert!(sandbox.path().join(".a.angelic.json").is_file());
    let second = report(&sandbox, &[], 0);
    assert_eq!(reused(&second), ["Use", "Other"]);
    assert_eq!(second.specifications, first.specifications);
    let edited = other.replace("assert", "assert p == p; assert");
    sandbox.write("a.bpl", format!("{PROGRAM}{edited}"));
    assert_eq!(reused(&report(&sandbox, &[], 0)), ["Use"]);
    assert_eq!(reused(&report(&sandbox, &["--no-cache"], 0)), [""; 0]);
}

#[test]
fn nothing_is_written_where_nothing_is_wanted() {
    let sandbox = Sandbox::new("angelic-no-files");
    sandbox.write("a.bpl", PROGRAM);
    report(&sandbox, &["--no-specs", "--no-cache"], 0);
    let files = fs::read_dir(sandbox.path()).expect("a folder").count();
    assert_eq!(files, 1);
}

#[test]
fn results_for_programs_are_what_they_claim_to_be() {
    let sandbox = Sandbox::new("angelic-sarif");
    sandbox.write(
        "a.bpl",
        PROGRAM.replace("  var q: int;\n", "  var q: int;\n  assert NULL == 1;\n"),
    );
    let arguments = [
        "angelic",
        "--no-specs",
        "--suppressed",
        "--output-format",
        "sarif",
        "a.bpl",
    ];
    let output = sandbox.run(&arguments);
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    schema::assert_valid(&log);
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert!(
        results
            .iter()
            .any(|result| result["suppressions"][0]["kind"] == "external"),
        "{log:#}"
    );
    let to_file = sandbox.run(&[
        "angelic",
        "--no-specs",
        "--no-cache",
        "--color",
        "always",
        "-o",
        "out.txt",
        "a.bpl",
    ]);
    assert_eq!(stdout(&to_file), "");
    let text = fs::read_to_string(sandbox.path().join("out.txt")).expect("a result");
    assert!(
        text.contains("specifications assumed") && !text.contains('\u{1b}'),
        "{text}"
    );
}

#[test]
fn a_time_limit_of_one_entry_is_its_own_affair() {
    let sandbox = Sandbox::new("angelic-time");
    let easy = "procedure Easy(x: int) { assert x == x; }\n";
    sandbox.write("a.bpl", format!("const NULL: int;\n{HARD_PROGRAM}{easy}"));
    let started = Instant::now();
    let output = sandbox.run(&["angelic", "--entry-time-limit", "1", "--no-specs", "a.bpl"]);
    assert_code(&output, 3);
    assert_shows(&output, "incomplete: main");
    assert_shows(&output, "2 entries (1 incomplete)");
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn accepted_specifications_that_contradict_each_other_are_reported() {
    let sandbox = Sandbox::new("angelic-contradiction");
    sandbox.write(
        "a.bpl",
        "const NULL: int; procedure Get(x: int) { assert x != NULL; }\n",
    );
    let spec = |text: &str| format!("[[spec]]\nentry = \"Get\"\nspec = \"{text}\"\nstatus = \"accepted\"\n");
    sandbox.write(
        "a.specs.toml",
        format!("{}{}", spec("x != NULL"), spec("x == NULL")),
    );
    let output = sandbox.run(&["angelic", "a.bpl"]);
    let shown = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{shown} {}", stderr(&output));
    assert!(
        shown.contains("incomplete: Get") && shown.contains("contradict"),
        "{shown}"
    );
}

/// A specification that was not found in time is not a reason to warn.
#[test]
fn an_explanation_that_is_late_is_no_warning() {
    let sandbox = Sandbox::new("angelic-late");
    let text = "const NULL: int; procedure Get(x: int) { assert x != NULL; }\n";
    sandbox.write("a.bpl", text);
    let output = sandbox.run(&[
        "angelic",
        "--explain-time-limit",
        "0.000001",
        "--no-specs",
        "a.bpl",
    ]);
    let shown = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{shown} {}", stderr(&output));
    assert!(
        shown.contains("incomplete: Get") && shown.contains("--explain-time-limit"),
        "{shown}"
    );
    assert!(shown.contains("no warnings"), "{shown}");
}

#[test]
fn man_pages_and_completions_know_the_command() {
    let sandbox = Sandbox::new("angelic-generated");
    assert!(stdout(&sandbox.run(&["completions", "bash"])).contains("--entry-roots"));
    let output = sandbox.run(&["man", "--out", "pages"]);
    assert_code(&output, 0);
    let page = fs::read_to_string(sandbox.path().join("pages/lariat-angelic.1")).expect("a page");
    assert!(
        page.contains("explain\\-time\\-limit") && page.contains("no\\-quantifiers"),
        "{page}"
    );
}
