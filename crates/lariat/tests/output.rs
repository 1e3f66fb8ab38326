//! Every command in every output format, and writes that fail.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

#[allow(dead_code, reason = "a part is used")]
#[path = "../src/format/schema.rs"]
mod schema;

use std::fs::{self, File};
use std::process::Stdio;

use common::{Sandbox, assert_code, assert_says, stderr, stdout};

/// One run of each command: its arguments and its exit code.
const RUNS: [(&[&str], i32); 3] = [
    (&["verify", "--engine", "dag", "bug.bpl"], 1),
    (&["angelic", "--no-specs", "--no-cache", "open.bpl"], 1),
    (&["conform", "reach.c"], 1),
];

fn sandbox(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("bug.bpl", "procedure main(x: int) { assert x != 7; }");
    sandbox.write(
        "open.bpl",
        "const NULL: int; procedure P(x: int) { if (x == 3) { assert false; } }",
    );
    sandbox.write(
        "reach.c",
        "int main(void) { int x; if (x == 7) { ERROR: return 1; } return 0; }",
    );
    sandbox
}

/// What identifies a result in a format.
fn assert_is(format: &str, text: &str) {
    match format {
        "text" => assert!(text.contains("bug  ") || text.contains("1 warning, "), "{text}"),
        "html" => assert!(
            text.starts_with("<!DOCTYPE html>")
                && text.contains("class=\"trace\"")
                && text.contains("id=\"lariat-data\""),
            "{text}"
        ),
        _ => {
            let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
            match format {
                "json" => assert_eq!(value["schema_version"], 1),
                _ => {
                    assert_eq!(value["version"], "2.1.0");
                    let results = value["runs"][0]["results"].as_array().expect("results");
                    assert_eq!(results.len(), 1, "{text}");
                    assert!(results[0]["codeFlows"].is_array(), "{text}");
                }
            }
        }
    }
}

#[test]
fn every_command_has_every_format_on_standard_output_and_in_a_file() {
    let sandbox = sandbox("formats");
    for (arguments, code) in RUNS {
        for format in ["text", "json", "sarif", "html"] {
            let mut arguments = arguments.to_vec();
            arguments.extend(["--output-format", format]);
            let printed = sandbox.run(&arguments);
            assert_code(&printed, code);
            assert_is(format, &stdout(&printed));
            arguments.extend(["-o", "result", "--report", "page.html"]);
            let written = sandbox.run(&arguments);
            assert_code(&written, code);
            assert_eq!(stdout(&written), "");
            let result = fs::read_to_string(sandbox.path().join("result")).expect("a result");
            assert_is(format, &result);
            let page = fs::read_to_string(sandbox.path().join("page.html")).expect("a page");
            assert_is("html", &page);
        }
    }
}

#[test]
fn json_is_what_the_published_schemas_say() {
    let sandbox = sandbox("schemas");
    let schemas = [
        include_str!("../../../docs/schema/verify-1.json"),
        include_str!("../../../docs/schema/angelic-1.json"),
        include_str!("../../../docs/schema/conform-1.json"),
    ];
    for ((arguments, _), schema) in RUNS.into_iter().zip(schemas) {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--output-format", "json", "--report", "page.html"]);
        let output = sandbox.run(&arguments);
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let objections = schema::objections_by(schema, &result);
        assert!(objections.is_empty(), "{}\n{result:#}", objections.join("\n"));
        // The schema says something: what lacks a field or has another type is refused.
        for field in ["schema_version", "files", "diagnostics"] {
            let mut wrong = result.clone();
            wrong[field] = serde_json::json!("wrong");
            assert!(!schema::objections_by(schema, &wrong).is_empty(), "{field}");
        }
    }
}

#[test]
fn a_saved_result_is_shown_again() {
    let sandbox = sandbox("explain");
    for (arguments, code) in RUNS {
        let mut arguments = arguments.to_vec();
        let text = stdout(&sandbox.run(&arguments));
        arguments.extend(["--output-format", "json", "-o", "saved.json"]);
        assert_eq!(sandbox.run(&arguments).status.code(), Some(code));
        let again = sandbox.run(&["explain", "saved.json", "--report", "again.html"]);
        assert_eq!(again.status.code(), Some(code), "{}", stderr(&again));
        // All but the figures.
        let first = |text: &str| text.lines().next().map(str::to_owned);
        assert_eq!(first(&stdout(&again)), first(&text));
        let page = fs::read_to_string(sandbox.path().join("again.html")).expect("a page");
        assert_is("html", &page);
        let sarif = sandbox.run(&["explain", "saved.json", "--output-format", "sarif"]);
        assert_is("sarif", &stdout(&sarif));
    }
    sandbox.write("other.json", "{ \"schema_version\": 99 }");
    sandbox.write("none.json", "[]");
    for (file, message) in [
        ("other.json", "has version 99"),
        ("none.json", "is no result of Lariat"),
        ("bug.bpl", "is no JSON"),
        ("missing.json", "cannot be read"),
    ] {
        let output = sandbox.run(&["explain", file]);
        assert_eq!(output.status.code(), Some(2), "{file}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn only_what_is_new_counts_with_a_baseline() {
    let sandbox = sandbox("baseline");
    for (arguments, code) in RUNS {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--output-format", "sarif", "-o", "old.sarif"]);
        assert_eq!(sandbox.run(&arguments).status.code(), Some(code));
        arguments.truncate(arguments.len() - 2);
        arguments.extend(["--baseline", "old.sarif"]);
        let known = sandbox.run(&arguments);
        assert_eq!(known.status.code(), Some(0), "{}", stderr(&known));
        let log: serde_json::Value = serde_json::from_str(&stdout(&known)).expect("JSON");
        assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
    }
    // A failure of another line is new.
    let arguments = ["verify", "--engine", "dag", "bug.bpl", "--output-format", "sarif"];
    let old = stdout(&sandbox.run(&arguments));
    sandbox.write("old.sarif", old);
    sandbox.write("bug.bpl", "procedure main(x: int) { assert x != 8; }");
    let new = sandbox.run(&["verify", "--engine", "dag", "bug.bpl", "--baseline", "old.sarif"]);
    assert_eq!(new.status.code(), Some(1));
    assert!(
        stderr(&new).contains("0 findings in the baseline old.sarif, 1 new"),
        "{}",
        stderr(&new)
    );
    let bad = sandbox.run(&["verify", "--engine", "dag", "bug.bpl", "--baseline", "bug.bpl"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(stderr(&bad).contains("is no JSON"), "{}", stderr(&bad));
}

#[cfg(target_os = "linux")]
#[test]
fn a_failed_write_is_an_error() {
    use std::os::unix::fs::FileTypeExt;

    let sandbox = sandbox("full");
    for (arguments, _) in RUNS {
        for flag in ["-o", "--report"] {
            let mut arguments = arguments.to_vec();
            arguments.extend([flag, "/dev/full"]);
            let output = sandbox.run(&arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert_says(&output, "error: cannot write /dev/full");
        }
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("a full device");
        let output = sandbox.lariat(arguments).stdout(full).output().expect("started");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = "error: cannot write to standard output";
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    // It was written to, not replaced.
    let device = fs::metadata("/dev/full").expect("the device");
    assert!(device.file_type().is_char_device());
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_not_an_error() {
    let sandbox = sandbox("pipe");
    for (arguments, code) in RUNS {
        let mut command = sandbox.lariat(arguments);
        let mut run = command.stdout(Stdio::piped()).spawn().expect("started");
        drop(run.stdout.take());
        let status = run.wait().expect("ended");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

/// Every statement of a thread stands in its own column, and a call that is on one line where it returned.
#[test]
fn the_lines_of_a_thread_are_in_its_order() {
    let sandbox = Sandbox::new("output-threads");
    let program = "\
#include <assert.h>
#include <pthread.h>
static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *withdraw(void *arg)
{
    int amount = *(int *)arg;
    int old = balance;
    if (old >= amount) {
        pthread_mutex_lock(&lock);
        balance = balance - amount;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    int x = 60, y = 70;
    pthread_create(&a, 0, withdraw, &x);
    pthread_create(&b, 0, withdraw, &y);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance >= 0);
    return 0;
}
";
    sandbox.write("bank.c", program);
    let output = sandbox.run(&["verify", "bank.c", "--output-format", "json"]);
    assert_code(&output, 1);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let trace = report["entries"][0]["failures"][0]["trace"]
        .as_array()
        .expect("a trace");
    for thread in 1..=3 {
        let of_thread = trace.iter().filter(|line| line["thread"] == thread);
        let lines: Vec<u64> = of_thread
            .filter_map(|line| line["location"]["line"].as_u64())
            .collect();
        assert!(lines.len() > 3, "thread {thread}: {lines:?}");
        assert!(lines.is_sorted(), "thread {thread}: {lines:?}");
        let is_in_main = |&line: &u64| line >= 16;
        assert!(
            lines.iter().all(|line| is_in_main(line) == (thread == 1)),
            "{lines:?}"
        );
    }
}

#[test]
fn a_success_says_in_every_format_that_weak_definitions_stay() {
    let sandbox = Sandbox::new("weak-definitions");
    let text = "#include <assert.h>\n__attribute__((weak)) int f(void) { return 1; }\n__attribute__((weak)) int v = 2;\n\
                int main(void) { assert(f() == 1 && v == 2); return 0; }\n";
    sandbox.write("weak.c", text);
    for format in ["text", "json", "sarif"] {
        let output = sandbox.run(&["verify", "weak.c", "--output-format", format]);
        assert_code(&output, 0);
        let told = "no other file defines what is defined as weak here: f, v";
        assert!(stdout(&output).contains(told), "{format}: {}", stdout(&output));
    }
}
