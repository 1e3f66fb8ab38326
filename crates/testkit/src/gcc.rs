//! What a real compiler says. Tests that need it say on stderr if they were skipped; `.ci/run` requires it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::folder::Folder;

/// No program of a test runs for long.
const TIME: Duration = Duration::from_secs(5);

/// Whether there is a gcc. If not, it is said which test is skipped; with `LARIAT_REQUIRE_GCC` that is a failure.
#[track_caller]
pub fn is_there(test: &str) -> bool {
    tools_are_there(test, &["gcc"])
}

/// The same for several programs.
#[track_caller]
pub fn tools_are_there(test: &str, tools: &[&str]) -> bool {
    let missing: Vec<&str> = tools.iter().copied().filter(|tool| !answers(tool)).collect();
    if missing.is_empty() {
        return true;
    }
    say_skipped(test, &missing.join(", "), "LARIAT_REQUIRE_GCC");
    false
}

/// Whether there is a clang that finds uses of uninitialised values. If not, it is said what is skipped; with `LARIAT_NEEDS_CLANG` that is
/// a failure.
#[track_caller]
pub fn memory_sanitizer_is_there(test: &str) -> bool {
    let folder = Folder::new("memory-sanitizer");
    let source = folder.write("empty.c", "int main(void) { return 0; }");
    let status = Command::new("clang")
        .arg("-fsanitize=memory")
        .arg(source)
        .arg("-o")
        .arg(folder.path().join("empty"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let works = status.is_ok_and(|status| status.success());
    if !works {
        say_skipped(test, "clang with its memory sanitizer", "LARIAT_NEEDS_CLANG");
    }
    works
}

#[track_caller]
fn say_skipped(test: &str, needed: &str, required: &str) {
    let message = format!("skipped: {test} needs {needed}");
    assert!(std::env::var_os(required).is_none(), "{message}");
    // Not by `eprintln!`, which the test harness would keep for itself.
    let _ = writeln!(std::io::stderr(), "{message}");
}

fn answers(tool: &str) -> bool {
    let version = Command::new(tool)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    version.is_ok_and(|status| status.success())
}

/// Compiles a text with the given options.
pub fn compile(text: &str, options: &[&str], folder: &Path, name: &str) -> Result<PathBuf, String> {
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let compiled = Command::new("gcc")
        .args(options)
        .args([&source, Path::new("-o"), &program])
        .output()
        .map_err(|error| error.to_string())?;
    match compiled.status.success() {
        true => Ok(program),
        false => Err(format!("gcc: {}", String::from_utf8_lossy(&compiled.stderr))),
    }
}

/// Whether gcc accepts a text; nothing is compiled.
pub fn accepts(text: &str, options: &[&str]) -> Result<(), String> {
    let folder = Folder::new("gcc-accepts");
    let source = folder.write("program.c", text);
    let checked = Command::new("gcc")
        .arg("-fsyntax-only")
        .args(options)
        .arg(&source)
        .output()
        .map_err(|error| error.to_string())?;
    match checked.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&checked.stderr).into_owned()),
    }
}

/// Compiles a text and runs it: what it prints.
#[track_caller]
pub fn output(text: &str, options: &[&str]) -> String {
    let folder = Folder::new("gcc");
    compile(text, options, folder.path(), "native")
        .and_then(|program| run(&mut Command::new(program)))
        .unwrap_or_else(|message| panic!("{message}\n{text}"))
}

/// What a command prints, if it succeeds and ends in time.
pub fn run(command: &mut Command) -> Result<String, String> {
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    within_time(child)
}

fn within_time(mut child: Child) -> Result<String, String> {
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if started.elapsed() < TIME => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("the compiled program does not end".to_owned());
            }
        }
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "the compiled program ends with {}: {text}",
            output.status
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
