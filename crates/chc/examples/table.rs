//! Proves the programs of files without a bound and prints a table: `table [--seconds N] FILE…`.
//!
//! The files default to `crates/verify/tests/files/unbounded`. The entry is the implementation marked
//! `{:entrypoint}` or `main`.
#![allow(clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_chc::{ChcOptions, ChcOutcome, Direction, prove};
use lariat_vc::Problem;

/// Whether it is proved, in words, and how long that took.
fn timed(work: impl FnOnce() -> (bool, String)) -> (bool, String) {
    let started = Instant::now();
    let (proved, word) = work();
    (proved, format!("{word} {:.2}", started.elapsed().as_secs_f64()))
}

fn by_clauses(problem: &Problem, directions: &[Direction], seconds: u64) -> (bool, String) {
    let options = ChcOptions {
        directions: directions.to_vec(),
        ..ChcOptions::default()
    };
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    timed(|| match prove(problem, &options, &budget) {
        ChcOutcome::Proved(_) => (true, "proved".into()),
        ChcOutcome::Reachable => (false, "reachable".into()),
        ChcOutcome::Unknown(reason) => (false, format!("unknown ({reason})")),
        ChcOutcome::Declined(reason) => (false, format!("declined ({reason})")),
    })
}

fn main() {
    let mut seconds = 10;
    let mut files: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => {
                seconds = arguments
                    .next()
                    .and_then(|number| number.parse().ok())
                    .unwrap_or(seconds)
            }
            _ => files.push(argument.into()),
        }
    }
    if files.is_empty() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../verify/tests/files/unbounded");
        let entries = std::fs::read_dir(folder).expect("the folder of unbounded programs");
        files.extend(entries.filter_map(|entry| entry.ok().map(|entry| entry.path())));
        files.retain(|path| path.extension().is_some_and(|extension| extension == "bpl"));
        files.sort();
    }
    println!("{:34} {:40} {:40} both", "file", "forward", "backward");
    let mut totals = [0; 3];
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let problem = common::problem(&text);
        let answers = [
            by_clauses(&problem, &[Direction::Forward], seconds),
            by_clauses(&problem, &[Direction::Backward], seconds),
            by_clauses(&problem, &[Direction::Forward, Direction::Backward], seconds),
        ];
        for (total, (proved, _)) in totals.iter_mut().zip(&answers) {
            *total += u32::from(*proved);
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let [forward, backward, both] = answers.map(|(_, word)| word);
        println!("{name:34} {forward:40} {backward:40} {both}");
    }
    let [forward, backward, both] = totals;
    println!(
        "{:34} {forward:<40} {backward:<40} {both}",
        format!("proved of {}", files.len())
    );
}
