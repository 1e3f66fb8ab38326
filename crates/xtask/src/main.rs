//! `cargo xtask`: makes what is given to users: a tarball, a Debian package, a Python wheel, the book.
//!
//! ```text
//! cargo xtask dist [--binary FILE] [--out DIR]   target/dist/lariat-VERSION-….{tar.gz,deb,whl}
//! cargo xtask book [--out DIR]                   target/book/, with dead links reported
//! cargo xtask try-dist PACKAGE…                  runs each in a root with nothing but the C library (needs root)
//! ```
//!
//! This crate knows no other crate of the workspace: it starts Cargo, `tar`, `dpkg-deb` and Python.

mod book;
mod dist;
mod try_dist;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.first().map(String::as_str) {
        Some("dist") => Flags::parse(&words[1..], &["--binary", "--out"]).and_then(|flags| dist::run(&flags)),
        Some("book") => Flags::parse(&words[1..], &["--out"]).and_then(|flags| book::run(&flags)),
        Some("try-dist") => try_dist::run(&words[1..]),
        _ => Err(
            "usage: cargo xtask dist [--binary FILE] [--out DIR] | book [--out DIR] | try-dist PACKAGE…"
                .to_owned(),
        ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Flags with one value each.
pub struct Flags(Vec<(String, PathBuf)>);

impl Flags {
    fn parse(words: &[String], known: &[&str]) -> Result<Self, String> {
        let mut flags = Vec::new();
        for pair in words.chunks(2) {
            match pair {
                [flag, value] if known.contains(&flag.as_str()) => {
                    flags.push((flag.clone(), PathBuf::from(value)))
                }
                [flag, _] => return Err(format!("there is no flag `{flag}`")),
                _ => return Err(format!("`{}` needs a value", pair[0])),
            }
        }
        Ok(Flags(flags))
    }

    pub fn get(&self, flag: &str) -> Option<&Path> {
        let found = self.0.iter().find(|(name, _)| name == flag);
        found.map(|(_, value)| value.as_path())
    }
}

/// The working copy.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Result<(), String> {
    let status = command
        .status()
        .map_err(|error| format!("cannot start {}: {error}", command.get_program().display()))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{} failed: {status}", command.get_program().display())),
    }
}

/// What a command prints.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("cannot start {}: {error}", command.get_program().display()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!(
            "{} failed: {}",
            command.get_program().display(),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}
