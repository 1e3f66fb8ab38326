//! Random C programs: Lariat proves that each returns what gcc's program returns, and refutes another result.
//!
//! `LARIAT_RANDOM_C=n` runs n programs instead of a few; `LARIAT_SEED=n` runs the program of one seed only,
//! `LARIAT_SEED=m..n` those of a range. A failure names the seed and shows the program with everything left
//! out that does not matter for the failure. `LARIAT_RANDOM_C_CHECKED=1` checks the generator instead: the
//! programs must do the same with optimisation and under the sanitizers.

#![allow(
    clippy::print_stderr,
    reason = "it says that it was skipped, or how long it took"
)]

#[path = "random_c/mod.rs"]
mod random_c;
mod support;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use random_c::batch::{Numbered, Way, agrees, question_text, refutes, results};
use random_c::generator::generate;
use random_c::native;
use support::tree::Program;

const PROGRAMS: u64 = 100;
/// Programs in one file.
const BATCH: usize = 25;
/// Programs that are tried when a failing one is made smaller.
const SHRINKING: usize = 400;
/// Failing programs that are shown.
const SHOWN: usize = 6;

fn numbered(seed: u64) -> Numbered {
    (seed, generate(seed, 2 + (seed % 3) as usize))
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be made");
    folder
}

fn seeds() -> Vec<u64> {
    let number = |text: &str| text.parse::<u64>().expect("a seed is a number");
    if let Ok(text) = std::env::var("LARIAT_SEED") {
        return match text.split_once("..") {
            Some((first, end)) => (number(first)..number(end)).collect(),
            None => vec![number(&text)],
        };
    }
    let count = std::env::var("LARIAT_RANDOM_C").map_or(PROGRAMS, |text| number(&text));
    (0..count).collect()
}

/// What is wrong with one program alone: it must agree, and another result must be refuted.
fn alone(program: &Numbered, folder: &Path, name: &str, way: Way) -> Result<(), String> {
    let program = std::slice::from_ref(program);
    let expected = results(program, folder, name, native::SIMPLE)?;
    agrees(program, &expected, folder, name, way)?;
    refutes(program, &[expected[0].wrapping_add(1)], folder, name, way)
}

/// Only failures of Lariat count: what gcc does not compile or run is no smaller program.
fn lariat_fails(program: &Numbered, folder: &Path, name: &str, way: Way) -> Option<String> {
    let one = std::slice::from_ref(program);
    let checked = results(one, folder, name, native::CHECKED).ok()?;
    (checked == results(one, folder, name, native::OPTIMISED).ok()?).then_some(())?;
    alone(program, folder, name, way).err()
}

fn kind(message: &str) -> &str {
    message.split([':', '(', '[']).next().unwrap_or_default()
}

/// Leaves out what does not matter.
fn shrink(program: Numbered, message: String, folder: &Path, name: &str, way: Way) -> (Numbered, String) {
    let (mut program, mut message) = (program, message);
    let mut left = SHRINKING;
    'again: loop {
        for smaller in smaller(&program.1) {
            if left == 0 {
                break 'again;
            }
            left -= 1;
            let candidate = (program.0, smaller);
            if let Some(other) = lariat_fails(&candidate, folder, name, way)
                && kind(&other) == kind(&message)
            {
                (program, message) = (candidate, other);
                continue 'again;
            }
        }
        break;
    }
    (program, message)
}

/// Programs with one function, declaration, variable or statement less.
fn smaller(program: &Program) -> Vec<Program> {
    let mut smaller = Vec::new();
    for index in 0..program.procedures.len().saturating_sub(1) {
        let mut less = program.clone();
        less.procedures.remove(index);
        smaller.push(less);
    }
    smaller.extend(program.smaller());
    for index in 0..program.declarations.len() {
        let mut less = program.clone();
        less.declarations.remove(index);
        smaller.push(less);
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        for local in 0..procedure.locals.len() {
            let mut less = program.clone();
            less.procedures[index].locals.remove(local);
            smaller.push(less);
        }
    }
    smaller
}

/// The complaints about a batch, with the programs that cause them.
fn check_batch(programs: &[Numbered], folder: &Path, number: usize) -> Vec<String> {
    let way = Way::of(number);
    let name = format!("batch-{number}");
    let expected = match results(programs, folder, &name, native::SIMPLE) {
        Ok(expected) => expected,
        Err(message) => return vec![format!("the generator is wrong: {message}")],
    };
    let message = match agrees(programs, &expected, folder, &name, way) {
        Ok(()) => {
            // One result after the other gets its turn.
            let mut wrong = expected.clone();
            let index = number % wrong.len();
            wrong[index] = wrong[index].wrapping_add(1 + (number as i64 * 37) % 1000);
            match refutes(programs, &wrong, folder, &name, way) {
                Ok(()) => return Vec::new(),
                Err(message) => message,
            }
        }
        Err(message) => message,
    };
    let mut complaints = Vec::new();
    for program in programs {
        if let Err(message) = alone(program, folder, &name, way) {
            let seed = program.0;
            let (small, message) = shrink(program.clone(), message, folder, &name, way);
            let one = std::slice::from_ref(&small);
            let text = match results(one, folder, &name, native::SIMPLE) {
                Ok(expected) => question_text(one, &expected),
                Err(_) => small.1.text(),
            };
            complaints.push(format!("seed {seed}, {way:?}: {message}\n{text}"));
        }
    }
    if complaints.is_empty() {
        let seeds: Vec<u64> = programs.iter().map(|(seed, _)| *seed).collect();
        complaints.push(format!("only together, seeds {seeds:?}, {way:?}: {message}"));
    }
    complaints
}

/// Whether gcc finds nothing undefined or unspecified in a batch.
fn check_generator(programs: &[Numbered], folder: &Path, number: usize) -> Vec<String> {
    let name = format!("generated-{number}");
    let run = |programs: &[Numbered], how| results(programs, folder, &name, how);
    let differs = |programs: &[Numbered]| {
        let simple = run(programs, native::SIMPLE);
        let checked = run(programs, native::CHECKED);
        let optimised = run(programs, native::OPTIMISED);
        (simple.is_err() || simple != checked || simple != optimised)
            .then(|| format!("-O0 {simple:?}\nsanitizers {checked:?}\n-O2 {optimised:?}"))
    };
    if differs(programs).is_none() {
        return Vec::new();
    }
    programs
        .iter()
        .filter_map(|program| {
            let message = differs(std::slice::from_ref(program))?;
            Some(format!("seed {}: {message}\n{}", program.0, program.1.text()))
        })
        .collect()
}

#[test]
fn lariat_agrees_with_gcc() {
    if !native::is_there() {
        eprintln!("skipped: gcc is not there");
        return;
    }
    let of_the_generator = std::env::var_os("LARIAT_RANDOM_C_CHECKED").is_some();
    let seeds = seeds();
    let batches: Vec<&[u64]> = seeds.chunks(BATCH).collect();
    let folder = folder();
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let started = Instant::now();
    let work = || {
        while let Some(seeds) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            let programs: Vec<Numbered> = seeds.iter().map(|&seed| numbered(seed)).collect();
            let number = seeds[0] as usize / BATCH;
            let found = if of_the_generator {
                check_generator(&programs, &folder, number)
            } else {
                check_batch(&programs, &folder, number)
            };
            complaints.lock().expect("no thread panics").extend(found);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            lariat_base::threads::spawn_with_big_stack(scope, "random-c", work)
                .expect("a thread can be started");
        }
    });
    let _ = std::fs::remove_dir_all(&folder);
    let complaints = complaints.into_inner().expect("no thread panics");
    let seconds = started.elapsed().as_secs_f64();
    eprintln!(
        "{} programs in {seconds:.1} s, {} fail",
        seeds.len(),
        complaints.len()
    );
    assert!(
        complaints.is_empty(),
        "{} complaints\n\n{}",
        complaints.len(),
        complaints[..complaints.len().min(SHOWN)].join("\n")
    );
}
