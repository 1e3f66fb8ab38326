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

/// The same file in another folder. A link, because a program that another thread's child still has open for writing cannot be
/// started; another file system needs a copy.
#[cfg(target_os = "linux")]
fn take(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
    if fs::hard_link(from, to).is_err() {
        fs::copy(from, to).expect("copied");
    }
}

/// A program that was moved takes the libraries that moved with it: beside itself, or in `../lib`.
#[cfg(target_os = "linux")]
#[test]
fn libraries_are_found_beside_the_program() {
    let sandbox = Sandbox::new("libraries");
    let told = stdout(&sandbox.run(&["doctor"]));
    let solver = told
        .lines()
        .find_map(|line| line.split_once(" at ").filter(|_| line.contains("libz3")));
    let solver = Path::new(solver.expect("the solver's library").1.trim());
    let name = solver.file_name().expect("a name");
    for (place, library) in [("beside", "bin"), ("moved", "lib")] {
        let root = sandbox.path().join(place);
        take(Path::new(env!("CARGO_BIN_EXE_lariat")), &root.join("bin/lariat"));
        let library = root.join(library).join(name);
        take(&fs::canonicalize(solver).expect("a library"), &library);
        // Cargo's path for tests would come first.
        let output = Command::new(root.join("bin/lariat"))
            .arg("doctor")
            .env_remove("LD_LIBRARY_PATH")
            .output();
        let text = stdout(&output.expect("started"));
        let line = text.lines().find(|line| line.contains("libz3")).expect("a line");
        let used = line.split_once(" at ").expect("a path").1.trim();
        assert_eq!(
            fs::canonicalize(used).ok(),
            fs::canonicalize(&library).ok(),
            "{text}"
        );
        assert!(text.contains(&format!(
            "looked for in {}",
            root.canonicalize().expect("it is there").join("bin").display()
        )));
    }
}

/// Without a usable Z3 every command that needs it says so, with the folders in which it looked; the doctor works.
#[cfg(target_os = "linux")]
#[test]
fn a_missing_solver_is_told_with_the_places() {
    let sandbox = Sandbox::new("no-solver");
    let told = stdout(&sandbox.run(&["doctor"]));
    let solver = told.lines().find_map(|line| line.rsplit_once("/libz3"));
    let name = format!("libz3{}", solver.expect("the solver's library").1.trim());
    let bin = sandbox.path().join("bin");
    take(Path::new(env!("CARGO_BIN_EXE_lariat")), &bin.join("lariat"));
    fs::write(bin.join(name), "no library").expect("written");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(bin.join("lariat"));
        command.args(arguments).env_remove("LD_LIBRARY_PATH");
        command.output().expect("started")
    };
    let folder = bin.canonicalize().expect("it is there").display().to_string();
    let output = run(&["verify", "program.c"]);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for part in [
        "the Z3 library libz3",
        &folder,
        &format!("{folder}/../lib"),
        "build Lariat again",
    ] {
        assert!(message.contains(part), "{part} is not in\n{message}");
    }
    let output = run(&["doctor"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("no  Z3"), "{}", stdout(&output));
    assert_eq!(run(&["--version"]).status.code(), Some(0));
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

/// All three commands, each with a finding.
fn project_of_all_commands(name: &str) -> Sandbox {
    let sandbox = project(name);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in fs::read_dir(examples.join("conform/locks"))
        .expect("an example")
        .flatten()
    {
        let name = entry.file_name().into_string().expect("a name");
        let content = fs::read(entry.path()).expect("a file");
        sandbox.write(&format!("locks/{name}"), content);
    }
    sandbox.write(
        "src/registry.c",
        fs::read(examples.join("registry.c")).expect("an example"),
    );
    let mut settings = fs::read_to_string(sandbox.path().join("lariat.toml")).expect("settings");
    settings.push_str(
        "\n[[target]]\nname = \"registry\"\ncommand = \"angelic\"\nfiles = \"src/registry.c\"\nno-specs = true\n\
         no-cache = true\n\n[[target]]\nname = \"locks\"\ncommand = \"conform\"\nfiles = \"locks/unlock.conform\"\n",
    );
    sandbox.write("lariat.toml", settings);
    sandbox
}

/// What GitHub's code scanning asks for besides the schema.
fn assert_fit_for_github(log: &serde_json::Value) {
    assert_eq!(log["version"], "2.1.0");
    for run in log["runs"].as_array().expect("runs") {
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["name"], "Lariat");
        let rules = driver["rules"].as_array().expect("rules");
        for result in run["results"].as_array().expect("results") {
            let rule = rules.iter().find(|rule| rule["id"] == result["ruleId"]);
            let rule = rule.unwrap_or_else(|| panic!("no rule for {result:#}"));
            for field in ["shortDescription", "fullDescription", "help"] {
                let text = rule[field]["text"].as_str().expect(field);
                assert!(!text.is_empty() && text.len() < 1024, "{field}: {text}");
            }
            assert!(result["message"]["text"].is_string(), "{result:#}");
            let place = &result["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().expect("a file");
            assert!(!uri.starts_with('/') && !uri.contains(".."), "{uri}");
            assert!(place["region"]["startLine"].as_u64() > Some(0), "{result:#}");
            let prints = result["partialFingerprints"].as_object();
            assert!(prints.is_some_and(|it| !it.is_empty()), "{result:#}");
            let flows = result["codeFlows"].as_array().into_iter().flatten();
            for flow in flows.flat_map(|flow| flow["threadFlows"].as_array().into_iter().flatten()) {
                assert!(flow["locations"].as_array().is_some_and(|it| it.len() <= 1000));
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn the_steps_of_the_action_run_as_they_stand() {
    let action = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action.yml"))
        .expect("the action");
    let scripts = scripts(&action);
    assert_eq!(scripts.len(), 2);
    let sandbox = project_of_all_commands("action");
    // A package as `cargo xtask dist` makes it, with a program that starts the one of this build.
    let program = format!("#!/bin/sh\nexec \"{}\" \"$@\"\n", env!("CARGO_BIN_EXE_lariat"));
    sandbox.write("lariat-0-linux/bin/lariat", program);
    let pack = "chmod +x lariat-0-linux/bin/lariat && tar -czf package.tar.gz lariat-0-linux && rm -r lariat-0-linux";
    let packed = Command::new("sh")
        .args(["-c", pack])
        .current_dir(sandbox.path())
        .status();
    assert!(packed.expect("sh").success());
    let run = |script: &str, path: &str, fail_on: &str, arguments: &str| {
        let output = Command::new("bash")
            .args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script])
            .current_dir(sandbox.path())
            .env("PATH", path)
            .env("PACKAGE", "package.tar.gz")
            .env("RUNNER_TEMP", sandbox.path().join("temp"))
            .env("GITHUB_PATH", sandbox.path().join("path"))
            .env("ARGUMENTS", arguments)
            .env("SARIF", "lariat.sarif")
            .env("REPORT", "lariat-report")
            .env("FAIL_ON", fail_on)
            .output()
            .expect("bash");
        let text = format!("{}{}", stdout(&output), stderr(&output));
        (output.status.code(), text)
    };
    let path = std::env::var("PATH").expect("a path");
    let (code, text) = run(&scripts[0], &path, "finding", "");
    assert_eq!(code, Some(0), "{text}");
    // As the runner does for the steps that follow.
    let added = fs::read_to_string(sandbox.path().join("path")).expect("a path");
    let path = format!("{}:{path}", added.trim());
    for (fail_on, arguments, expected) in [
        ("finding", "good", 0),
        ("finding", "nothing", 2),
        ("never", "", 0),
        ("finding", "", 1),
    ] {
        let (code, text) = run(&scripts[1], &path, fail_on, arguments);
        assert_eq!(code, Some(expected), "{fail_on} {arguments}: {text}");
    }
    let log = fs::read_to_string(sandbox.path().join("lariat.sarif")).expect("a file");
    let log: serde_json::Value = serde_json::from_str(&log).expect("JSON");
    schema::assert_valid(&log);
    assert_fit_for_github(&log);
    let runs = log["runs"].as_array().expect("runs");
    for (index, name, findings) in [(1, "bad", 1), (3, "registry", 1), (4, "locks", 4)] {
        assert_eq!(runs[index]["automationDetails"]["id"], format!("lariat/{name}"));
        assert_eq!(
            runs[index]["results"].as_array().map(Vec::len),
            Some(findings),
            "{name}"
        );
    }
    for page in ["index", "bad", "registry", "locks"] {
        assert!(
            sandbox
                .path()
                .join(format!("lariat-report/{page}.html"))
                .is_file()
        );
    }
    // What is uploaded is what the steps have written.
    for (step, input) in [("sarif_file", "inputs.sarif"), ("path", "inputs.report")] {
        assert!(action.contains(&format!("{step}: ${{{{ {input} }}}}")), "{step}");
    }
}
