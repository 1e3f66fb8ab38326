//! Proves the programs of files without a bound and prints a table: `table [--seconds N] FILE…`.
//!
//! The files default to `crates/verify/tests/files/unbounded`. The entry is marked `{:entrypoint}` or
//! called `main`.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_chc::{
    Attempt, ChcOptions, ChcOutcome, Direction, KInductionOptions, KInductionOutcome, prove,
    prove_by_k_induction,
};
use lariat_testkit::boogie::problem;
use lariat_vc::Problem;

/// Whether it is proved, in words, and how long that took.
fn timed(work: impl FnOnce() -> (bool, String)) -> (bool, String) {
    let started = Instant::now();
    let (proved, word) = work();
    (proved, format!("{word} {:.2}", started.elapsed().as_secs_f64()))
}

fn by_clauses(problem: &Problem, attempts: &[Attempt], seconds: u64) -> (bool, String) {
    let options = ChcOptions {
        attempts: attempts.to_vec(),
        ..ChcOptions::default()
    };
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    timed(|| match prove(problem, &options, &budget) {
        ChcOutcome::Proved(_) => (true, "proved".into()),
        ChcOutcome::Reachable => (false, "reachable".into()),
        ChcOutcome::Unknown(reason) => (false, reason),
        ChcOutcome::Declined(reason) => (false, format!("declined: {reason}")),
    })
}

fn by_k_induction(problem: &Problem, seconds: u64) -> (bool, String) {
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    timed(
        || match prove_by_k_induction(problem, &KInductionOptions::default(), &budget) {
            KInductionOutcome::Proved { k } => (true, format!("proved, k = {k}")),
            KInductionOutcome::Unknown(reason) => (false, reason),
            KInductionOutcome::Declined(reason) => (false, format!("declined: {reason}")),
        },
    )
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
    println!(
        "{:26} {:26} {:26} {:26} k-induction",
        "file", "forward", "backward", "forward, guided"
    );
    let [forward, backward] = [Direction::Forward, Direction::Backward].map(Attempt::new);
    let guided = Attempt {
        guidance: true,
        ..forward
    };
    let mut totals = [0; 4];
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let problem = problem(&text);
        let answers = [
            by_clauses(&problem, &[forward], seconds),
            by_clauses(&problem, &[backward], seconds),
            by_clauses(&problem, &[guided], seconds),
            by_k_induction(&problem, seconds),
        ];
        for (total, (proved, _)) in totals.iter_mut().zip(&answers) {
            *total += u32::from(*proved);
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let [a, b, c, d] = answers.map(|(_, word)| word);
        println!("{name:26} {a:26} {b:26} {c:26} {d}");
    }
    let [a, b, c, d] = totals;
    let name = format!("proved of {}", files.len());
    println!("{name:26} {a:<26} {b:<26} {c:<26} {d}");
}
