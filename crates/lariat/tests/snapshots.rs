//! Commands with what they print, in `tests/cli/*.txt`; `BLESS=1` rewrites the expectations.
//!
//! A file is a sequence of sections. `== file NAME` writes a file, `== run [VAR=VALUE…] ARGUMENTS` runs
//! `lariat ARGUMENTS`, and `== exit`, `== stdout` and `== stderr` after it are what is expected; `== content NAME` is
//! what a file is expected to contain. Figures that vary from run to run are replaced by `#`.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use common::{Sandbox, stderr, stdout};

#[test]
fn commands_print_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let bless = std::env::var_os("BLESS").is_some();
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut failed = String::new();
    for path in paths {
        let expected = fs::read_to_string(&path).expect("a case");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let actual = replay(&name, &expected);
        if actual == expected {
            continue;
        }
        if bless {
            fs::write(&path, &actual).expect("blessed");
        } else {
            let _ = writeln!(failed, "{}:\n{}", path.display(), difference(&expected, &actual));
        }
    }
    assert!(
        failed.is_empty(),
        "{failed}\nBLESS=1 cargo test -p lariat accepts what was printed"
    );
}

/// The case with what the commands really print in place of what is expected.
fn replay(name: &str, case: &str) -> String {
    let sandbox = Sandbox::new(name);
    let mut actual = String::new();
    for section in sections(case) {
        let (heading, body) = section.split_once('\n').unwrap_or((section, ""));
        if let Some(file) = heading.strip_prefix("== file ") {
            sandbox.write(file, body.strip_suffix('\n').unwrap_or(body));
            actual.push_str(section);
        } else if let Some(command) = heading.strip_prefix("== run ") {
            actual.push_str(heading);
            actual.push('\n');
            run(&mut actual, &sandbox, command);
        } else if let Some(file) = heading.strip_prefix("== content ") {
            let content = fs::read_to_string(sandbox.path().join(file));
            let content = content.unwrap_or_else(|error| format!("{error}\n"));
            let _ = writeln!(actual, "{heading}\n{content}");
        } else if !["== exit", "== stdout", "== stderr"]
            .iter()
            .any(|kind| heading.starts_with(kind))
        {
            actual.push_str(section);
        }
    }
    actual
}

/// The parts of a case, each with its heading; what stands before the first is one too.
fn sections(case: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = case.match_indices("\n== ").map(|(index, _)| index + 1).collect();
    starts.insert(0, 0);
    starts.push(case.len());
    starts.windows(2).map(|range| &case[range[0]..range[1]]).collect()
}

fn run(actual: &mut String, sandbox: &Sandbox, command: &str) {
    let (variables, arguments): (Vec<&str>, Vec<&str>) = command
        .split_whitespace()
        .partition(|word| word.contains('=') && !word.starts_with('-'));
    let mut command = sandbox.lariat(&arguments);
    command.envs(variables.iter().filter_map(|variable| variable.split_once('=')));
    let output = command.output().expect("lariat can be started");
    let _ = writeln!(
        actual,
        "== exit {}",
        output
            .status
            .code()
            .map_or("none".to_owned(), |code| code.to_string())
    );
    for (kind, text) in [("stdout", stdout(&output)), ("stderr", stderr(&output))] {
        if !text.is_empty() {
            let _ = write!(actual, "== {kind}\n{}", normalise(&text));
        }
    }
    actual.push('\n');
}

/// Replaces times, sizes, counts of effort and places in our own source.
fn normalise(text: &str) -> String {
    let mut normal = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                normal.push(' ');
            }
            let next = words.get(index + 1).copied().unwrap_or("");
            let next = next.trim_end_matches([',', ':', ')']);
            let is_number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            let varies = ["s", "min", "MB", "GB", "MB/s", "inlined", "solver"].contains(&next);
            if is_number && varies {
                normal.push('#');
            } else if word.starts_with("crates/") && word.contains(".rs:") {
                normal.push_str("crates/#");
            } else {
                normal.push_str(word);
            }
        }
        // Columns of figures are as wide as the figures.
        while normal.ends_with(' ') {
            normal.pop();
        }
        normal.push('\n');
    }
    normal
}

fn difference(expected: &str, actual: &str) -> String {
    let (mut old, mut new) = (expected.lines(), actual.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (old.next(), new.next()) {
            (None, None) => return "  (they differ in their ends only)".to_owned(),
            (a, b) if a == b => {}
            (a, b) => {
                return format!(
                    "  line {number}\n  expected: {}\n  printed:  {}",
                    a.unwrap_or(""),
                    b.unwrap_or("")
                );
            }
        }
    }
}
