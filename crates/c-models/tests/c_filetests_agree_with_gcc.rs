//! What the C filetests of `lariat-verify` expect is what a real compiler's programs do: `NAME_ok` never fails, and
//! `NAME_bad` fails in the line and in the way that is expected, with the inputs that the file names.
//! Every file is a test of its own.

use std::path::Path;
use std::process::{Command, ExitCode, Output};

use lariat_testkit::files::{self, Case};
use lariat_testkit::folder::Folder;
use lariat_testkit::gcc;

const FEWEST_FILES: usize = 80;
const SEEDS: usize = 12;

/// The header of a file.
struct Expected {
    name: String,
    line: usize,
    kind: String,
    /// `None`: a compiler cannot show it.
    inputs: Option<Vec<String>>,
}

fn header(path: &Path) -> Option<Expected> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut lines = text.lines();
    lines.next()?.strip_prefix("// lariat:")?;
    let name = lines
        .next()?
        .strip_prefix("// expect: ")?
        .split_once("_ok ")?
        .0
        .to_owned();
    let bug = lines.next()?.strip_prefix("// expect: ")?.strip_prefix(&name)?;
    let bug = bug
        .strip_prefix("_bad bug line ")
        .or_else(|| bug.strip_prefix("_bad bug-unconfirmed line "))?;
    let (line, kind) = bug.split_once(' ')?;
    let how = lines.next()?.strip_prefix("// ")?.strip_prefix(&name)?;
    let inputs = match how.strip_prefix("_bad fails with the inputs ") {
        Some(inputs) => {
            let inputs = inputs.split('(').next().unwrap_or(inputs);
            Some(inputs.split_whitespace().map(str::to_owned).collect())
        }
        None => {
            how.strip_prefix("_bad: not to be run")?;
            None
        }
    };
    Some(Expected {
        name,
        line: line.parse().ok()?,
        kind: kind.to_owned(),
        inputs,
    })
}

/// What the failing program must say.
fn says(expected: &Expected, file: &str, text: &str) -> bool {
    let place = format!("{file}:{}", expected.line);
    match expected.kind.as_str() {
        "assert" => text.contains(&place) && text.contains("Assertion"),
        "null" => text.contains(&place) && text.contains("null pointer"),
        "bounds" => text.contains(&place) && (text.contains("out of bounds") || text.contains("overflow")),
        "use-after-free" => text.contains(&place) && text.contains("AddressSanitizer"),
        "double-free" => text.contains(&place) && text.contains("double-free"),
        "invalid-free" => text.contains(&place) && text.contains("attempting free on address"),
        "leak" => text.contains("LeakSanitizer"),
        "overflow" => {
            text.contains(&place) && (text.contains("overflow") || text.contains("cannot be represented"))
        }
        "div-by-zero" => text.contains(&place) && text.contains("division by zero"),
        "shift" => text.contains(&place) && text.contains("shift exponent"),
        "reach" => text.contains("__VERIFIER_error is called"),
        "abort" => text.contains(&place) && text.contains("ABRT"),
        _ => false,
    }
}

fn run(program: &Path, args: &[String]) -> (Output, String) {
    let output = Command::new(program)
        .args(args)
        .env("ASAN_OPTIONS", "detect_stack_use_after_return=1:handle_abort=1")
        .env("UBSAN_OPTIONS", "print_stacktrace=0")
        .output()
        .expect("the compiled program can be run");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, text)
}

/// What is wrong with a file.
fn check(path: &Path, folder: &Path) -> Result<(), String> {
    let expected = header(path).ok_or("its header is not understood")?;
    let program = folder.join(&expected.name);
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/driver.c");
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-g", "-O0", "-fsanitize=address,undefined"])
        .args(["-fno-sanitize-recover=all", "-fno-sanitize=vla-bound"])
        .arg(format!("-DOK={}_ok", expected.name))
        .arg(format!("-DBAD={}_bad", expected.name))
        .args([path, &driver, Path::new("-o"), &program, Path::new("-lm")])
        .output()
        .map_err(|error| error.to_string())?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let mut returned = 0;
    for seed in 1..=SEEDS {
        let (output, text) = run(&program, &["seed".into(), seed.to_string()]);
        match output.status.code() {
            Some(77) => {}
            Some(0) => returned += 1,
            // exit(1), as check_abort does.
            Some(1) if text.is_empty() => {}
            _ => return Err(format!("_ok fails with seed {seed}:\n{text}")),
        }
    }
    if returned == 0 && expected.kind != "reach" && !has_assumption(path) {
        return Err("_ok never returns".into());
    }
    let Some(inputs) = &expected.inputs else {
        return Ok(());
    };
    let (output, text) = run(&program, inputs);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    if output.status.success() || !says(&expected, &file, &text) {
        return Err(format!("_bad does not fail as expected with {inputs:?}:\n{text}"));
    }
    Ok(())
}

/// Random inputs may all be excluded.
fn has_assumption(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains("__VERIFIER_assume("))
}

fn main() -> ExitCode {
    if !gcc::is_there("c_filetests_agree_with_gcc") {
        return ExitCode::SUCCESS;
    }
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../verify/tests/files/c");
    let cases = files::below(&files, "c")
        .into_iter()
        .map(|(name, path)| {
            Case::new(name, move || {
                let folder = Folder::new("c-filetest");
                check(&path, folder.path())
            })
        })
        .collect();
    files::run(cases, FEWEST_FILES)
}
