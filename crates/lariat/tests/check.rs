//! `lariat check` and `lariat doctor`, and the steps of the GitHub Action as they stand.

#[allow(dead_code, reason = "each test uses a part")]
mod common;
#[allow(dead_code, reason = "a part is used")]
#[path = "../src/format/schema.rs"]
mod schema;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Sandbox, stderr, stdout};

fn project(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    fs::create_dir_all(sandbox.path().join("src")).expect("a folder");
    sandbox.write("src/good.bpl", "procedure main() { assert 1 < 2; }");
    sandbox.write("src/bad.bpl", "procedure main(x: int) { assert x != 7; }");
    sandbox.write(
        "src/open.bpl",
        "const NULL: int; procedure P(x: int) { if (x == 3) { assert false; } }",
    );
    sandbox.write(
        "lariat.toml",
        "[[target]]\nname = \"good\"\nfiles = \"src/g*.bpl\"\nengine = \"dag\"\n\n\
         [[target]]\nname = \"bad\"\nfiles = [\"src/bad.bpl\"]\nengine = \"dag\"\n\n\
         [[target]]\nname = \"open\"\ncommand = \"angelic\"\nfiles = \"src/open.bpl\"\nno-specs = true\nno-cache = true\n",
    );
    sandbox
}

#[test]
fn all_targets_are_checked_and_one_table_is_printed() {
    let sandbox = project("check");
    let output = sandbox.run(&["check"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "good  verify   proved",
        "bad   verify   bug",
        "open  angelic  1 warning",
        "1 of 3 targets without a finding",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(sandbox.run(&["check", "good"]).status.code(), Some(0));
    let unknown = sandbox.run(&["check", "nothing"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        stderr(&unknown).contains("there are good, bad, open"),
        "{}",
        stderr(&unknown)
    );
    // From a folder below, with results beside it.
    let below = sandbox
        .lariat(&[
            "check",
            "--output-format",
            "sarif",
            "-o",
            "all.sarif",
            "--report",
            "pages",
        ])
        .current_dir(sandbox.path().join("src"))
        .output()
        .expect("started");
    assert_eq!(below.status.code(), Some(1), "{}", stderr(&below));
    let log = fs::read_to_string(sandbox.path().join("src/all.sarif")).expect("a file");
    let log: serde_json::Value = serde_json::from_str(&log).expect("JSON");
    schema::assert_valid(&log);
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(3));
    assert_eq!(log["runs"][1]["automationDetails"]["id"], "lariat/bad");
    assert_eq!(log["runs"][1]["results"][0]["ruleId"], "assertion");
    for page in ["index.html", "good.html", "bad.html", "open.html"] {
        assert!(sandbox.path().join("src/pages").join(page).is_file(), "{page}");
    }
    // With what is known nothing is new.
    let known = sandbox.run(&["check", "--quiet", "--baseline", "src/all.sarif"]);
    assert_eq!(
        known.status.code(),
        Some(0),
        "{}{}",
        stdout(&known),
        stderr(&known)
    );
}

#[test]
fn mistakes_in_the_settings_are_told() {
    let sandbox = project("check-bad");
    sandbox.write(
        "lariat.toml",
        "[[target]]\nname = \"a\"\nfiles = \"src/bad.bpl\"\nbonud = 3\n",
    );
    let output = sandbox.run(&["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`bound`"), "{}", stderr(&output));
    // A value that the command refuses.
    sandbox.write(
        "lariat.toml",
        "[[target]]\nname = \"a\"\nfiles = \"src/bad.bpl\"\nengine = \"warp\"\n",
    );
    let output = sandbox.run(&["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("invalid value 'warp'"),
        "{}",
        stderr(&output)
    );
    fs::remove_file(sandbox.path().join("lariat.toml")).expect("removed");
    let output = sandbox.run(&["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("lariat.toml"), "{}", stderr(&output));
}

#[test]
fn the_doctor_tells_what_there_is() {
    let sandbox = Sandbox::new("doctor");
    let output = sandbox.run(&["doctor"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    for part in ["lariat", "Z3", "libz3", "a small program was verified", "core"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let broken = sandbox
        .lariat(&["doctor"])
        .env("LARIAT_LIBCLANG", "/nowhere/libclang.so")
        .output()
        .expect("started");
    assert_eq!(broken.status.code(), Some(2));
    assert!(
        stdout(&broken).contains("/nowhere/libclang.so: not there"),
        "{}",
        stdout(&broken)
    );
}

/// The scripts of a composite action, in their order.
fn scripts(action: &str) -> Vec<String> {
    let mut scripts = Vec::new();
    let mut lines = action.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim() != "run: |" {
            continue;
        }
        let indent = line.len() - line.trim_start().len() + 2;
        let mut script = String::new();
        while let Some(line) =
            lines.next_if(|line| line.trim().is_empty() || line.starts_with(&" ".repeat(indent)))
        {
            script.push_str(line.get(indent..).unwrap_or(""));
            script.push('\n');
        }
        scripts.push(script);
    }
    scripts
}

#[cfg(unix)]
#[test]
fn the_steps_of_the_action_run_as_they_stand() {
    let action = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action.yml"))
        .expect("the action");
    let scripts = scripts(&action);
    assert_eq!(scripts.len(), 2);
    let sandbox = project("action");
    let binary = Path::new(env!("CARGO_BIN_EXE_lariat"))
        .parent()
        .expect("a folder")
        .display()
        .to_string();
    let path = format!("{binary}:{}", std::env::var("PATH").unwrap_or_default());
    let run = |script: &str, fail_on: &str, arguments: &str| {
        Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", script])
            .current_dir(sandbox.path())
            .env("PATH", &path)
            .env("PACKAGE", "")
            .env("GITHUB_PATH", sandbox.path().join("path"))
            .env("ARGUMENTS", arguments)
            .env("SARIF", "lariat.sarif")
            .env("REPORT", "lariat-report")
            .env("FAIL_ON", fail_on)
            .output()
            .expect("bash")
    };
    let installed = run(&scripts[0], "finding", "");
    assert_eq!(
        installed.status.code(),
        Some(0),
        "{}{}",
        stdout(&installed),
        stderr(&installed)
    );
    for (fail_on, arguments, code) in [
        ("finding", "", 1),
        ("never", "", 0),
        ("finding", "good", 0),
        ("finding", "nothing", 2),
    ] {
        let output = run(&scripts[1], fail_on, arguments);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{fail_on} {arguments}: {}{}",
            stdout(&output),
            stderr(&output)
        );
    }
    let log = fs::read_to_string(sandbox.path().join("lariat.sarif")).expect("a file");
    schema::assert_valid(&serde_json::from_str(&log).expect("JSON"));
    assert!(sandbox.path().join("lariat-report/index.html").is_file());
}
