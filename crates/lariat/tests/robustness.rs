//! Inputs and events that must not take the answer away: generated files, limits, interruptions.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{HARD_PROGRAM, Sandbox, assert_code, assert_says, assert_shows, stderr, stdout};

#[test]
fn a_binary_file_is_refused_with_a_position() {
    let sandbox = Sandbox::new("binary");
    let bytes: Vec<u8> = (0..4096_u32).map(|index| (index * 7919 % 256) as u8).collect();
    sandbox.write("binary.bpl", bytes);
    let output = sandbox.run(&["verify", "binary.bpl"]);
    assert_code(&output, 2);
    assert_says(&output, "binary.bpl");
}

#[test]
fn an_expression_of_a_hundred_thousand_levels_is_refused() {
    let sandbox = Sandbox::new("deep");
    for (name, open, close) in [
        ("parentheses", "(", ")"),
        ("negations", "-", ""),
        ("conditions", "if b then ", " else 0"),
    ] {
        let file = format!("{name}.bpl");
        let expression = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        sandbox.write(
            &file,
            format!("procedure main(b: bool) {{ var x: int; x := {expression}; assert x == x; }}"),
        );
        let output = sandbox.run(&["verify", &file]);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{name}: {} {}",
            stdout(&output),
            stderr(&output)
        );
        assert!(
            stderr(&output).contains(&format!("{file}:1:")),
            "{name}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn a_procedure_of_a_million_statements_is_read() {
    let sandbox = Sandbox::new("million");
    let mut text = String::from("procedure main() returns (x: int)\n{\n  x := 0;\n");
    for _ in 0..1_000_000 {
        text.push_str("  x := x + 1;\n");
    }
    text.push_str("  assert x >= 0;\n}\n");
    sandbox.write("million.bpl", text);
    let output = sandbox.run(&["verify", "--check-only", "million.bpl"]);
    assert_code(&output, 0);
    // Whether it can be decided in a short time is another question; it must end with an answer.
    let output = sandbox.run(&["verify", "--time-limit", "10", "million.bpl"]);
    assert!(
        matches!(output.status.code(), Some(0 | 3)),
        "{} {}",
        stdout(&output),
        stderr(&output)
    );
}

#[test]
fn a_time_limit_of_one_second_is_kept() {
    let sandbox = Sandbox::new("time");
    sandbox.write("hard.bpl", HARD_PROGRAM);
    let started = Instant::now();
    let output = sandbox.run(&["verify", "--time-limit", "1", "hard.bpl"]);
    assert_code(&output, 3);
    assert_shows(&output, "time limit");
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_memory_limit_is_kept() {
    let sandbox = Sandbox::new("memory");
    sandbox.write("hard.bpl", HARD_PROGRAM);
    let output = sandbox.run(&[
        "verify",
        "--memory-limit",
        "10M",
        "--time-limit",
        "60",
        "hard.bpl",
    ]);
    assert_code(&output, 3);
    assert_shows(&output, "memory limit");
}

#[cfg(unix)]
#[test]
fn an_interruption_gives_the_best_answer_so_far() {
    let sandbox = Sandbox::new("interrupt");
    sandbox.write("hard.bpl", HARD_PROGRAM);
    let run = start(&sandbox, &["verify", "hard.bpl"]);
    std::thread::sleep(Duration::from_secs(2));
    signal("-INT", run.id());
    let started = Instant::now();
    let output = run.wait_with_output().expect("ended");
    assert_code(&output, 130);
    assert!(
        stdout(&output).starts_with("unknown  hard.bpl"),
        "{}",
        stdout(&output)
    );
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_that_is_killed_from_outside_is_reported() {
    let sandbox = Sandbox::new("killed");
    sandbox.write("hard.bpl", HARD_PROGRAM);
    let run = start(&sandbox, &["verify", "hard.bpl"]);
    let children = format!("/proc/{0}/task/{0}/children", run.id());
    let child = loop {
        let text = std::fs::read_to_string(&children).expect("lariat runs");
        if let Some(child) = text.split_whitespace().next().and_then(|id| id.parse().ok()) {
            break child;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    std::thread::sleep(Duration::from_millis(500));
    signal("-KILL", child);
    let output = run.wait_with_output().expect("ended");
    assert_code(&output, 3);
    assert_shows(&output, "SIGKILL");
}

#[test]
fn json_is_json_whatever_the_verdict() {
    let sandbox = Sandbox::new("json");
    sandbox.write("safe.bpl", "procedure main(x: int) { assert x == x; }");
    for (arguments, kind, code) in [
        (
            &["verify", "--output-format", "json", "safe.bpl"][..],
            "proved",
            0,
        ),
        (
            &["verify", "--output-format", "json", "missing.bpl"][..],
            "bad-input",
            2,
        ),
        (
            &["verify", "--output-format", "json", "--check-only", "safe.bpl"][..],
            "accepted",
            0,
        ),
    ] {
        let output = sandbox.run(arguments);
        assert_code(&output, code);
        let report: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("JSON on standard output");
        assert_eq!(report["verdict"]["kind"], kind);
        assert_eq!(report["schema_version"], 1);
    }
}

#[test]
fn stages_are_logged_to_a_file() {
    let sandbox = Sandbox::new("log");
    sandbox.write("safe.bpl", "procedure main(x: int) { assert x == x + 0; }");
    let output = sandbox.run(&[
        "verify",
        "--log",
        "boogie,ir",
        "--log-file",
        "log.txt",
        "safe.bpl",
    ]);
    assert_code(&output, 0);
    let log = std::fs::read_to_string(sandbox.path().join("log.txt")).expect("a log");
    assert!(log.contains("procedure main") && log.contains("// ir"), "{log}");
}

#[test]
fn colours_are_used_only_where_they_are_wanted() {
    let sandbox = Sandbox::new("color");
    sandbox.write("safe.bpl", "procedure main(x: int) { assert x == x; }");
    let plain = sandbox.run(&["verify", "safe.bpl"]);
    assert!(!stdout(&plain).contains('\u{1b}'));
    let colored = sandbox.run(&["verify", "--color", "always", "safe.bpl"]);
    assert!(stdout(&colored).contains("\u{1b}["));
}

#[test]
fn man_pages_and_completions_know_the_flags() {
    let sandbox = Sandbox::new("generated");
    assert!(stdout(&sandbox.run(&["completions", "bash"])).contains("--time-limit"));
    assert!(stdout(&sandbox.run(&["man"])).contains("lariat"));
    let output = sandbox.run(&["man", "--out", "pages"]);
    assert_code(&output, 0);
    let page = std::fs::read_to_string(sandbox.path().join("pages/lariat-verify.1")).expect("a page");
    assert!(page.contains("stack\\-depth"), "{page}");
}

fn start(sandbox: &Sandbox, arguments: &[&str]) -> std::process::Child {
    let mut command = sandbox.lariat(arguments);
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .stdin(Stdio::null());
    command.spawn().expect("lariat can be started")
}

fn signal(signal: &str, process: u32) {
    let status = Command::new("kill")
        .args([signal, &process.to_string()])
        .status()
        .expect("kill");
    assert!(status.success());
}
