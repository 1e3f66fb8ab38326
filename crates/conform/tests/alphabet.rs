//! The alphabet of a component is that of all its call sites (§5.3), whether they can be reached or not, and what the
//! project adds to it.

#[path = "common/project.rs"]
mod project;

use lariat_report::{ConformReport, Verdict};
use project::{Files, rendered};

/// `one` waits for `go`; `two` has it in its alphabet, or not.
fn ask(two: &str, more: &str) -> ConformReport {
    ask_with(two, more, "", "done")
}

/// `one` has renamings, and an action is forbidden.
fn ask_with(two: &str, more: &str, relabel: &str, forbidden: &str) -> ConformReport {
    let text = format!(
        "void go(void); void wait_go(void); void done(void); void other(void);
         int one(void) {{ wait_go(); done(); return 0; }}
         static void helper(int n) {{ if (n) go(); }}
         {two}"
    );
    let project = format!(
        "[specification]
process = \"NEVER\"
fsp = '''
GO = (go -> return{{}} -> STOP).
DONE = (done -> return{{}} -> STOP).
OTHER = (other -> return{{}} -> STOP).
NEVER = STOP + {{{forbidden}}}.
'''
[[component]]
file = \"a.c\"
procedure = \"one\"
{relabel}
[[component]]
file = \"a.c\"
procedure = \"two\"
{more}
[[routine]]
name = \"go\"
process = \"GO\"
[[routine]]
name = \"wait_go\"
process = \"GO\"
[[routine]]
name = \"done\"
process = \"DONE\"
[[routine]]
name = \"other\"
process = \"OTHER\"
"
    );
    Files::new(&[("a.c", &text), ("a.conform", &project)]).run("a.conform")
}

#[test]
fn a_call_that_is_never_reached_is_in_the_alphabet() {
    for two in [
        "int two(void) { other(); if (0) go(); return 0; }",
        "int two(void) { int x = 0; other(); if (x) go(); return 0; }",
        "int two(int y) { other(); if (y > 3 && y < 3) go(); return 0; }",
        "int two(void) { other(); return 0; go(); }",
        "int two(void) { helper(0); return 0; }",
        "int two(void) { if (0) helper(1); return 0; }",
    ] {
        let report = ask(two, "");
        assert_eq!(report.verdict, Verdict::Proved, "{two}\n{}", rendered(&report));
    }
}

#[test]
fn what_is_not_called_is_not_in_the_alphabet() {
    for two in [
        "int two(void) { other(); return 0; }",
        "int unused(void) { go(); return 0; } int two(void) { other(); return 0; }",
    ] {
        assert_eq!(ask(two, "").verdict, Verdict::Bug, "{two}");
    }
}

#[test]
fn a_project_adds_actions() {
    let two = "int two(void) { other(); return 0; }";
    assert_eq!(ask(two, "alphabet = [\"go\"]").verdict, Verdict::Proved);
    assert_eq!(ask(two, "alphabet = [\"go[1]\"]").verdict, Verdict::Bug);
    let report = ask(two, "alphabet = [\"go\", \"tau\"]");
    assert_eq!(report.verdict, Verdict::BadInput);
    assert!(
        rendered(&report).contains("`tau` is not an action"),
        "{}",
        rendered(&report)
    );
}

/// AUT has no alphabets, so the project gives it.
#[test]
fn a_specification_observes_more_than_it_mentions() {
    let files = |more: &str| {
        let project = format!(
            "[specification]\nfile = \"never.aut\"\n{more}
[[component]]\nfile = \"a.c\"\nprocedure = \"one\"
[[routine]]\nname = \"done\"\nprocess = \"done.aut\"\n"
        );
        let text = "void done(void); void one(void) { done(); }";
        let done = "des (0, 2, 3)\n(0, \"done\", 1)\n(1, \"return{}\", 2)\n";
        let never = "des (0, 0, 1)\n";
        Files::new(&[
            ("a.c", text),
            ("a.conform", &project),
            ("done.aut", done),
            ("never.aut", never),
        ])
    };
    assert_eq!(files("").run("a.conform").verdict, Verdict::Proved);
    let report = files("alphabet = [\"done\"]").run("a.conform");
    assert_eq!(report.verdict, Verdict::Bug, "{}", rendered(&report));
}

/// A label is the same whether it is written with brackets or dots.
#[test]
fn renamings_are_labels() {
    let two = "int two(void) { go(); return 0; }";
    for relabel in [
        "relabel = { done = \"done[1]\" }",
        "relabel = { done = \"done.1\" }",
    ] {
        let report = ask_with(two, "", relabel, "done[1]");
        assert_eq!(report.verdict, Verdict::Bug, "{relabel}\n{}", rendered(&report));
        assert!(
            !rendered(&report).contains("no routine has"),
            "{}",
            rendered(&report)
        );
    }
    let report = ask_with(two, "", "relabel = { finished = \"done.1\" }", "done");
    let text = rendered(&report);
    assert!(text.contains("no routine has an action `finished`"), "{text}");
    assert!(text.contains("a.conform:"), "{text}");
}
