//! Standard input, patterns, several programs in one call, and `--watch`.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use common::{Sandbox, assert_code, assert_says, assert_shows, stdout};

const BUG: &str = "procedure main(x: int) { assert x != 7; }\n";
const SAFE: &str = "procedure main(x: int) { assert x == x; }\n";

fn with_input(sandbox: &Sandbox, arguments: &[&str], text: &str) -> Output {
    let mut command = sandbox.lariat(arguments);
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("started");
    let mut input = child.stdin.take().expect("a pipe");
    // Who refuses the arguments does not read.
    if let Err(error) = input.write_all(text.as_bytes()) {
        assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    }
    drop(input);
    child.wait_with_output().expect("ended")
}

#[test]
fn a_dash_is_standard_input() {
    let sandbox = Sandbox::new("stdin");
    let output = with_input(&sandbox, &["verify", "-"], BUG);
    assert_code(&output, 1);
    assert_shows(&output, "bug  stdin.bpl:1:");
    assert!(!stdout(&output).contains("lariat-stdin"), "{}", stdout(&output));
    let program = "int main(int n, char **v) { int *p = n == 7 ? 0 : &n; return *p; }\n";
    let output = with_input(&sandbox, &["verify", "--language", "c", "-"], program);
    assert_code(&output, 1);
    assert_shows(&output, "bug  stdin.c:1:");
    // The text says it as well, and the language decides where it does not.
    assert_code(&with_input(&sandbox, &["verify", "-"], program), 1);
    let output = with_input(&sandbox, &["verify", "--language", "boogie", "-"], program);
    assert_code(&output, 2);
    assert_says(&output, "stdin.bpl:1:");
    let output = with_input(
        &sandbox,
        &["angelic", "--no-specs", "--language", "c", "-"],
        program,
    );
    assert_code(&output, 1);
    let output = with_input(&sandbox, &["verify", "--output-format", "sarif", "-"], BUG);
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(place["uri"], "stdin.bpl", "{place}");
    for wrong in [
        &["verify", "-", "-"][..],
        &["verify", "--watch", "-"],
        &["verify", "--each", "-"],
    ] {
        let output = with_input(&sandbox, wrong, BUG);
        assert_code(&output, 2);
        assert_says(&output, "`-` can be");
    }
}

#[test]
fn patterns_are_files() {
    let sandbox = Sandbox::new("patterns");
    sandbox.write(
        "p/a.c",
        "int g(void);\nint main(void) { int *p = g() ? 0 : &(int){ 1 }; return *p; }\n",
    );
    sandbox.write("p/q/b.c", "int g(void) { return 0; }\n");
    assert_code(&sandbox.run(&["verify", "p/**/*.c"]), 0);
    let output = sandbox.run(&["verify", "p/*.c"]);
    assert_code(&output, 1);
    let output = sandbox.run(&["verify", "p/*.bpl"]);
    assert_code(&output, 2);
    assert_says(&output, "no file matches `p/*.bpl`");
}

#[test]
fn several_programs_in_one_call() {
    let sandbox = Sandbox::new("each");
    sandbox.write("a.bpl", BUG);
    sandbox.write("b.bpl", SAFE);
    sandbox.write("c.bpl", "procedure main( {}\n");
    let output = sandbox.run(&["verify", "--each", "--bound", "2", "a.bpl", "b.bpl"]);
    assert_code(&output, 1);
    assert_shows(&output, "a.bpl  verify   bug ");
    assert_shows(&output, "b.bpl  verify   proved");
    assert_shows(&output, "1 of 2 targets without a finding");
    let output = sandbox.run(&["verify", "--each", "?.bpl", "--report", "pages", "-o", "all.txt"]);
    assert_code(&output, 2);
    for page in ["index.html", "a-bpl.html", "b-bpl.html"] {
        assert!(sandbox.path().join("pages").join(page).exists(), "{page}");
    }
    let table = std::fs::read_to_string(sandbox.path().join("all.txt")).expect("a file");
    assert!(table.contains("1 of 3 targets without a finding"), "{table}");
    let output = sandbox.run(&["verify", "--each", "--output-format", "json", "a.bpl", "b.bpl"]);
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(all["targets"][1]["result"]["verdict"]["kind"], "proved", "{all}");
}

#[test]
fn a_watched_file_is_checked_again() {
    let sandbox = Sandbox::new("watch");
    sandbox.write("a.bpl", SAFE);
    let mut command = sandbox.lariat(&["verify", "--watch", "a.bpl"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (sender, received) = channel();
    std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let wait = |word: &str| loop {
        let line = received.recv_timeout(Duration::from_secs(120));
        if line
            .unwrap_or_else(|_| panic!("no `{word}` came"))
            .starts_with(word)
        {
            break;
        }
    };
    wait("proved");
    // The times of files may be coarse.
    std::thread::sleep(Duration::from_millis(1100));
    sandbox.write("a.bpl", BUG);
    wait("bug");
    std::thread::sleep(Duration::from_millis(1100));
    sandbox.write("a.bpl", SAFE);
    wait("proved");
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
}
