//! Random programs: the engines and brute force never contradict each other, every bug is replayed,
//! and the printed program has the same verdict.
//!
//! Each program is run with stratified inlining, static inlining and one other engine; with all engines if
//! `LARIAT_FULL_MATRIX` is set or only one seed is asked for. See `lariat_testkit::seeds` for longer runs; a
//! failure names its seed.

mod support;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use lariat_testkit::programs::{Generated, generate};
use lariat_testkit::seeds::{full_matrix, seeds};
use lariat_testkit::tree::Program;
use support::differential::{Agreement, BruteForce, Comparison, compare};
use support::engines::Variant;

const PROGRAMS: u64 = 800;
/// Programs that are tried when a failing one is made smaller.
const SHRINKING: usize = 300;

fn comparison(seed: u64, generated: &Generated, all_engines: bool) -> Comparison {
    Comparison {
        variants: if all_engines {
            Variant::sample(seed)
        } else {
            vec![Variant::sample_of_one(seed)]
        },
        bound: [2, 1, 2, 3][(seed % 4) as usize],
        all: seed.is_multiple_of(3),
        reprint: seed.is_multiple_of(5),
        closed: generated.closed,
        counts_otherwise: generated.counts_otherwise,
    }
}

/// Compares, with a panic of the verifier as one more way to fail.
fn check(program: &Program, folder: &Path, name: &str, comparison: &Comparison) -> Result<Agreement, String> {
    let text = program.text();
    catch_unwind(AssertUnwindSafe(|| compare(&text, folder, name, comparison))).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("panic: {}", message.unwrap_or_default()))
    })
}

/// The kind of a failure: smaller programs must fail in the same way.
fn kind(message: &str) -> String {
    let words = message.split([':', ',', '\n']).next().unwrap_or_default();
    words.chars().filter(|c| !c.is_ascii_digit()).collect::<String>()
}

/// Leaves statements out as long as the program still fails in the same way.
fn shrink(
    program: Program,
    message: String,
    folder: &Path,
    name: &str,
    comparison: &Comparison,
) -> (Program, String) {
    let (mut program, mut message) = (program, message);
    let mut left = SHRINKING;
    'again: loop {
        for smaller in program.smaller() {
            if left == 0 {
                break 'again;
            }
            left -= 1;
            if let Err(other) = check(&smaller, folder, name, comparison)
                && kind(&other) == kind(&message)
            {
                (program, message) = (smaller, other);
                continue 'again;
            }
        }
        break;
    }
    (program, message)
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be made");
    folder
}

#[test]
fn engines_and_brute_force_agree() {
    let seeds: Vec<u64> = seeds(0, PROGRAMS).collect();
    let all_engines = full_matrix() || seeds.len() == 1;
    let folder = folder();
    let next = AtomicU64::new(0);
    let failures = Mutex::new(BTreeMap::new());
    let seen = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed) as usize;
                    let Some(&seed) = seeds.get(index) else { break };
                    let generated = generate(seed);
                    let comparison = comparison(seed, &generated, all_engines);
                    let name = format!("seed-{seed}");
                    match check(&generated.program, &folder, &name, &comparison) {
                        Ok(agreement) => seen.lock().expect("no thread panics").push(agreement),
                        Err(message) => {
                            let (program, message) =
                                shrink(generated.program, message, &folder, &name, &comparison);
                            failures.lock().expect("no thread panics").insert(
                                seed,
                                format!("seed {seed}, {comparison:?}\n{message}\n{}", program.text()),
                            );
                        }
                    }
                }
            });
        }
    });
    let _ = std::fs::remove_dir_all(&folder);
    let failures = failures.into_inner().expect("no thread panics");
    let texts: Vec<&String> = failures.values().take(5).collect();
    assert!(
        failures.is_empty(),
        "{} of {} programs fail: seeds {:?}\n\n{}",
        failures.len(),
        seeds.len(),
        failures.keys().collect::<Vec<_>>(),
        texts
            .iter()
            .map(|text| text.as_str())
            .collect::<Vec<_>>()
            .join("\n")
    );
    if seeds.len() > 1 {
        worth_their_time(&seen.into_inner().expect("no thread panics"));
    }
}

/// The programs are no monoculture: every verdict and every answer of brute force occurs often.
fn worth_their_time(seen: &[Agreement]) {
    let share = |holds: &dyn Fn(&Agreement) -> bool| {
        100 * seen.iter().filter(|agreement| holds(agreement)).count() / seen.len()
    };
    let shares = [
        ("bug", share(&|seen| seen.verdict == "bug")),
        ("proved", share(&|seen| seen.verdict == "proved")),
        ("bounded", share(&|seen| seen.verdict == "bounded")),
        (
            "violated by brute force",
            share(&|seen| seen.brute_force == BruteForce::Violation),
        ),
        (
            "complete",
            share(&|seen| seen.brute_force == BruteForce::CompleteWithout),
        ),
    ];
    // Many programs assume what cannot be: those are `unknown`, since nothing is checked.
    for (what, percent) in shares {
        assert!(
            percent >= 3,
            "only {percent} % of the programs are {what}: {shares:?}"
        );
    }
}
