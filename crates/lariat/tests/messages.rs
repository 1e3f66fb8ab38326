//! What Lariat says about options, limits and inputs that are not what the user meant.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use common::{HARD_PROGRAM, Sandbox, assert_code, assert_says, assert_shows, stderr, stdout};

/// Four calls deep, and no recursion.
const DEEP: &str = "\
procedure main(x: int) { call a(x); }
procedure a(x: int) { call b(x); }
procedure b(x: int) { call c(x); }
procedure c(x: int) { assert x != 7; }
";

#[test]
fn a_stack_depth_is_part_of_the_verdict() {
    let sandbox = Sandbox::new("stack-depth");
    sandbox.write("deep.bpl", DEEP);
    let output = sandbox.run(&["verify", "--stack-depth", "2", "deep.bpl"]);
    assert_code(&output, 3);
    assert_shows(&output, "bounded(stack depth 2, bound 3)");
    assert_shows(&output, "within stack depth 2 and bound 3");
    assert_shows(&output, "deep calls of ");
    assert_shows(&output, "raise --stack-depth");
    let shown = stdout(&output);
    assert!(
        !shown.contains("raise --bound") && !shown.contains("recursion"),
        "{shown}"
    );
    let output = sandbox.run(&[
        "verify",
        "--stack-depth",
        "2",
        "--output-format",
        "json",
        "deep.bpl",
    ]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["verdict"]["stack_depth"], 2, "{report}");
    assert_eq!(report["entries"][0]["cut"][0]["kind"], "call", "{report}");
    // Where it cuts nothing it is not mentioned.
    let output = sandbox.run(&["verify", "--stack-depth", "9", "deep.bpl"]);
    assert_code(&output, 1);
}

#[test]
fn options_without_effect_are_warned_of() {
    let sandbox = Sandbox::new("no-effect");
    sandbox.write(
        "safe.bpl",
        "var x: int;\nprocedure main() modifies x; { x := 1; assert x == 1; }\n",
    );
    for (options, warning) in [
        (
            &["--engine", "dag", "--interleave", "30"][..],
            "`--interleave` has no effect",
        ),
        (
            &["--track", "x"],
            "`--track` has no effect without `--abstraction on`",
        ),
        (
            &["--engine", "chc", "--merge", "maxc"],
            "`--merge` has no effect with `--engine chc`",
        ),
        (
            &["--engine", "chc", "--stack-depth", "2"],
            "`--stack-depth` has no effect with `--engine chc`",
        ),
        (
            &["--engine", "chc", "--bound", "2"],
            "`--bound` has no effect with `--engine chc`",
        ),
        (
            &["--std", "c99"],
            "`--std` has no effect: the program is not in C",
        ),
        (&["--check", "memory"], "`--check` has no effect"),
        (&["--suppressed"], "`--suppressed` has no effect without"),
    ] {
        let output = sandbox.run(&[&["verify", "safe.bpl"], options].concat());
        assert_code(&output, 0);
        assert_says(&output, warning);
    }
    let output = sandbox.run(&["verify", "safe.bpl", "--abstraction", "on", "--track", "x"]);
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_standard_that_is_none_is_named() {
    let sandbox = Sandbox::new("standard");
    sandbox.write("a.c", "int main(void) { int *p = 0; return *p; }\n");
    let output = sandbox.run(&["verify", "--std", "c99x", "a.c"]);
    assert_code(&output, 2);
    assert_says(&output, "error[unknown-standard]: `c99x` is no standard of C");
    assert_says(&output, "did you mean `c99`?");
    for standard in ["c89", "gnu99", "c11", "gnu17", "c2x", "iso9899:1999"] {
        assert_code(&sandbox.run(&["verify", "--std", standard, "a.c"]), 1);
    }
}

#[test]
fn compile_commands_may_be_a_folder() {
    let sandbox = Sandbox::new("database");
    sandbox.write("a.c", "int main(void) { int *p = POINTER; return *p; }\n");
    let folder = sandbox.path().display().to_string();
    let entry =
        serde_json::json!([{ "directory": folder, "file": "a.c", "command": "cc -DPOINTER=0 -c a.c" }]);
    sandbox.write("build/compile_commands.json", entry.to_string());
    for given in ["build", "build/compile_commands.json"] {
        let output = sandbox.run(&["verify", "--compile-commands", given, "a.c"]);
        assert_code(&output, 1);
    }
    let output = sandbox.run(&["verify", "--compile-commands", "nowhere", "a.c"]);
    assert_code(&output, 2);
    assert_says(&output, "nowhere");
}

#[test]
fn a_witness_has_a_default_property() {
    let sandbox = Sandbox::new("witness");
    sandbox.write(
        "a.c",
        "extern void reach_error(void);\nint main(int n, char **v) { if (n == 7) reach_error(); int *p = 0; return *p; }\n",
    );
    let output = sandbox.run(&["verify", "--witness", "w.yml", "a.c"]);
    assert_code(&output, 1);
    assert_shows(&output, "VERDICT: FALSE");
    let witness = std::fs::read_to_string(sandbox.path().join("w.yml")).expect("a witness");
    assert!(witness.contains("G ! call(reach_error())"), "{witness}");
    let output = sandbox.run(&["verify", "--check", "memory", "--witness", "m.graphml", "a.c"]);
    assert_code(&output, 1);
    let witness = std::fs::read_to_string(sandbox.path().join("m.graphml")).expect("a witness");
    assert!(witness.contains("valid-deref"), "{witness}");
    let output = sandbox.run(&["verify", "--check", "shift", "--witness", "s.yml", "a.c"]);
    assert_code(&output, 2);
    assert_says(&output, "`--witness` needs a `--property`");
}

#[test]
fn a_manifest_without_rows_or_with_unknown_fields_is_refused() {
    let sandbox = Sandbox::new("manifest");
    sandbox.write("a.bpl", DEEP);
    sandbox.write("empty.jsonl", "\n");
    let output = sandbox.run(&["bench", "empty.jsonl"]);
    assert_code(&output, 2);
    assert_says(&output, "empty.jsonl has no rows");
    sandbox.write(
        "wrong.jsonl",
        "{\"file\": \"a.bpl\", \"expect\": \"bug\", \"bounds\": 3}\n",
    );
    let output = sandbox.run(&["bench", "wrong.jsonl"]);
    assert_code(&output, 2);
    assert_says(&output, "wrong.jsonl:1: unknown field `bounds`");
    sandbox.write(
        "right.jsonl",
        "{\"file\": \"a.bpl\", \"expect\": \"bug\", \"description\": \"deep\"}\n",
    );
    let output = sandbox.run(&["bench", "right.jsonl"]);
    assert_code(&output, 0);
    assert_shows(&output, "1 right, 0 wrong");
}

#[test]
fn rounds_of_constant_loops_are_counted_as_a_person_does() {
    let sandbox = Sandbox::new("rounds");
    sandbox.write(
        "rounds.bpl",
        "procedure main() { var i: int; i := 0; while (i < 5) { i := i + 1; } assert i != 5; }\n",
    );
    let run = |rounds: &str| {
        let options = ["--engine", "dag", "--bound", "1", "--static-loop-bound", rounds];
        sandbox.run(&[&["verify", "rounds.bpl"], &options[..]].concat())
    };
    // Five rounds: the assertion is reached if five are allowed.
    assert_code(&run("5"), 1);
    assert_code(&run("4"), 3);
}

#[test]
fn a_memory_limit_is_kept_within_a_twentieth() {
    let sandbox = Sandbox::new("memory-twentieth");
    sandbox.write("hard.bpl", HARD_PROGRAM);
    let limit = 130 << 20;
    let options = [
        "--memory-limit",
        "130M",
        "--time-limit",
        "100",
        "--output-format",
        "json",
    ];
    let output = sandbox.run(&[&["verify", "hard.bpl"], &options[..]].concat());
    assert_code(&output, 3);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["verdict"]["cause"], "memory", "{report}");
    let peak = report["stats"]["peak_memory_bytes"].as_u64().expect("a size");
    assert!(peak <= limit + limit / 20, "{} MB", peak >> 20);
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_ends_with_its_parent() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let sandbox = Sandbox::new("orphan");
    sandbox.write("hard.bpl", HARD_PROGRAM);
    let mut parent = sandbox.lariat(&["verify", "hard.bpl"]);
    let mut parent = parent
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    let children = format!("/proc/{0}/task/{0}/children", parent.id());
    let patience = Instant::now() + Duration::from_secs(120);
    let child = loop {
        assert!(Instant::now() < patience, "no child was started");
        let list = std::fs::read_to_string(&children).unwrap_or_default();
        match list.split_whitespace().next() {
            Some(id) => break id.to_owned(),
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    // It has its order and is in the solver.
    std::thread::sleep(Duration::from_secs(2));
    let folder = std::path::PathBuf::from(format!("/proc/{child}"));
    assert!(folder.exists(), "the child works");
    let killed = Command::new("kill")
        .args(["-KILL", &parent.id().to_string()])
        .status();
    assert!(killed.expect("kill").success());
    parent.wait().expect("it has ended");
    let is_gone = || {
        let status = std::fs::read_to_string(folder.join("status")).unwrap_or_default();
        status.is_empty() || status.contains("State:\tZ")
    };
    while !is_gone() {
        assert!(Instant::now() < patience, "the child goes on without its parent");
        std::thread::sleep(Duration::from_millis(10));
    }
}
