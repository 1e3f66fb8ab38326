//! Whole projects: a small one with two programs, a library, a file with an error and one in C++.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use common::{Sandbox, stderr, stdout};
use serde_json::{Value, json};

const STACK_H: &str = "struct stack { int used; int items[4]; };
void push(struct stack *s, int x);
int pop(struct stack *s);
";

/// `check` is another function in each file that has one.
const STACK: &str = "#include \"stack.h\"
static int check(int n) { return n >= 0 && n < 4; }
void push(struct stack *s, int x) { if (check(s->used)) s->items[s->used++] = x; }
int pop(struct stack *s) { return s->used > 0 ? s->items[--s->used] : -1; }
";

const GOOD: &str = "#include <assert.h>
#include \"stack.h\"
static int check(int x) { return x == 7; }
int main(void) { struct stack s = {0}; push(&s, 7); assert(check(pop(&s))); return 0; }
";

const BAD: &str = "#include <assert.h>
#include \"stack.h\"
int input(void);
int main(void) { struct stack s = {0}; push(&s, input()); assert(pop(&s) != LIMIT); return 0; }
";

const LIBRARY: &str = "#include <assert.h>
static int half(int x) { return x / 2; }
int parse_digit(int c) { assert(c != 300); return c >= '0' && c <= '9' ? c - '0' : -1; }
int parse_half(int c) { int d = parse_digit(c & 255); assert(half(d) < 5); return d; }
int ratio(int x) { return 10 / x; }
";

fn project(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    for folder in ["src", "build"] {
        std::fs::create_dir_all(sandbox.path().join(folder)).expect("a folder");
    }
    let files = [
        ("src/stack.h", STACK_H),
        ("src/stack.c", STACK),
        ("src/good.c", GOOD),
        ("src/bad.c", BAD),
        ("src/library.c", LIBRARY),
        ("src/broken.c", "int f( { }\n"),
        ("src/plus.cpp", "int x() { return 0; }\n"),
    ];
    for (file, text) in files {
        sandbox.write(file, text);
    }
    database(
        &sandbox,
        &["stack.c", "good.c", "bad.c", "library.c", "broken.c", "plus.cpp"],
    );
    sandbox
}

/// Writes a compilation database with these files.
fn database(sandbox: &Sandbox, files: &[&str]) {
    let folder = sandbox.path().join("build");
    let entries: Vec<Value> = files
        .iter()
        .map(|file| {
            let command = format!("cc -DLIMIT=9 -c ../src/{file}");
            json!({ "directory": folder, "file": format!("../src/{file}"), "command": command })
        })
        .collect();
    sandbox.write("build/compile_commands.json", Value::from(entries).to_string());
}

/// `verdict entry file` for each line of the table, and the exit code.
fn verdicts(sandbox: &Sandbox, arguments: &[&str]) -> (Vec<String>, Option<i32>) {
    let arguments = [&["verify", "--output-format", "json"], arguments].concat();
    let output = sandbox.run(&arguments);
    let report: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let row = |entry: &Value| {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let verdict = text(&entry["report"]["verdict"]["kind"]);
        let reused = if entry["reused"] == json!(true) {
            " reused"
        } else {
            ""
        };
        format!(
            "{verdict} {} {}{reused}",
            text(&entry["entry"]),
            text(&entry["file"])
        )
    };
    let entries = report["entries"].as_array().expect("entries");
    (entries.iter().map(row).collect(), output.status.code())
}

#[test]
fn every_program_and_library_entry_has_a_line() {
    let sandbox = project("project-all");
    let output = sandbox.run(&["verify", "--compile-commands", "build", "--jobs", "2"]);
    let (text, errors) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(1), "{text}{errors}");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| !line.starts_with("verdict "))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let cells: Vec<[&str; 3]> = lines[1..6]
        .iter()
        .map(|line| [line[0], line[1], line[2]])
        .collect();
    assert_eq!(
        cells,
        [
            ["proved", "main", "src/good.c"],
            ["bug", "main", "src/bad.c"],
            ["bug", "parse_digit", "src/library.c"],
            ["proved", "parse_half", "src/library.c"],
            ["bug", "ratio", "src/library.c"],
        ],
        "{text}"
    );
    assert!(text.contains("not read: src/broken.c\n"), "{text}");
    assert!(text.contains("2 programs, 3 library entries"), "{text}");
    assert!(errors.contains("src/broken.c:1:8"), "{errors}");
    assert!(
        errors.contains("1 of the files in the database are not C"),
        "{errors}"
    );
    // The macro is shown as it is written.
    assert!(text.contains("pop(&s) != LIMIT is false"), "{text}");
}

#[test]
fn patterns_choose_entries_and_results_are_kept() {
    let sandbox = project("project-resume");
    let all = ["--compile-commands", "build/compile_commands.json", "--resume"];
    let parsers = [&all[..], &["--entry", "parse_*"]].concat();
    let first = ["bug parse_digit src/library.c", "proved parse_half src/library.c"];
    assert_eq!(
        verdicts(&sandbox, &parsers),
        (first.map(str::to_owned).to_vec(), Some(1))
    );
    // The others are added; what was done is not done again.
    let (rows, _) = verdicts(&sandbox, &all);
    assert_eq!(
        rows,
        [
            "proved main src/good.c",
            "bug main src/bad.c",
            "bug parse_digit src/library.c reused",
            "proved parse_half src/library.c reused",
            "bug ratio src/library.c",
        ]
    );
    // A header that changes makes those who read it out of date, and a run of some entries keeps the others.
    sandbox.write("src/stack.h", format!("{STACK_H}\n"));
    verdicts(&sandbox, &parsers);
    let (rows, _) = verdicts(&sandbox, &all);
    assert_eq!(
        rows,
        [
            "proved main src/good.c",
            "bug main src/bad.c",
            "bug parse_digit src/library.c reused",
            "proved parse_half src/library.c reused",
            "bug ratio src/library.c reused",
        ]
    );
}

#[test]
fn what_an_interrupted_run_had_done_is_kept() {
    let sandbox = project("project-cut");
    let state = sandbox.path().join("build/lariat-verify.jsonl");
    let all = ["--compile-commands", "build", "--resume"];
    verdicts(&sandbox, &all);
    // As if the process had been killed while it wrote the third line.
    let text = std::fs::read_to_string(&state).expect("the state file");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    let cut = format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..40]);
    std::fs::write(&state, cut).expect("the state file");
    let (rows, _) = verdicts(&sandbox, &all);
    let reused = rows.iter().filter(|row| row.ends_with(" reused")).count();
    assert_eq!((rows.len(), reused), (5, 2), "{rows:?}");
}

#[test]
fn sarif_and_pages_have_every_finding_once() {
    let sandbox = project("project-formats");
    // A second entry that comes to the division.
    sandbox.write(
        "src/library.c",
        format!("{LIBRARY}int inverse(int x) {{ return ratio(x); }}\n"),
    );
    let common = [
        "verify",
        "--compile-commands",
        "build",
        "--entry",
        "ratio",
        "--entry",
        "inv*",
    ];
    let sarif = sandbox.run(&[&common[..], &["--output-format", "sarif"]].concat());
    let log: Value = serde_json::from_str(&stdout(&sarif)).expect("SARIF is JSON");
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 1, "{log:#}");
    assert_eq!(results[0]["properties"]["entries"], json!(["ratio", "inverse"]));
    let verdicts: Vec<&Value> = run["properties"]["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|entry| &entry["verdict"])
        .collect();
    assert_eq!(verdicts, ["bug", "bug"]);
    // A file of the project could not be read.
    assert_eq!(run["invocations"][0]["executionSuccessful"], json!(false));
    // A page has every step, so results without them are not taken over.
    sandbox.run(&[&common[..], &["--output-format", "html"]].concat());
    let page = stdout(&sandbox.run(&[&common[..], &["--output-format", "html", "--resume"]].concat()));
    for part in ["division by zero", "inverse", "from an earlier run"] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[test]
fn files_that_are_named_can_have_patterns_too() {
    let sandbox = project("project-named");
    let rows = verdicts(&sandbox, &["src/library.c", "--entry", "parse_h*"]);
    assert_eq!(
        rows,
        (vec!["proved parse_half src/library.c".to_owned()], Some(0))
    );
    let nothing = sandbox.run(&["verify", "src/library.c", "--entry", "print_*"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert_eq!(
        stderr(&nothing),
        "error: no function of the files fits `print_*`\n"
    );
}

#[test]
fn bad_projects_are_told() {
    let sandbox = project("project-bad");
    let failed = |arguments: &[&str]| {
        let output = sandbox.run(&[&["verify"], arguments].concat());
        (stderr(&output), output.status.code())
    };
    let (message, code) = failed(&["--compile-commands", "src"]);
    assert!(message.contains("is no compilation database"), "{message}");
    assert_eq!(code, Some(2));
    let (message, code) = failed(&["--compile-commands", "build", "--harness", "h.c"]);
    assert!(message.contains("`--harness` is for one program"), "{message}");
    assert_eq!(code, Some(2));
    database(&sandbox, &["plus.cpp"]);
    let (message, code) = failed(&["--compile-commands", "build"]);
    assert!(message.contains("names no C file"), "{message}");
    assert_eq!(code, Some(2));
}
