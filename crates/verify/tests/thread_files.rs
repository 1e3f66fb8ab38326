//! C programs with threads.
//!
//! Each file of `tests/files/races/` has a data race on a line that says `RACE`; with the macro `MENDED` it has none. With
//! `LARIAT_TSAN=1` both forms are also compiled with ThreadSanitizer and run: it must see the race, and none in the mended form.
//!
//! A file of `tests/files/c-threads/` starts with comment lines:
//!
//! ```text
//! // lariat: deadlock                  the checks
//! // contexts: any                     if not 2
//! // expect: bug line 26,31 deadlock   at one of these lines; or `bounded`, which `proved` meets too, or `unknown`
//! // says: thread 1 waits              what the message contains, if it matters
//! ```

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use lariat_base::Budget;
use lariat_report::{Check, FailureKind, SearchFlags, Verdict, VerifyReport, VerifyRequest};
use lariat_testkit::files::{self, Case};
use lariat_testkit::folder::Folder;
use lariat_testkit::gcc;

/// No test takes as long; it only ends one that hangs.
const HANG: Duration = Duration::from_secs(300);
const CONTEXTS: u32 = 2;
const FEWEST_CASES: usize = 50;
/// A race need not happen in every run.
const RUNS: usize = 60;

fn report(path: &Path, checks: Vec<Check>, macros: &[&str], contexts: Option<u32>) -> VerifyReport {
    let mut request = VerifyRequest::new(vec![path.to_owned()]);
    request.bound = 2;
    request.c.checks = checks;
    request.c.macros = macros.iter().map(|&name| name.to_owned()).collect();
    request.search = SearchFlags {
        contexts,
        ..SearchFlags::default()
    };
    lariat_verify::verify(&request, &Budget::unlimited().within(HANG), &mut |_| {})
}

fn wrong(report: &VerifyReport) -> Result<(), String> {
    let mut text = report.verdict.to_string();
    for failure in report.failures() {
        text += &format!(
            " {:?} at {:?}: {}",
            failure.kind, failure.location, failure.message
        );
    }
    for diagnostic in report.errors() {
        text += &format!("\n{}", diagnostic.rendered);
    }
    Err(text)
}

/// The place of the race is one of the lines that say so.
fn has_race(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let report = report(path, vec![Check::Race], &[], Some(CONTEXTS));
    let failure = report.failures().next();
    let line = failure
        .and_then(|failure| failure.location.as_ref())
        .map(|place| place.line);
    let is_marked = line.is_some_and(|line| {
        let line = text.lines().nth(line as usize - 1);
        line.is_some_and(|line| line.contains("RACE"))
    });
    let is_race = failure.is_some_and(|failure| failure.kind == FailureKind::DataRace);
    match (&report.verdict, is_marked && is_race) {
        (Verdict::Bug, true) => Ok(()),
        _ => wrong(&report),
    }
}

fn has_no_race(path: &Path) -> Result<(), String> {
    let report = report(path, vec![Check::Race], &["-DMENDED"], Some(CONTEXTS));
    match report.verdict {
        Verdict::Proved | Verdict::Bounded { .. } => Ok(()),
        _ => wrong(&report),
    }
}

/// What ThreadSanitizer says of one form of a program.
fn sanitizer_agrees(path: &Path, is_mended: bool) -> Result<(), String> {
    let folder = Folder::new("tsan");
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut options = vec![
        "-fsanitize=thread",
        "-g",
        "-O0",
        // Calls of the library stay calls, which the sanitizer sees.
        "-fno-builtin",
        "-pthread",
        "-w",
        "-include",
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perturb.h"),
    ];
    if is_mended {
        options.push("-DMENDED");
    }
    let program = gcc::compile(&text, &options, folder.path(), "program")?;
    let runs = if is_mended { 3 } else { RUNS };
    for _ in 0..runs {
        let output = Command::new(&program)
            .output()
            .map_err(|error| error.to_string())?;
        let errors = String::from_utf8_lossy(&output.stderr);
        match (errors.contains("data race"), is_mended) {
            (true, true) => {
                return Err(format!(
                    "ThreadSanitizer sees a race in the mended form:\n{errors}"
                ));
            }
            (true, false) => return Ok(()),
            (false, _) => {}
        }
    }
    match is_mended {
        true => Ok(()),
        false => Err("ThreadSanitizer sees no race".to_owned()),
    }
}

/// Whether the sanitizer was asked for and is there.
fn uses_sanitizer() -> bool {
    if std::env::var_os("LARIAT_TSAN").is_none() || !gcc::is_there("ThreadSanitizer on racy programs") {
        return false;
    }
    let folder = Folder::new("tsan");
    let compiled = gcc::compile(
        "int main(void) { return 0; }",
        &["-fsanitize=thread"],
        folder.path(),
        "probe",
    );
    let works = compiled.is_ok_and(|program| {
        Command::new(program)
            .status()
            .is_ok_and(|status| status.success())
    });
    if !works {
        let message = b"skipped: ThreadSanitizer on racy programs needs gcc -fsanitize=thread\n";
        let _ = std::io::Write::write_all(&mut std::io::stderr(), message);
    }
    works
}

/// A program with its expectation in its first lines.
fn is_as_expected(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let line = |prefix: &str| text.lines().find_map(|line| line.strip_prefix(prefix));
    let (Some(checks), Some(expected)) = (line("// lariat:"), line("// expect:")) else {
        return Err("the file expects nothing".to_owned());
    };
    let checks: Vec<Check> = checks
        .split_whitespace()
        .map(|name| name.parse().map_err(|_| format!("no check {name}")))
        .collect::<Result<_, _>>()?;
    let contexts = match line("// contexts:").map(str::trim) {
        None => Some(CONTEXTS),
        Some("any") => None,
        Some(other) => return Err(format!("no number of contexts: {other}")),
    };
    let report = report(path, checks, &[], contexts);
    let words: Vec<&str> = expected.split_whitespace().collect();
    let failure = report.failures().next();
    let is_right = match (words.as_slice(), &report.verdict) {
        (["bounded"], Verdict::Proved | Verdict::Bounded { .. }) | (["unknown"], Verdict::Unknown { .. }) => {
            true
        }
        (["bug", "line", line, check], Verdict::Bug) => failure.is_some_and(|failure| {
            let place = failure.location.as_ref().map(|place| place.line.to_string());
            let kind = check.parse::<Check>().ok().map(Check::failure);
            let is_there = place.is_some_and(|place| line.split(',').any(|line| *line == place));
            is_there && Some(failure.kind) == kind
        }),
        _ => false,
    };
    // Places are told without the folder.
    let folder = path
        .parent()
        .map_or(String::new(), |folder| format!("{}/", folder.display()));
    let message = failure.map_or(String::new(), |failure| failure.message.replace(&folder, ""));
    let said = line("// says: ").is_none_or(|text| message.contains(text));
    if is_right && said { Ok(()) } else { wrong(&report) }
}

fn main() -> ExitCode {
    let folder = |name: &str| -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/files")
            .join(name)
    };
    let mut cases = Vec::new();
    let uses_sanitizer = uses_sanitizer();
    for (name, path) in files::below(&folder("races"), "c") {
        let (racy, mended) = (path.clone(), path.clone());
        cases.push(Case::new(format!("races/{name}"), move || has_race(&racy)));
        cases.push(Case::new(format!("races/{name} mended"), move || {
            has_no_race(&mended)
        }));
        if uses_sanitizer {
            cases.push(Case::new(
                format!("races/{name} under ThreadSanitizer"),
                move || {
                    sanitizer_agrees(&path, false)?;
                    sanitizer_agrees(&path, true)
                },
            ));
        }
    }
    for (name, path) in files::below(&folder("c-threads"), "c") {
        cases.push(Case::new(format!("c-threads/{name}"), move || {
            is_as_expected(&path)
        }));
    }
    files::run(cases, FEWEST_CASES)
}
