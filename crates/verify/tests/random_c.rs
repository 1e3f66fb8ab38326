//! Random C programs: Lariat proves that variables have the values that they have in gcc's program, and refutes
//! other values.
//!
//! See `lariat_testkit::seeds` for longer runs. A failure names its seed and shows the program with everything
//! left out that does not matter for the failure. `LARIAT_RANDOM_C_CHECKED=1` checks the generator instead: the
//! programs must do the same with optimisation and under the sanitizers. `LARIAT_RANDOM_C2=n` makes n programs of the second
//! campaign, which also have what `random_c::features` lists.

#![allow(
    clippy::print_stderr,
    reason = "it says that it was skipped, what was found, and how long it took"
)]

#[path = "random_c/mod.rs"]
mod random_c;
mod support;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lariat_testkit::gcc;
use lariat_testkit::seeds::seeds;
use lariat_testkit::tree::Program;
use random_c::batch::{Failure, Numbered, Setting, Way, agrees, observations, question_text, refutes};
use random_c::generator::{Campaign, generate};
use random_c::native::{self, Observations};

const FIRST: u64 = 30;
const PROGRAMS: u64 = 40;
const PROGRAMS_WITH_FEATURES: u64 = 12;
/// Programs in one file.
const BATCH: usize = 10;
const BATCH_WITH_FEATURES: usize = 3;
/// What the solver gets for a batch, and for a program alone.
const BATCH_TIME: Duration = Duration::from_secs(10);
const TIME: Duration = Duration::from_secs(6);
const TIME_WITH_FEATURES: Duration = Duration::from_secs(4);
/// The same in a long campaign, in which the execution decides what a solver finds hard.
const TIME_IN_LONG_CAMPAIGN: Duration = Duration::from_millis(700);
/// So many per cent may be too hard for the solver in every way.
const MOST_UNDECIDED: usize = 3;
/// How long a failing program is made smaller.
const SHRINKING: Duration = Duration::from_secs(60);
/// Failing programs that are shown.
const SHOWN: usize = 6;

fn numbered(seed: u64, campaign: Campaign) -> Numbered {
    let size = match campaign {
        Campaign::Language => 1 + (seed % 3) as usize,
        Campaign::Features => 1,
    };
    (seed, generate(seed, size, campaign))
}

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be made");
    folder
}

/// What is expected, with another value for the last or (in a batch) another observation.
fn falsified(expected: &Observations, number: usize) -> Observations {
    let mut wrong = expected.clone();
    // What input functions gave stays.
    let observed: Vec<usize> = (0..wrong.len())
        .filter(|&index| wrong[index].0.starts_with('r'))
        .collect();
    let index = observed[observed.len() - 1 - (number * 7) % observed.len()];
    wrong[index].1 = wrong[index].1.wrapping_add(1 + (number as i64 * 37) % 1000);
    wrong
}

/// What is wrong with one program alone: it must agree, and another value must be refuted.
fn alone(program: &Numbered, setting: &Setting<'_>, way: Way) -> Result<(), Failure> {
    let program = std::slice::from_ref(program);
    let expected = observations(program, setting, native::SIMPLE).map_err(Failure::Disagreement)?;
    agrees(program, &expected, setting, way)?;
    if expected.is_empty() {
        return Ok(());
    }
    refutes(program, &falsified(&expected, 0), setting, way)
}

/// Only disagreements with gcc count: what it does not compile or run is no smaller program.
fn disagrees(program: &Numbered, setting: &Setting<'_>, way: Way) -> Option<String> {
    let one = std::slice::from_ref(program);
    let run = |how| observations(one, setting, how).ok();
    (run(native::CHECKED)? == run(native::OPTIMISED)?).then_some(())?;
    match alone(program, setting, way) {
        Err(Failure::Disagreement(message)) => Some(message),
        _ => None,
    }
}

fn kind(message: &str) -> &str {
    message.split([':', '(', '[']).next().unwrap_or_default()
}

/// Leaves out what does not matter.
fn shrink(program: Numbered, message: String, setting: &Setting<'_>, way: Way) -> (Numbered, String) {
    let (mut program, mut message) = (program, message);
    let started = Instant::now();
    'again: loop {
        for smaller in smaller(&program.1) {
            if started.elapsed() > SHRINKING {
                break 'again;
            }
            let candidate = (program.0, smaller);
            if let Some(other) = disagrees(&candidate, setting, way)
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

/// What came out of a batch.
#[derive(Default)]
struct Outcome {
    complaints: Vec<String>,
    /// Too hard in the way of its batch, decided in another.
    hard: usize,
    /// Decided in no way.
    undecided: Vec<u64>,
    /// Programs with something that is not modelled, and what.
    open: Vec<(u64, String)>,
    /// The right values are proved, and a wrong one is refuted without a replay.
    not_replayed: Vec<(u64, String)>,
}

fn check_batch(programs: &[Numbered], folder: &Path, number: usize, campaign: Campaign) -> Outcome {
    let mut outcome = Outcome::default();
    let way = Way::of(number, campaign);
    let name = format!("batch-{number}");
    let setting = |time| Setting {
        folder,
        name: &name,
        time,
        campaign,
    };
    let expected = match observations(programs, &setting(TIME), native::SIMPLE) {
        Ok(expected) => expected,
        Err(message) => {
            outcome
                .complaints
                .push(format!("the generator is wrong: {message}"));
            return outcome;
        }
    };
    let wrong = falsified(&expected, number);
    let is_long = std::env::var_os("LARIAT_RANDOM_C2").is_some();
    let ask = |way: Way| {
        let time = match campaign {
            Campaign::Language => BATCH_TIME,
            Campaign::Features if is_long && !way.executes() => TIME_IN_LONG_CAMPAIGN,
            Campaign::Features => TIME_WITH_FEATURES,
        };
        agrees(programs, &expected, &setting(time), way)
            .and_then(|()| refutes(programs, &wrong, &setting(time), way))
    };
    let (mut way, mut together) = (way, ask(way));
    if together == Err(Failure::TooHard) && campaign == Campaign::Features && !way.executes() {
        outcome.hard += programs.len();
        way = Way::PATHS;
        together = ask(way);
    }
    let Err(failure) = together else {
        return outcome;
    };
    if let Failure::NotReplayed(reason) = failure {
        outcome.not_replayed.push((programs[0].0, reason));
        return outcome;
    }
    let setting = setting(match campaign {
        Campaign::Language => TIME,
        Campaign::Features => TIME_WITH_FEATURES,
    });
    for program in programs {
        let mut answer = alone(program, &setting, way);
        if answer == Err(Failure::TooHard) && campaign == Campaign::Language {
            outcome.hard += 1;
            let mut others = Way::OTHERS
                .into_iter()
                .map(|other| alone(program, &setting, other));
            answer = others
                .find(|answer| *answer != Err(Failure::TooHard))
                .unwrap_or(Err(Failure::TooHard));
        }
        match answer {
            Ok(()) => {}
            Err(Failure::TooHard) => outcome.undecided.push(program.0),
            Err(Failure::Open(reason)) => outcome.open.push((program.0, reason)),
            Err(Failure::NotReplayed(reason)) => outcome.not_replayed.push((program.0, reason)),
            Err(Failure::Disagreement(message)) => {
                outcome
                    .complaints
                    .push(explained(program, message, &setting, way));
            }
        }
    }
    if let Failure::Disagreement(message) = failure
        && outcome.complaints.is_empty()
    {
        let seeds: Vec<u64> = programs.iter().map(|(seed, _)| *seed).collect();
        let message = format!("only together, seeds {seeds:?}, {way:?}: {message}");
        outcome.complaints.push(message);
    }
    outcome
}

/// The failing program, without what does not matter.
fn explained(program: &Numbered, message: String, setting: &Setting<'_>, way: Way) -> String {
    let seed = program.0;
    eprintln!("seed {seed}, {way:?}: {message}");
    let (small, message) = shrink(program.clone(), message, setting, way);
    let one = std::slice::from_ref(&small);
    let text = match observations(one, setting, native::SIMPLE) {
        Ok(expected) => question_text(one, &expected, setting.campaign, way),
        Err(_) => small.1.text(),
    };
    let complaint = format!("seed {seed}, {way:?}: {message}\n{text}");
    eprintln!("{complaint}");
    complaint
}

/// Whether gcc finds nothing undefined or unspecified in a batch.
fn check_generator(programs: &[Numbered], folder: &Path, number: usize, campaign: Campaign) -> Outcome {
    let name = format!("generated-{number}");
    let setting = Setting {
        folder,
        name: &name,
        time: TIME,
        campaign,
    };
    let run = |programs: &[Numbered], how| observations(programs, &setting, how);
    let differs = |programs: &[Numbered]| {
        let simple = run(programs, native::SIMPLE);
        let checked = run(programs, native::CHECKED);
        let optimised = run(programs, native::OPTIMISED);
        (simple.is_err() || simple != checked || simple != optimised)
            .then(|| format!("-O0 {simple:?}\nsanitizers {checked:?}\n-O2 {optimised:?}"))
    };
    if differs(programs).is_none() {
        return Outcome::default();
    }
    let complaints = programs
        .iter()
        .filter_map(|program| {
            let message = differs(std::slice::from_ref(program))?;
            Some(format!("seed {}: {message}\n{}", program.0, program.1.text()))
        })
        .collect();
    Outcome {
        complaints,
        ..Outcome::default()
    }
}

#[test]
fn lariat_agrees_with_gcc() {
    campaign("lariat_agrees_with_gcc", Campaign::Language, PROGRAMS);
}

#[test]
fn lariat_agrees_with_gcc_on_more_features() {
    let count = std::env::var("LARIAT_RANDOM_C2").ok();
    let count = count.map_or(PROGRAMS_WITH_FEATURES, |text| {
        text.parse().expect("a number of programs")
    });
    campaign(
        "lariat_agrees_with_gcc_on_more_features",
        Campaign::Features,
        count,
    );
}

fn campaign(test: &str, campaign: Campaign, count: u64) {
    if !gcc::is_there(test) {
        return;
    }
    let of_the_generator = std::env::var_os("LARIAT_RANDOM_C_CHECKED").is_some();
    let seeds: Vec<u64> = seeds(FIRST, count).collect();
    let batch = match campaign {
        Campaign::Language => BATCH,
        Campaign::Features => BATCH_WITH_FEATURES,
    };
    let batches: Vec<&[u64]> = seeds.chunks(batch).collect();
    let folder = folder(test);
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Outcome::default());
    let started = Instant::now();
    let work = || {
        while let Some(seeds) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            let programs: Vec<Numbered> = seeds.iter().map(|&seed| numbered(seed, campaign)).collect();
            let number = seeds[0] as usize / batch;
            let found = if of_the_generator {
                check_generator(&programs, &folder, number, campaign)
            } else {
                check_batch(&programs, &folder, number, campaign)
            };
            let mut all = outcomes.lock().expect("no thread panics");
            all.complaints.extend(found.complaints);
            all.hard += found.hard;
            all.undecided.extend(found.undecided);
            all.open.extend(found.open);
            all.not_replayed.extend(found.not_replayed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            lariat_base::threads::spawn_with_big_stack(scope, "random-c", work)
                .expect("a thread can be started");
        }
    });
    let _ = std::fs::remove_dir_all(&folder);
    let Outcome {
        complaints,
        hard,
        undecided,
        open,
        not_replayed,
    } = outcomes.into_inner().expect("no thread panics");
    let seconds = started.elapsed().as_secs_f64();
    eprintln!(
        "{} programs in {seconds:.1} s: {} fail, {hard} are hard for a solver, {} for all: {undecided:?}",
        seeds.len(),
        complaints.len(),
        undecided.len()
    );
    if !open.is_empty() {
        eprintln!("{} are open: {open:?}", open.len());
    }
    if !not_replayed.is_empty() {
        eprintln!("refuted, but not replayed: {not_replayed:?}");
    }
    assert!(
        complaints.is_empty(),
        "{} complaints\n\n{}",
        complaints.len(),
        complaints[..complaints.len().min(SHOWN)].join("\n")
    );
    assert!(
        campaign == Campaign::Features || undecided.len() * 100 <= seeds.len() * MOST_UNDECIDED,
        "no verdict on {} of {} programs: {undecided:?}",
        undecided.len(),
        seeds.len()
    );
    assert!(
        open.len() * 2 <= seeds.len(),
        "{} of {} programs were not decided, so that this compares nothing",
        open.len(),
        seeds.len()
    );
}
