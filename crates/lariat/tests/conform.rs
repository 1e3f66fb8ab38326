//! `lariat conform` as a whole: results for programs, pages, exported systems, limits.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use std::fs;

use common::{Sandbox, assert_code, assert_shows, stderr, stdout};
use lariat_report::{ConformAsked, ConformModelKind, ConformReport, TraceKind, UnknownCause, Verdict};

const PROGRAM: &str = "\
extern int lock(void);
extern void unlock(void);
int work(int n)
{
    int held = lock();
    if (held && n > 3) {
        unlock();
    }
    return 0;
}
";

/// Of `LOCK` it is a violation to return with the lock held, of `ANY` it is none.
const PROJECT: &str = "\
[[specification]]
fsp = '''
LOCK      = (lock -> unlock -> LOCK | return{0} -> STOP).
ANY       = (lock -> ANY | unlock -> ANY).
DO_LOCK   = (lock -> return{1} -> STOP).
DO_UNLOCK = (unlock -> return{} -> STOP).
'''
process = \"LOCK\"

[[specification]]
process = \"ANY\"

[[component]]
name = \"<worker>\"
file = \"work.c\"
procedure = \"work\"

[[routine]]
name = \"lock\"
process = \"DO_LOCK\"

[[routine]]
name = \"unlock\"
process = \"DO_UNLOCK\"
";

fn sandbox(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("work.c", PROGRAM);
    sandbox.write("work.conform", PROJECT);
    sandbox
}

fn report(sandbox: &Sandbox, arguments: &[&str], code: i32) -> ConformReport {
    let common = ["conform", "--output-format", "json"];
    let arguments: Vec<&str> = common.iter().chain(arguments).copied().collect();
    let output = sandbox.run(&arguments);
    let printed = format!("{} {}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(code), "{printed}");
    serde_json::from_slice(&output.stdout).expect("a report as JSON")
}

#[test]
fn programs_read_a_report() {
    let sandbox = sandbox("conform-json");
    let report = report(&sandbox, &["work.conform"], 1);
    assert_eq!((report.schema_version, &report.verdict), (1, &Verdict::Bug));
    let [lock, any] = report.specifications.as_slice() else {
        panic!("two specifications: {report:?}");
    };
    assert_eq!(
        (lock.specification.as_str(), any.specification.as_str()),
        ("LOCK", "ANY")
    );
    assert_eq!((&lock.verdict, &any.verdict), (&Verdict::Bug, &Verdict::Proved));
    assert_eq!(any.violation, None);
    let violation = lock.violation.as_ref().expect("a violation");
    let steps: Vec<&str> = violation.steps.iter().map(|step| step.action.as_str()).collect();
    assert_eq!(steps, ["lock", "return{0}"]);
    assert_eq!(violation.allowed, ["unlock"]);
    assert_eq!(violation.steps[1].components, ["<worker>"]);
    let trace = &violation.runs[0].trace;
    assert_eq!(trace.last().map(|line| line.kind), Some(TraceKind::Failure));
    let value = trace
        .iter()
        .flat_map(|line| &line.changes)
        .find(|change| change.name == "held");
    assert_eq!(value.map(|change| change.value.as_str()), Some("1"));
    // Pictures are for pages.
    assert!(lock.models.is_empty());
}

#[test]
fn a_page_has_charts_traces_and_models_and_no_markup_of_the_user() {
    let sandbox = sandbox("conform-html");
    let output = sandbox.run(&["conform", "-q", "work.conform", "--report", "page.html"]);
    assert_code(&output, 1);
    let page = fs::read_to_string(sandbox.path().join("page.html")).expect("a page");
    for part in [
        "<!DOCTYPE html>",
        "class=\"chart\"",
        "class=\"step wrong\"",
        "&lt;worker&gt;",
        "data:image/svg+xml,",
        "action-guided abstraction of",
        "LOCK allows here: unlock",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert!(!page.contains("<worker>"));
    let output = sandbox.run(&[
        "conform",
        "work.conform",
        "--output-format",
        "html",
        "-o",
        "other.html",
    ]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""));
    let other = fs::read_to_string(sandbox.path().join("other.html")).expect("a page");
    assert!(other.contains("class=\"chart\""));
}

#[test]
fn systems_are_exported_and_can_be_read_again() {
    let sandbox = sandbox("conform-export");
    let report = report(
        &sandbox,
        &["work.conform", "--specification", "ANY", "--export", "systems"],
        0,
    );
    assert_eq!(report.specifications.len(), 1);
    let folder = sandbox.path().join("systems/ANY");
    for name in [
        "specification",
        "_worker_.MP",
        "_worker_.MA",
        "_worker_.routine.lock",
        "_worker_.routine.unlock",
    ] {
        for extension in ["aut", "dot", "svg"] {
            let path = folder.join(format!("{name}.{extension}"));
            assert!(path.is_file(), "{}", path.display());
        }
    }
    let aut = fs::read_to_string(folder.join("specification.aut")).expect("a system");
    assert!(aut.starts_with("des (0, 2, 1)\n"), "{aut}");
    // What was exported is a specification like any other.
    let project = "\
[specification]
file = \"systems/ANY/specification.aut\"
[[component]]
file = \"work.c\"
procedure = \"work\"
[[routine]]
name = \"lock\"
process = \"systems/ANY/_worker_.routine.lock.aut\"
[[routine]]
name = \"unlock\"
process = \"systems/ANY/_worker_.routine.unlock.aut\"
";
    sandbox.write("again.conform", project);
    let output = sandbox.run(&["conform", "-q", "again.conform"]);
    assert_shows(&output, "proved  again.conform  systems/ANY/specification.aut");
}

#[test]
fn both_levels_have_their_models() {
    let sandbox = sandbox("conform-models");
    for (levels, kinds) in [
        (
            "both",
            &[
                ConformModelKind::Specification,
                ConformModelKind::ActionGuidedAbstraction,
                ConformModelKind::PredicateAbstraction,
            ][..],
        ),
        (
            "predicates",
            &[
                ConformModelKind::Specification,
                ConformModelKind::PredicateAbstraction,
            ],
        ),
    ] {
        let arguments = [
            "work.conform",
            "--levels",
            levels,
            "--specification",
            "ANY",
            "--report",
            "page.html",
        ];
        let report = report(&sandbox, &arguments, 0);
        let models = &report.specifications[0].models;
        let found: Vec<ConformModelKind> = models.iter().map(|model| model.kind).collect();
        assert_eq!(found, kinds);
        assert!(models.iter().all(|model| model.states > 0 && model.svg.is_some()));
    }
}

/// An answer that the project does not expect is told in the shortest output, too, and is no success.
#[test]
fn an_expectation_that_is_not_met_is_a_failure() {
    let sandbox = sandbox("conform-expect");
    let only = ["conform", "-q", "--specification", "ANY", "work.conform"];
    for (expected, code, told) in [("conforms", 0, false), ("violates", 1, true)] {
        let expect = format!("process = \"ANY\"\nexpect = \"{expected}\"");
        sandbox.write("work.conform", PROJECT.replace("process = \"ANY\"", &expect));
        let output = sandbox.run(&only);
        assert_eq!(output.status.code(), Some(code), "{}", stdout(&output));
        let text = stdout(&output);
        assert_eq!(text.contains("the project says that it violates"), told, "{text}");
        assert!(text.contains("proved"), "{text}");
    }
}

#[test]
fn without_time_there_is_no_answer() {
    let sandbox = sandbox("conform-time");
    let report = report(&sandbox, &["work.conform", "--time-limit", "0.000001s"], 3);
    match &report.verdict {
        Verdict::Unknown { cause, .. } => assert_eq!(*cause, UnknownCause::Time),
        verdict => panic!("{verdict}"),
    }
}

#[test]
fn a_program_is_asked_whether_it_reaches_an_error() {
    let sandbox = Sandbox::new("conform-reach");
    sandbox.write(
        "a.c",
        "int main(void) { int x; if (x == 7) { ERROR: return 1; } return 0; }",
    );
    let report = report(&sandbox, &["a.c", "--machine", "ilp32"], 1);
    assert_eq!(report.specifications[0].asked, ConformAsked::Reachability);
    assert_eq!(report.files, ["a.c"]);
}
