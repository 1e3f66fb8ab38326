//! How components end, in all types, and actions whose names are those of the tool's own.

#[path = "common/project.rs"]
mod project;

use lariat_report::{ConformReport, Verdict};
use project::{Files, rendered};

fn ask(text: &str, specification: &str) -> ConformReport {
    let project = format!(
        "[specification]\nprocess = \"SPEC\"\nfsp = '''
A = (a -> return{{}} -> STOP).
FAULT = (error -> unsupported -> return{{}} -> STOP).
SPEC = {specification}.
'''
[[component]]\nfile = \"run.c\"\nprocedure = \"run\"
[[routine]]\nname = \"a\"\nprocess = \"A\"
[[routine]]\nname = \"fault\"\nprocess = \"FAULT\"\n"
    );
    let text = format!("void a(void); void fault(void);\n{text}");
    Files::new(&[("run.c", &text), ("a.conform", &project)]).run("a.conform")
}

fn trace(report: &ConformReport) -> Option<String> {
    let violation = report.specifications.first()?.violation.as_ref()?;
    let names: Vec<&str> = violation.steps.iter().map(|step| step.action.as_str()).collect();
    Some(names.join(" "))
}

#[track_caller]
fn conforms(text: &str, specification: &str) {
    let report = ask(text, specification);
    let found = trace(&report);
    assert_eq!(report.verdict, Verdict::Proved, "{found:?} {}", rendered(&report));
}

#[track_caller]
fn violates(text: &str, specification: &str, expected: &str) {
    let report = ask(text, specification);
    assert_eq!(report.verdict, Verdict::Bug, "{}", rendered(&report));
    assert_eq!(trace(&report).as_deref(), Some(expected));
}

#[test]
fn procedures_without_a_value() {
    conforms("void run(void) { a(); }", "(a -> return{} -> STOP)");
    violates(
        "void run(void) { a(); }",
        "(a -> STOP) + {return{}}",
        "a return{}",
    );
    // Once the value of another return was thought to be missing here.
    conforms(
        "void run(void) { a(); }",
        "(a -> return{} -> STOP | return{0} -> STOP)",
    );
    violates(
        "void run(void) { a(); }",
        "(a -> return{0} -> STOP)",
        "a return{other}",
    );
    conforms("void run(void) { a(); }", "(a -> STOP)");
}

#[test]
fn procedures_with_a_value() {
    conforms("int run(void) { a(); return 5; }", "(a -> return{} -> STOP)");
    conforms("int run(void) { a(); return 5; }", "(a -> STOP)");
    conforms(
        "int run(int n) { if (n > 0) return 1; return -1; }",
        "(return{1} -> STOP | return{-1} -> STOP)",
    );
    violates(
        "int run(int n) { return n; }",
        "(return{1} -> STOP | return{-1} -> STOP)",
        "return{other}",
    );
    violates(
        "int run(void) { a(); return 3; }",
        "(a -> return{} -> STOP) + {return{3}}",
        "a return{3}",
    );
}

#[test]
fn types_of_values() {
    conforms(
        "unsigned run(void) { return -1; }",
        "(return{4294967295} -> STOP)",
    );
    violates(
        "unsigned run(void) { return -1; }",
        "(return{-1} -> STOP)",
        "return{other}",
    );
    conforms(
        "signed char run(void) { return (signed char)200; }",
        "(return{-56} -> STOP)",
    );
    conforms("unsigned char run(void) { return 456; }", "(return{200} -> STOP)");
    conforms("_Bool run(void) { return 7; }", "(return{1} -> STOP)");
    violates(
        "_Bool run(int n) { return n; }",
        "(return{1} -> STOP)",
        "return{other}",
    );
    conforms(
        "long run(void) { return 1L << 40; }",
        "(return{1099511627776} -> STOP)",
    );
    conforms("int *run(void) { return 0; }", "(return{0} -> STOP)");
    conforms(
        "enum e { X = 3 }; enum e run(void) { return X; }",
        "(return{3} -> STOP)",
    );
}

/// A number is no value of these.
#[test]
fn values_that_have_no_number() {
    for text in [
        "double run(void) { return 1; }",
        "struct s { int x; }; struct s run(void) { struct s s = { 1 }; return s; }",
    ] {
        let report = ask(text, "(return{1} -> STOP)");
        assert_eq!(report.verdict, Verdict::BadInput, "{text}");
        let shown = rendered(&report);
        assert!(
            shown.contains("does not return an integer") && shown.contains("return{}"),
            "{shown}"
        );
        conforms(text, "(return{} -> STOP)");
    }
}

/// Actions of the specification may be called like those for errors and unsupported constructs.
#[test]
fn names_of_actions() {
    conforms("void run(void) { fault(); }", "(a -> SPEC)");
    conforms("void run(void) { fault(); }", "(error -> STOP)");
    conforms("void run(void) { fault(); }", "(unsupported -> STOP)");
    violates("void run(void) { fault(); }", "STOP + {error}", "error");
}
