//! What gcc's programs return.

use std::path::Path;
use std::process::Command;

use lariat_testkit::gcc;

/// What was seen where.
pub type Observations = Vec<(String, i64)>;

const MEANING: [&str; 7] = [
    "-std=gnu11",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-Werror=return-type",
    "-Wl,--no-as-needed",
    "-lm",
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

/// Compiles the text, runs it and returns the names and numbers that it prints.
pub fn run(text: &str, folder: &Path, name: &str, how: &[&str]) -> Result<Observations, String> {
    let options = [&MEANING[..], how].concat();
    let program = gcc::compile(text, &options, folder, &format!("{name}-native"))?;
    let output = gcc::run(Command::new(&program).env("ASAN_OPTIONS", "detect_leaks=0"))?;
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
