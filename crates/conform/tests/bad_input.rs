//! Wrong projects: every message says where, what was expected and what to do; nothing panics or hangs.

#[path = "common/project.rs"]
mod project;

use lariat_report::Verdict;
use lariat_testkit::Random;
use lariat_testkit::mutate::mutate;
use project::{Files, rendered};

const C: &str = "
void acquire(void);
int receive(int channel, long limit);
void run(void) { acquire(); if (receive(1, 2) > 0) acquire(); }
int answer(void) { acquire(); return 42; }
";

const FSP: &str = "
ACQUIRE = (lock -> return{} -> STOP).
RECEIVE = (get -> return{1} -> STOP | miss -> return{0} -> STOP).
SPEC = (lock -> SPEC | get -> SPEC | miss -> SPEC).
";

const PROJECT: &str = "
[specification]
file = \"spec.fsp\"
process = \"SPEC\"

[[component]]
file = \"run.c\"
procedure = \"run\"

[[routine]]
name = \"acquire\"
process = \"ACQUIRE\"

[[routine]]
name = \"receive\"
process = \"RECEIVE\"
";

fn files() -> Files {
    Files::new(&[("run.c", C), ("spec.fsp", FSP), ("a.conform", PROJECT)])
}

/// The project with one text replaced by another gives all these messages.
fn expect(file: &str, from: &str, to: &str, messages: &[&str]) {
    let mut files = files();
    files.replace(file, from, to);
    let report = files.run("a.conform");
    let text = rendered(&report);
    assert_eq!(report.verdict, Verdict::BadInput, "{from} -> {to}: {text}");
    for message in messages {
        assert!(
            text.contains(message),
            "{from} -> {to}: no {message:?} in:\n{text}"
        );
    }
    for diagnostic in &report.diagnostics {
        // Syntax errors, and values of the wrong type, say what was expected.
        let is_told = ["expected", "must be"]
            .iter()
            .any(|word| diagnostic.message.contains(word));
        let is_told = is_told || diagnostic.hint.is_some() || diagnostic.code.starts_with("c-");
        assert!(is_told, "{from} -> {to}: no hint in:\n{text}");
    }
}

#[test]
fn the_project_itself_is_right() {
    let report = files().run("a.conform");
    assert_eq!(report.verdict, Verdict::Proved, "{}", rendered(&report));
}

#[test]
fn project_files() {
    let change = |from: &str, to: &str, messages: &[&str]| expect("a.conform", from, to, messages);
    change(
        "procedure",
        "procedur",
        &[
            "unknown key `procedur`",
            "did you mean `procedure`?",
            "a.conform:8:1",
        ],
    );
    change(
        "[specification]",
        "[spezification]",
        &["unknown table `spezification`", "a.conform:2:2"],
    );
    change(
        "spec.fsp",
        "other.fsp",
        &[
            "cannot read",
            "other.fsp",
            "a.conform:3:8",
            "relative to the project file",
        ],
    );
    change(
        "run.c",
        "other.c",
        &["there is no file", "other.c", "a.conform:7:8"],
    );
    change(
        "\"spec.fsp\"",
        "17",
        &["`file` must be a text in quotes, not an integer", "a.conform:3:8"],
    );
    change(
        "file = \"run.c\"",
        "files = \"run.c\"",
        &["`files` must be a list of texts, not a string"],
    );
    change("procedure = \"run\"", "procedure = \"walk\"", &["walk"]);
    change(
        "process = \"SPEC\"",
        "process = \"SPECK\"",
        &["no process `SPECK`", "did you mean `SPEC`?", "a.conform:4:11"],
    );
    change(
        "process = \"ACQUIRE\"",
        "process = \"REQUIRE\"",
        &["no process `REQUIRE`", "a.conform:12:11"],
    );
    change(
        "process = \"SPEC\"\n",
        "",
        &["which process is the specification?"],
    );
    change("process = \"ACQUIRE\"", "", &["`acquire` has no process"]);
    change("[specification]", "[specification", &["a.conform:2"]);
    change(
        "procedure = \"run\"",
        "procedure = \"run\"\nmacros = [\"SIZE=3\", \"3D\"]",
        &["`3D` defines no macro", "a.conform:9:"],
    );
    change("file = \"run.c\"\n", "", &["no C file"]);
    change("file = \"spec.fsp\"\n", "", &["either `file` or `fsp`"]);
    change(
        "[[component]]",
        "[options]\nlevels = \"three\"\n[[component]]",
        &["`levels` cannot be \"three\"", "`both`"],
    );
    change(
        "[[component]]",
        "[options]\nstates = -1\n[[component]]",
        &["`states` must be 0 or more"],
    );
    change(
        "[[component]]",
        "[options]\nerrors = 1\n[[component]]",
        &["`errors` must be `true` or `false`, not an integer"],
    );
    change(
        PROJECT,
        "",
        &["the project has no specification", "the project has no component"],
    );
    change(PROJECT, "\u{0}\u{1}\u{7f}", &["a.conform:1"]);
}

#[test]
fn a_missing_project() {
    let report = files().run("other.conform");
    assert_eq!(report.verdict, Verdict::BadInput);
    assert!(rendered(&report).contains("other.conform"));
}

#[test]
fn guards() {
    let with = |alternatives: &str, messages: &[&str]| {
        let to = format!("parameters = [\"c\", \"l\"]\nalternatives = [{alternatives}]");
        expect("a.conform", "process = \"RECEIVE\"", &to, messages);
    };
    let two = |one: &str, other: &str| {
        format!(
            "{{ guard = \"{one}\", process = \"RECEIVE\" }}, {{ guard = \"{other}\", process = \"ACQUIRE\" }}"
        )
    };
    with(
        &two("c > 0", "c >= 0"),
        &[
            "two guards of `receive` can hold at once",
            "a.conform:17",
            "exclude each other",
        ],
    );
    with(
        &two("c > 0", "c < 0"),
        &["no guard of `receive` may hold", "cover all cases"],
    );
    with(
        &two("c > 0", "d <= 0"),
        &["no parameter or global `d`", "`c`, `l`", "a.conform:17"],
    );
    with(&two("c > 0", "c <= "), &["a.conform:17"]);
    with(&two("c > 0", "*c <= 0"), &["a.conform:17"]);
    with(
        &two("c > 0", "c <= 99999999999999999999"),
        &["99999999999999999999 is too large", "a.conform:17"],
    );
    for (declared, guard, message) in [
        ("int *channel", "c % 2 == 1", "`c % 2` computes with a pointer"),
        ("int *channel", "-c == 1", "computes with a pointer"),
        ("double channel", "c % 2 == 1", "`%` is for integers"),
    ] {
        let mut files = files();
        let alternatives = two(guard, "true");
        files.replace("run.c", "int channel", declared);
        files.replace("run.c", "receive(1,", "receive(0,");
        files.replace(
            "a.conform",
            "process = \"RECEIVE\"",
            &format!("parameters = [\"c\", \"l\"]\nalternatives = [{alternatives}]"),
        );
        let report = files.run("a.conform");
        let text = rendered(&report);
        assert_eq!(report.verdict, Verdict::BadInput, "{guard}: {text}");
        assert!(text.contains(message) && text.contains("a.conform:17"), "{text}");
    }
    with("{ guard = \"true\" }", &["`process` is missing", "a.conform:17"]);
    with("\"RECEIVE\"", &["must be a list of tables, not a string"]);
    expect(
        "a.conform",
        "procedure = \"run\"",
        "procedure = \"run\"\nguard = \"mode > 0\"",
        &["no parameter or global `mode`"],
    );
    expect(
        "a.conform",
        "process = \"SPEC\"",
        "process = \"SPEC\"\nguards = { walk = \"true\" }",
        &["there is no component `walk`", "there are run"],
    );
}

#[test]
fn labels_and_formulas() {
    let change = |from: &str, to: &str, messages: &[&str]| expect("a.conform", from, to, messages);
    for (old, new) in [("lock", ""), ("lock", "tau"), ("return{}", "a"), ("lock", "a..b")] {
        change(
            "procedure = \"run\"",
            &format!("procedure = \"run\"\nrelabel = {{ \"{old}\" = \"{new}\" }}"),
            &["a.conform:9", "renamed", "relabel ="],
        );
    }
    change(
        "procedure = \"run\"",
        "procedure = \"run\"\nname = \"\"",
        &["empty name", "a.conform:9:8"],
    );
    // The place of an error in a formula is in the project file.
    change(
        "process = \"SPEC\"",
        "ltl = \"[] (lock -> \"",
        &["a.conform:4:20", "expected"],
    );
    change(
        "process = \"SPEC\"",
        "ltl = '''\n[] lock\n && X nonsense[x]'''",
        &["a.conform:6:16"],
    );
}

#[test]
fn routines_that_do_not_fit() {
    expect(
        "a.conform",
        "process = \"RECEIVE\"",
        "parameters = [\"c\"]\nprocess = \"RECEIVE\"",
        &["`receive` has 2 parameters", "a.conform:15"],
    );
    // What is returned must be returned once and for all, and only a return ends a routine.
    expect(
        "spec.fsp",
        "return{} -> STOP",
        "return{} -> ACQUIRE",
        &["ACQUIRE", "return{}"],
    );
    expect(
        "spec.fsp",
        "(lock -> return{} -> STOP)",
        "(lock -> STOP)",
        &["ACQUIRE", "return"],
    );
    expect(
        "a.conform",
        "name = \"receive\"",
        "name = \"acquire\"",
        &["acquire", "twice"],
    );
}

#[test]
fn systems() {
    let change = |from: &str, to: &str, messages: &[&str]| expect("spec.fsp", from, to, messages);
    change("ACQUIRE = (lock", "ACQUIRE = (lock ->", &["spec.fsp:2"]);
    change("-> SPEC)", "-> SPEC", &["spec.fsp:"]);
    change(
        "SPEC = (",
        "SPEC = SPEC. OTHER = (",
        &["without an action in between", "spec.fsp:4"],
    );
    change("lock -> SPEC", "lock[i:0..99999999] -> SPEC", &["spec.fsp:4"]);
    change(FSP, "", &["no process `SPEC`"]);
    change(FSP, "\u{1}\u{2}%%&\u{fffd}", &["spec.fsp:1"]);
    let parentheses = format!(
        "SPEC = {}(a -> SPEC){}.",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    change(
        "SPEC = (lock -> SPEC",
        &format!("{parentheses} OTHER = (lock -> OTHER"),
        &["spec.fsp:4"],
    );
    let expression = format!(
        "SPEC = (a[{}1{}] -> SPEC).",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    change(
        "SPEC = (lock -> SPEC",
        &format!("{expression} OTHER = (lock -> OTHER"),
        &["spec.fsp:4"],
    );
}

#[test]
fn aut_files() {
    let with = |aut: &str, messages: &[&str]| {
        let mut files = files();
        files.replace(
            "a.conform",
            "file = \"spec.fsp\"\nprocess = \"SPEC\"",
            "file = \"spec.aut\"",
        );
        files.replace("a.conform", "process = \"ACQUIRE\"", "process = \"acquire.aut\"");
        files.replace("a.conform", "process = \"RECEIVE\"", "process = \"receive.aut\"");
        files.write("spec.aut", aut);
        files.write(
            "acquire.aut",
            "des (0, 2, 3)\n(0, \"lock\", 1)\n(1, \"return{}\", 2)\n",
        );
        files.write(
            "receive.aut",
            "des (0, 2, 3)\n(0, \"get\", 1)\n(1, \"return{1}\", 2)\n",
        );
        let report = files.run("a.conform");
        let text = rendered(&report);
        let expected = match messages.is_empty() {
            true => Verdict::Proved,
            false => Verdict::BadInput,
        };
        assert_eq!(report.verdict, expected, "{aut}: {text}");
        for message in messages {
            assert!(text.contains(message), "{aut}: no {message:?} in:\n{text}");
        }
    };
    with("des (0, 2, 1)\n(0, \"lock\", 0)\n(0, \"get\", 0)\n", &[]);
    with("", &["spec.aut:1"]);
    with("des (0, 2, 1)\n(0, lock, 0\n", &["spec.aut:2"]);
    with("des (0, 1, 1)\n(0, lock, 7)\n", &["spec.aut:2"]);
    with(
        "des (0, 1, 1)\n(0, \"lock, 0)\n",
        &["spec.aut:2", "the quote of `\"lock` is not closed"],
    );
    with(
        "des (0, 99999999999999999999, 1)\n(0, lock, 0)\n",
        &["spec.aut:1"],
    );
    with("des (0, 1, 4294967295)\n(0, lock, 0)\n", &["spec.aut:1"]);
    with("\u{0}\u{ff}", &["spec.aut:1"]);
}

#[test]
fn components() {
    let change = |from: &str, to: &str, messages: &[&str]| expect("run.c", from, to, messages);
    change(
        "void run(void) {",
        "void run(void) { run();",
        &["`run` is recursive: run -> run", "run.c:4:18", "library routine"],
    );
    change(
        "void run(void) {",
        "void second(void); void first(void) { second(); } void second(void) { first(); }\nvoid run(void) { first();",
        &["is recursive", "first", "second", "run.c:4"],
    );
    change("acquire(); if", "acquire() if", &["run.c:4"]);
    change(C, "", &["run"]);
    let deep = format!(
        "void run(void) {{ {}acquire();{}",
        "if (receive(1, 2)) {".repeat(20_000),
        "}".repeat(20_000)
    );
    change("void run(void) {", &deep, &["run.c"]);
    let deep = format!(
        "void run(void) {{ int x = {}1{};",
        "(".repeat(50_000),
        ")".repeat(50_000)
    );
    change("void run(void) {", &deep, &["run.c"]);
}

/// What may be a slip gets an answer and a warning.
#[test]
fn warnings() {
    let expect = |file: &str, from: &str, to: &str, messages: &[&str]| {
        let mut files = files();
        files.replace(file, from, to);
        let report = files.run("a.conform");
        let text = rendered(&report);
        assert_eq!(report.verdict, Verdict::Proved, "{from} -> {to}: {text}");
        for message in messages {
            assert!(
                text.contains(message),
                "{from} -> {to}: no {message:?} in:\n{text}"
            );
        }
    };
    assert!(files().run("a.conform").diagnostics.is_empty());
    expect(
        "run.c",
        "if (receive(1, 2) > 0) acquire();",
        "",
        &[
            "no component can reach a call of `receive`",
            "a.conform:15:8",
            "no component ever does `get`, `miss`",
        ],
    );
    expect(
        "spec.fsp",
        "(lock -> SPEC | get -> SPEC | miss -> SPEC)",
        "(look -> SPEC)",
        &[
            "no component ever does `look`",
            "the specification observes nothing that `run` does",
            "+ {action}",
            "a.conform:4:11",
        ],
    );
    expect(
        "run.c",
        C,
        "void acquire(int *p); int receive(int channel, long limit);
         void run(void) { int x; acquire(&x); receive(1, 2); }",
        &[
            "note",
            "`acquire` is taken to change nothing that its arguments point to",
        ],
    );
    expect(
        "a.conform",
        "[[component]]",
        "[[component]]\nfile = \"run.c\"\nprocedure = \"answer\"\n[[component]]",
        &[],
    );
}

/// Files that were right, with some bytes changed: whatever the answer is, there is one.
#[test]
fn mutated_files() {
    let mut random = Random::new(1);
    let pieces = [
        "(", ")", "{", "}", "[", "]", "->", "=", "|", "\"", ".", ",", "0", "9", "\n", "STOP", "return{",
        "..", "#",
    ];
    let mut bad = 0;
    for round in 0..200 {
        let (file, original) = [("a.conform", PROJECT), ("spec.fsp", FSP)][round % 2];
        let text = mutate(&mut random, original, &pieces);
        let mut files = files();
        files.write(file, &text);
        let report = files.run_within(10.0, "a.conform");
        if report.verdict == Verdict::BadInput {
            bad += 1;
            let message = rendered(&report);
            assert!(
                report
                    .diagnostics
                    .iter()
                    .any(|diagnostic| !diagnostic.message.is_empty()),
                "{text}"
            );
            assert!(message.contains("error"), "{message}");
        }
    }
    assert!(bad > 70, "{bad}");
}
