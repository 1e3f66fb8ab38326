//! Many machines, all of them this one: `lariat worker`, `queue` and `--on` with a server of our own.

#[allow(dead_code, reason = "each test uses a part")]
mod common;
#[path = "common/nats.rs"]
mod nats;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{HARD_PROGRAM, Sandbox, assert_code, assert_says, assert_shows, stderr, stdout};
use nats::{Nats, Running};

/// A suite of `rows` small programs in Boogie and C, and a few that are bad.
fn suite(name: &str, rows: usize) -> Sandbox {
    let sandbox = Sandbox::new(name);
    let mut manifest = String::new();
    for number in 0..rows {
        let (file, text, expect) = match number % 4 {
            0 => (
                format!("safe{number}.bpl"),
                format!("procedure main(x: int) {{ assert x + {number} >= x; }}"),
                "safe",
            ),
            1 => (
                format!("bug{number}.bpl"),
                format!("procedure main(x: int) {{ assert x != {number}; }}"),
                "bug",
            ),
            2 => (
                format!("c{number}.c"),
                format!(
                    "#include \"inc/limit.h\"\n#include <assert.h>\nint main(void) {{ int x = {number}; assert(x < LIMIT); return 0; }}\n"
                ),
                "safe",
            ),
            _ => (
                format!("refused{number}.bpl"),
                format!("procedure main(x: int) {{ assert y{number}; }}"),
                "reject",
            ),
        };
        sandbox.write(&format!("suite/{file}"), text);
        manifest.push_str(&format!("{{\"file\": \"{file}\", \"expect\": \"{expect}\"}}\n"));
    }
    // The same again: one task, two rows.
    manifest.push_str("{\"file\": \"bug1.bpl\", \"expect\": \"bug\"}\n");
    manifest.push_str("{\"file\": \"missing.bpl\", \"expect\": \"reject\"}\n");
    sandbox.write("suite/inc/limit.h", "#define LIMIT 1000\n");
    sandbox.write("suite/manifest.jsonl", manifest);
    sandbox
}

/// Its messages are in `worker.log`.
fn worker(sandbox: &Sandbox, nats: &Nats, more: &[&str], fault: &str) -> Running {
    let mut command = sandbox.lariat(&[]);
    join(&mut command, sandbox, nats, more);
    command.env("LARIAT_TEST_FAULT", fault);
    Running(command.spawn().expect("a worker"))
}

fn join(command: &mut Command, sandbox: &Sandbox, nats: &Nats, more: &[&str]) {
    let log = File::create(sandbox.path().join("worker.log")).expect("a log");
    command
        .args(["worker", "--on", &nats.url(), "--jobs", "1", "--lease", "2"])
        .args(more)
        .stdout(Stdio::null())
        .stderr(log);
}

fn bench(sandbox: &Sandbox, out: &str, more: &[&str]) -> Command {
    let arguments = [
        "bench",
        "suite",
        "--out",
        out,
        "--time-limit",
        "60",
        "--harness",
        "off",
    ];
    sandbox.lariat(&[&arguments, more].concat())
}

/// What a run found in each row, without what differs from run to run.
fn rows(sandbox: &Sandbox, out: &str) -> BTreeMap<u64, String> {
    let text = fs::read_to_string(sandbox.path().join(out).join("results.jsonl")).expect("results");
    let mut rows = BTreeMap::new();
    for line in text.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a record");
        let found = [
            "file",
            "judgement",
            "verdict",
            "error",
            "failures",
            "confirmed",
            "crashed",
        ]
        .map(|key| record[key].to_string())
        .join(" ");
        let number = record["row"].as_u64().expect("a number");
        assert_eq!(rows.insert(number, found), None, "row {number} was written twice");
    }
    rows
}

fn assert_rows_equal(sandbox: &Sandbox, count: usize) {
    let (here, there) = (rows(sandbox, "here"), rows(sandbox, "there"));
    assert_eq!(here.len(), count);
    assert_eq!(here, there);
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(240), "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

fn written_rows(sandbox: &Sandbox) -> usize {
    let text = fs::read_to_string(sandbox.path().join("there/results.jsonl")).unwrap_or_default();
    text.lines().count()
}

#[test]
fn workers_find_what_one_process_finds_though_everything_is_killed_once() {
    let sandbox = suite("killed", 24);
    let Some(mut nats) = Nats::start(sandbox.path(), "") else {
        return;
    };
    assert_code(&bench(&sandbox, "here", &[]).output().expect("started"), 0);
    let url = nats.url();
    let first = worker(&sandbox, &nats, &[], "");
    let paused = worker(&sandbox, &nats, &[], "");
    let start = |more: &[&str]| {
        let mut command = bench(&sandbox, "there", &[&["--on", url.as_str()], more].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running(command.spawn().expect("a coordinator"))
    };
    let coordinator = start(&[]);
    until("the first rows", || written_rows(&sandbox) >= 3);
    paused.signal("STOP");
    first.signal("KILL");
    until("a killed coordinator", || {
        coordinator.signal("KILL");
        true
    });
    drop(coordinator);
    nats.restart();
    let _second = worker(&sandbox, &nats, &[], "");
    let mut coordinator = start(&["--resume"]);
    assert_eq!(coordinator.end(), Some(0));
    paused.signal("CONT");
    assert_rows_equal(&sandbox, 26);
    // Nothing of the run is left at the server.
    let status = sandbox.run(&["queue", "status", "--on", &url]);
    assert_code(&status, 0);
    assert_shows(&status, "0 tasks waiting");
}

#[test]
fn a_task_whose_worker_dies_goes_to_another_one() {
    let sandbox = Sandbox::new("lease");
    let Some(nats) = Nats::start(sandbox.path(), "") else {
        return;
    };
    sandbox.write("hard.bpl", HARD_PROGRAM);
    let url = nats.url();
    let status = || stdout(&sandbox.run(&["queue", "status", "--on", &url]));
    let mut first = worker(&sandbox, &nats, &[], "");
    let mut command = sandbox.lariat(&["verify", "hard.bpl", "--engine", "stratified", "--on", &url]);
    let coordinator = Running(command.stdout(Stdio::null()).spawn().expect("a coordinator"));
    until("the task is taken", || status().contains("1 running"));
    // Killed: the lease ends. Asked to leave: the task goes back at once.
    first.signal("KILL");
    first.end();
    let mut second = worker(&sandbox, &nats, &[], "");
    until("the task is taken again", || {
        status().contains("1 of them redelivered")
    });
    let log = || fs::read_to_string(sandbox.path().join("worker.log")).unwrap_or_default();
    until("the other worker has joined", || log().contains("works for"));
    second.signal("TERM");
    assert_eq!(second.end(), Some(0));
    assert!(log().contains("goes back: the worker leaves"), "{}", log());
    drop(coordinator);
    let purged = sandbox.run(&["queue", "purge", "--on", &url]);
    assert_code(&purged, 0);
    assert_shows(&purged, "1 task removed");
}

#[test]
fn a_task_that_kills_each_worker_is_unknown_after_three_of_them_and_the_run_goes_on() {
    let sandbox = suite("poison", 1);
    let Some(nats) = Nats::start(sandbox.path(), "") else {
        return;
    };
    sandbox.write(
        "suite/manifest.jsonl",
        r#"{"file": "safe0.bpl", "expect": "safe"}"#,
    );
    let mut worker = worker(&sandbox, &nats, &[], "abort");
    let output = bench(&sandbox, "there", &["--on", &nats.url()])
        .output()
        .expect("started");
    assert_shows(&output, "0 right, 0 wrong, 1 unsolved of 1 in ");
    assert_shows(&output, "SIGABRT");
    assert_shows(&output, "tasks were given to another worker 2 times");
    let drained = sandbox.run(&["queue", "drain", "--on", &nats.url()]);
    assert_shows(&drained, "no worker is left");
    assert_eq!(worker.end(), Some(0));
}

#[test]
fn verify_shows_what_it_shows_without_a_server() {
    let sandbox = suite("verify", 4);
    let Some(nats) = Nats::start(sandbox.path(), "") else {
        return;
    };
    let _worker = worker(&sandbox, &nats, &[], "");
    let shown = |output: Output| {
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        ["verdict", "files", "entries", "diagnostics"].map(|key| {
            let mut value = json[key].clone();
            for entry in value.as_array_mut().into_iter().flatten() {
                if let Some(entry) = entry.as_object_mut() {
                    entry.retain(|key, _| !key.contains("seconds") && key != "stats" && key != "engine");
                }
            }
            value.to_string()
        })
    };
    for file in [
        "suite/bug1.bpl",
        "suite/c2.c",
        "suite/refused3.bpl",
        "nothing.bpl",
    ] {
        let arguments = [
            "verify",
            file,
            "--engine",
            "stratified",
            "--output-format",
            "json",
        ];
        let here = sandbox.run(&arguments);
        let there = sandbox.run(&[&arguments[..], &["--on", &nats.url()]].concat());
        assert_eq!(
            here.status.code(),
            there.status.code(),
            "{file}: {}",
            stderr(&there)
        );
        assert_eq!(shown(here), shown(there), "{file}");
    }
}

/// Paths through four choices between two calls; the sum of what they return is `4` to `8`, or after `c` up to `LIMIT`.
const CALLS: &str = "
procedure a(x: int) returns (r: int) { if (*) { r := x + 1; } else { assume x >= 0; r := x + 2; } }
procedure b(x: int) returns (r: int) { if (*) { call r := a(x); } else { r := x + 1; } }
procedure c(x: int) returns (r: int) { if (*) { call r := b(x); } else { call r := a(x); } }
procedure main() {
    var s: int;
    s := 0;
    if (*) { call s := a(s); } else { call s := b(s); }
    if (*) { call s := c(s); } else { call s := b(s); }
    if (*) { call s := a(s); } else { call s := c(s); }
    if (*) { call s := b(s); } else { call s := c(s); }
    assert s <= LIMIT;
}
";

#[test]
fn a_search_that_is_split_has_the_same_verdict_though_a_worker_dies() {
    let sandbox = Sandbox::new("split");
    let Some(nats) = Nats::start(sandbox.path(), "") else {
        return;
    };
    sandbox.write("safe.bpl", CALLS.replace("LIMIT", "8"));
    sandbox.write("bug.bpl", CALLS.replace("LIMIT", "7"));
    let mut first = worker(&sandbox, &nats, &[], "");
    let _second = worker(&sandbox, &nats, &[], "");
    let url = nats.url();
    let verify = |file: &str, more: &[&str]| {
        let arguments = ["verify", file, "--output-format", "json", "--split", "2"];
        let output = sandbox.run(&[&arguments[..], more].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let entry = &json["entries"][0];
        let parts = entry["stats"]["parts"].as_u64().unwrap_or(0);
        let failures = entry["failures"].as_array().map_or(0, Vec::len);
        (json["verdict"]["kind"].to_string(), parts, failures)
    };
    let on: [&str; 2] = ["--on", &url];
    // What is easy is not split.
    assert_eq!(verify("safe.bpl", &on), ("\"proved\"".to_owned(), 0, 0));
    let forced = ["--engine", "widen", "--forced-splits", "3"];
    let (verdict, parts, _) = verify("safe.bpl", &forced);
    assert_eq!((verdict.as_str(), parts), ("\"proved\"", 8));
    let forced_on = [&forced[..], &on].concat();
    let (verdict, parts, _) = verify("safe.bpl", &forced_on);
    assert_eq!((verdict.as_str(), parts), ("\"proved\"", 8));
    // A violation in one part ends the others.
    let (verdict, parts, failures) = verify("bug.bpl", &forced_on);
    assert_eq!((verdict.as_str(), failures), ("\"bug\"", 1));
    assert!((1..=8).contains(&parts), "{parts} parts");
    // Parts of a worker that is killed are done by the other one.
    let killer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(150));
        first.signal("KILL");
        first.end()
    });
    let deep = ["--engine", "dag", "--forced-splits", "4", "--on", &url];
    let (verdict, parts, _) = verify("safe.bpl", &deep);
    assert_eq!(verdict, "\"proved\"");
    assert!(parts > 8, "{parts} parts");
    assert!(killer.join().is_ok());
}

#[test]
fn another_lariat_does_not_answer() {
    let sandbox = suite("version", 1);
    let Some(nats) = Nats::start(sandbox.path(), "") else {
        return;
    };
    // A program with another text is another Lariat, though it does the same.
    let other = sandbox.path().join("other");
    fs::copy(env!("CARGO_BIN_EXE_lariat"), &other).expect("a copy");
    let appended = File::options().append(true).open(&other);
    appended
        .and_then(|mut file| file.write_all(b"x"))
        .expect("another text");
    let mut command = Command::new(&other);
    join(&mut command, &sandbox, &nats, &[]);
    let _other = Running(command.spawn().expect("another worker"));
    let mut command = sandbox.lariat(&["verify", "suite/safe0.bpl", "--on", &nats.url()]);
    let said = sandbox.path().join("said");
    command
        .stdout(Stdio::null())
        .stderr(File::create(&said).expect("a file"));
    let mut coordinator = Running(command.spawn().expect("a coordinator"));
    until("the coordinator says so", || {
        fs::read_to_string(&said).is_ok_and(|said| said.contains("another Lariat"))
    });
    let _same = worker(&sandbox, &nats, &[], "");
    assert_eq!(coordinator.end(), Some(0));
}

#[test]
fn large_programs_are_refused() {
    let sandbox = suite("large", 1);
    let Some(nats) = Nats::start(sandbox.path(), "") else {
        return;
    };
    let _worker = worker(&sandbox, &nats, &["--program-limit", "20"], "");
    let output = sandbox.run(&["verify", "suite/safe0.bpl", "--on", &nats.url()]);
    assert_code(&output, 3);
    assert_shows(&output, "the workers take at most 20");
}

#[test]
fn a_large_program_and_a_full_disk() {
    let sandbox = Sandbox::new("full");
    let Some(nats) = Nats::start(sandbox.path(), "max_file_store: 3MB") else {
        return;
    };
    let _worker = worker(&sandbox, &nats, &[], "");
    let text = |bytes: usize| {
        format!(
            "procedure main(x: int) {{ assert x == x; }}\n//{}\n",
            "x".repeat(bytes)
        )
    };
    sandbox.write("large.bpl", text(700 << 10));
    sandbox.write("huge.bpl", text(4 << 20));
    let verify = |file| sandbox.run(&["verify", file, "--on", &nats.url(), "--bounded-ok"]);
    assert_code(&verify("large.bpl"), 0);
    let output = verify("huge.bpl");
    assert_code(&output, 2);
    assert_says(&output, "cannot store a large file");
}

#[test]
fn bad_servers_are_told() {
    let sandbox = Sandbox::new("servers");
    sandbox.write("a.bpl", "procedure main() {}");
    let verify = |on: &str| sandbox.run(&["verify", "a.bpl", "--on", on]);
    // Nothing listens on this port.
    let output = verify("nats://127.0.0.1:9");
    assert_code(&output, 2);
    assert_says(&output, "cannot reach nats://127.0.0.1:9");
    let output = verify("no-such-context");
    assert_code(&output, 2);
    assert_says(
        &output,
        "neither an address such as nats://localhost nor a context",
    );
    let secret = "---authorization { user: me, password: secret }";
    let Some(nats) = Nats::start(sandbox.path(), secret) else {
        return;
    };
    let output = verify(&nats.url());
    assert_code(&output, 2);
    assert_says(&output, "does not accept these credentials");
    let context = format!(
        r#"{{"url": "{}", "user": "me", "password": "secret"}}"#,
        nats.url()
    );
    sandbox.write("ours.json", context);
    let output = sandbox.run(&["queue", "status", "--on", "ours.json"]);
    assert_code(&output, 0);
    assert_shows(&output, "there is no worker");
}
