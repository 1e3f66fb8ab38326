//! Random programs with threads against the exploration of all their interleavings, in both directions: an assertion fails in so many
//! contexts exactly if an interleaving of so many contexts fails it, every bug is replayed, and `proved` holds of all interleavings.
//!
//! A program has two or three threads of at most six steps over shared variables of three values, a lock and atomic blocks.
//! `LARIAT_RANDOM_FACTOR=5` compares 2,000 programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use lariat_base::Budget;
use lariat_interp::{Executable, NoOracle, ReplayGoal, ReplayOptions, RunOptions, RunOutcome, replay};
use lariat_report::{Engine, SearchFlags, Verdict, VerifyRequest};
use lariat_testkit::Random;
use lariat_testkit::seeds::seeds;

const PROGRAMS: u64 = 400;
const SHARED: usize = 2;
const VALUES: u8 = 3;
const SCHEDULES: u64 = 60;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// `x := c`
    Set(usize, u8),
    /// `x := (x + 1) mod 3`, in one step.
    Increase(usize),
    /// `l := x`
    Load(usize),
    /// `x := l`
    Store(usize),
    /// `assume x == c`
    Wait(usize, u8),
    /// Waits for the lock and takes it, in an atomic block.
    Lock,
    Unlock,
    /// `x, y` swapped in an atomic block of two statements.
    AtomicSwap,
    /// `assert x != c`
    Check(usize, u8),
    /// `assert l != c`
    CheckLocal(u8),
}

fn threads(random: &mut Random) -> Vec<Vec<Step>> {
    let count = 2 + random.below(2);
    (0..count)
        .map(|_| {
            let steps = 1 + random.below(if count == 2 { 6 } else { 4 });
            (0..steps).map(|_| step(random)).collect()
        })
        .collect()
}

fn step(random: &mut Random) -> Step {
    let (var, value) = (random.below(SHARED), random.below(VALUES as usize) as u8);
    match random.below(12) {
        0 | 1 => Step::Set(var, value),
        2 => Step::Increase(var),
        3 | 4 => Step::Load(var),
        5 => Step::Store(var),
        6 => Step::Wait(var, value),
        7 => Step::Lock,
        8 => Step::Unlock,
        9 => Step::AtomicSwap,
        10 => Step::Check(var, value),
        _ => Step::CheckLocal(value),
    }
}

/// The last thread is `main`, which starts the others first.
fn text(threads: &[Vec<Step>]) -> String {
    let mut out =
        "var x0, x1, lock: int;\nprocedure corral_atomic_begin();\nprocedure corral_atomic_end();\n"
            .to_owned();
    for (index, steps) in threads.iter().enumerate() {
        let is_main = index + 1 == threads.len();
        let name = if is_main {
            "main".to_owned()
        } else {
            format!("thread{index}")
        };
        let _ = writeln!(
            out,
            "procedure {name}() modifies x0, x1, lock;\n{{\n  var l, t: int;\n  l := 0;"
        );
        if is_main {
            out.push_str("  x0 := 0; x1 := 0; lock := 0;\n");
            for other in 0..index {
                let _ = writeln!(out, "  async call thread{other}();");
            }
        }
        for step in steps {
            let line = match *step {
                Step::Set(x, c) => format!("x{x} := {c};"),
                Step::Increase(x) => format!("x{x} := if x{x} == 2 then 0 else x{x} + 1;"),
                Step::Load(x) => format!("l := x{x};"),
                Step::Store(x) => format!("x{x} := l;"),
                Step::Wait(x, c) => format!("assume x{x} == {c};"),
                Step::Lock => {
                    "call corral_atomic_begin(); assume lock == 0; lock := 1; call corral_atomic_end();"
                        .to_owned()
                }
                Step::Unlock => "lock := 0;".to_owned(),
                Step::AtomicSwap => {
                    "call corral_atomic_begin(); t := x0; x0 := x1; x1 := t; call corral_atomic_end();"
                        .to_owned()
                }
                Step::Check(x, c) => format!("assert x{x} != {c};"),
                Step::CheckLocal(c) => format!("assert l != {c};"),
            };
            let _ = writeln!(out, "  {line}");
        }
        out.push_str("}\n");
    }
    out
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    next: Vec<usize>,
    locals: Vec<u8>,
    shared: [u8; SHARED],
    lock: bool,
    context: u32,
    running: usize,
}

/// Whether an interleaving of at most so many contexts fails an assertion: in a context each thread runs at most once, in the order
/// in which they stand here.
fn fails(threads: &[Vec<Step>], contexts: u32) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![State {
        next: vec![0; threads.len()],
        locals: vec![0; threads.len()],
        shared: [0; SHARED],
        lock: false,
        context: 1,
        running: 0,
    }];
    while let Some(state) = work.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        for (thread, steps) in threads.iter().enumerate() {
            let Some(step) = steps.get(state.next[thread]) else {
                continue;
            };
            let mut after = state.clone();
            after.context += u32::from(thread < state.running);
            after.running = thread;
            after.next[thread] += 1;
            let local = &mut after.locals[thread];
            match *step {
                // What only its thread sees happens in any context.
                Step::CheckLocal(c) if *local == c => return true,
                Step::CheckLocal(_) => {
                    after.context = state.context;
                    after.running = state.running;
                }
                _ if after.context > contexts => continue,
                Step::Set(x, c) => after.shared[x] = c,
                Step::Increase(x) => after.shared[x] = (after.shared[x] + 1) % VALUES,
                Step::Load(x) => *local = after.shared[x],
                Step::Store(x) => after.shared[x] = *local,
                Step::Wait(x, c) if after.shared[x] != c => continue,
                Step::Wait(..) => {}
                Step::Lock if after.lock => continue,
                Step::Lock => after.lock = true,
                Step::Unlock => after.lock = false,
                Step::AtomicSwap => after.shared.swap(0, 1),
                Step::Check(x, c) if after.shared[x] == c => return true,
                Step::Check(..) => {}
            }
            work.push(after);
        }
    }
    false
}

fn check(seed: u64, folder: &Path) -> Result<bool, String> {
    let mut random = Random::new(seed);
    let threads = threads(&mut random);
    let contexts = 1 + random.below(3) as u32;
    let file = folder.join(format!("threads-{seed}.bpl"));
    let text = text(&threads);
    std::fs::write(&file, &text).map_err(|error| error.to_string())?;
    let request = VerifyRequest {
        engine: if seed.is_multiple_of(2) {
            Engine::Stratified
        } else {
            Engine::Dag
        },
        search: SearchFlags {
            contexts: Some(contexts),
            ..SearchFlags::default()
        },
        bound: 1,
        ..VerifyRequest::new(vec![file])
    };
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    let report = lariat_verify::verify(&request, &budget, &mut |_| {});
    let complain = |what: &str| {
        Err(format!(
            "seed {seed}, {contexts} contexts: {what}: {}\n{text}",
            report.verdict
        ))
    };
    let has_assertion = threads
        .iter()
        .flatten()
        .any(|step| matches!(step, Step::Check(..) | Step::CheckLocal(_)));
    match &report.verdict {
        _ if !has_assertion => Ok(false),
        Verdict::Bug if fails(&threads, contexts) => Ok(true),
        Verdict::Bug => complain("no interleaving fails"),
        Verdict::Proved if fails(&threads, u32::MAX) => complain("an interleaving fails"),
        Verdict::Bounded { .. } if fails(&threads, contexts) => {
            complain("an interleaving of so many contexts fails")
        }
        Verdict::Proved | Verdict::Bounded { .. } => Ok(false),
        _ => complain("no answer"),
    }
}

/// What executions under chosen schedules find: whether one fails, and whether an interleaving does.
fn check_schedules(seed: u64) -> (bool, bool) {
    let threads = threads(&mut Random::new(seed));
    let text = text(&threads);
    let program = lariat_testkit::boogie::program(&text);
    let mut procs = program.procs.iter();
    let (entry, _) = procs
        .find(|(_, proc)| &*proc.name == "main")
        .expect("the program has a main procedure");
    let executable = Executable::with_threads(&program, entry, &ReplayGoal::AnyAssert);
    let budget = Budget::unlimited();
    let expected = fails(&threads, u32::MAX);
    let mut found = false;
    for schedule in 0..SCHEDULES {
        let options = RunOptions {
            seed: schedule,
            ..RunOptions::default()
        };
        match executable.run(&options, &budget).outcome {
            RunOutcome::Failed { trace, .. } => {
                found = true;
                let options = ReplayOptions::default();
                let replay = replay(&program, entry, &trace, &mut NoOracle, &options, &budget);
                assert!(
                    expected && replay.confirms_failure(&program) && replay.skipped == 0,
                    "seed {seed}, schedule {schedule}: {:?}\n{text}",
                    replay.complaint()
                );
            }
            RunOutcome::Passed => {}
            other => panic!("seed {seed}, schedule {schedule}: {other:?}\n{text}"),
        }
    }
    (found, expected)
}

#[test]
fn schedules_fail_only_where_an_interleaving_does() {
    let results: Vec<(bool, bool)> = seeds(0, PROGRAMS).map(check_schedules).collect();
    let failing = results.iter().filter(|(_, expected)| *expected).count();
    let found = results.iter().filter(|(found, _)| *found).count();
    assert!(
        found * 10 >= failing * 9,
        "{found} of {failing} failing programs are found"
    );
}

#[test]
fn verdicts_agree_with_all_interleavings() {
    let folder = std::env::temp_dir().join(format!("lariat-threads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the programs");
    let results: Vec<Result<bool, String>> = seeds(0, PROGRAMS).map(|seed| check(seed, &folder)).collect();
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    let wrong: Vec<&String> = results
        .iter()
        .filter_map(|result| result.as_ref().err())
        .collect();
    assert!(
        wrong.is_empty(),
        "{}",
        wrong
            .into_iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n\n")
    );
    let bugs = results.iter().filter(|result| **result == Ok(true)).count();
    assert!(
        results.len() < 10 || bugs * 10 > results.len(),
        "only {bugs} programs fail"
    );
}
