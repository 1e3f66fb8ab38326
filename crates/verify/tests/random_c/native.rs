//! What gcc's programs return.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What was seen where.
pub type Observations = Vec<(String, i64)>;

/// No program here runs for long unless a part of it was left out.
const TIME: Duration = Duration::from_secs(3);

const MEANING: [&str; 5] = [
    "-std=gnu11",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-Werror=return-type",
];

/// Ways of compiling that must not make a difference.
pub const SIMPLE: &[&str] = &["-O0"];
pub const OPTIMISED: &[&str] = &["-O2"];
pub const CHECKED: &[&str] = &[
    "-O0",
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-sanitize=leak",
];

pub fn is_there() -> bool {
    let version = Command::new("gcc")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    version.is_ok_and(|status| status.success())
}

/// Compiles the text, runs it and returns the names and numbers that it prints.
pub fn run(text: &str, folder: &Path, name: &str, how: &[&str]) -> Result<Observations, String> {
    let (source, program) = (
        folder.join(format!("{name}-native.c")),
        folder.join(format!("{name}-native")),
    );
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let compiled = Command::new("gcc")
        .args(MEANING)
        .args(how)
        .args([&source, Path::new("-o"), &program])
        .output()
        .map_err(|error| error.to_string())?;
    if !compiled.status.success() {
        return Err(format!("gcc: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let child = Command::new(&program)
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let output = within_time(child)?;
    let _ = std::fs::remove_file(&source);
    let _ = std::fs::remove_file(&program);
    let parse = |line: &str| {
        let (name, number) = line.split_once(' ')?;
        Some((name.to_owned(), number.parse().ok()?))
    };
    output
        .lines()
        .map(|line| parse(line).ok_or_else(|| format!("gcc's program prints {line}")))
        .collect()
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
                return Err("gcc's program does not end".to_owned());
            }
        }
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("gcc's program ends with {}: {text}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
