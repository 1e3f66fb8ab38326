//! Executions of random programs against brute force: an execution that is the only one agrees with
//! the complete exploration, and every failure is replayed.

use lariat_base::Budget;
use lariat_interp::{
    Domains, ExploreLimits, ExploreVerdict, Inputs, NoOracle, ReplayGoal, ReplayOptions, ReplayOutcome,
    RunOptions, RunOutcome, explore, replay, run,
};
use lariat_ir::{ProcId, Program};
use lariat_testkit::ir_text::{random_program, read_program};
use lariat_testkit::seeds::seeds;

#[derive(Default, Debug)]
struct Seen {
    only: usize,
    only_complete: usize,
    passed: usize,
    failed: usize,
    unsure: usize,
}

fn check(text: &str, seed: u64, seen: &mut Seen) {
    let program = read_program(text);
    let entry = ProcId::from_u32(0);
    let options = RunOptions {
        max_steps: 20_000,
        max_depth: 1_000,
        seed,
        ..RunOptions::default()
    };
    let budget = Budget::unlimited();
    check_unknown_inputs(&program, entry, &options, text);
    match run(&program, entry, &ReplayGoal::AnyAssert, &options, &budget).outcome {
        RunOutcome::NoneFails => {
            seen.only += 1;
            match explored(&program, entry) {
                ExploreVerdict::NoFailure { complete } => seen.only_complete += usize::from(complete),
                fails => panic!("seed {seed}: {fails:?}\n{text}"),
            }
        }
        RunOutcome::Failed { assert, trace } => {
            seen.failed += 1;
            let replay = replay(
                &program,
                entry,
                &trace,
                &mut NoOracle,
                &ReplayOptions::default(),
                &budget,
            );
            assert!(
                replay.confirms_failure(&program) && replay.skipped == 0 && replay.guessed == 0,
                "seed {seed}: {:?}\n{text}",
                replay.complaint()
            );
            assert!(
                matches!(replay.outcome, ReplayOutcome::AssertionFailed { assert: found, .. } if found == assert),
                "seed {seed}\n{text}"
            );
            assert_ne!(
                explored(&program, entry),
                ExploreVerdict::NoFailure { complete: true },
                "seed {seed}\n{text}"
            );
        }
        RunOutcome::Passed => seen.passed += 1,
        RunOutcome::FailedTooLate { .. } | RunOutcome::Unsupported(_) | RunOutcome::GaveUp(_) => {
            seen.unsure += 1
        }
    }
}

/// A run that stands for all executions agrees with brute force, too.
fn check_unknown_inputs(program: &Program, entry: ProcId, options: &RunOptions, text: &str) {
    let options = RunOptions {
        inputs: Inputs::Unknown,
        ..options.clone()
    };
    match run(
        program,
        entry,
        &ReplayGoal::AnyAssert,
        &options,
        &Budget::unlimited(),
    )
    .outcome
    {
        RunOutcome::NoneFails => {
            let found = explored(program, entry);
            assert!(
                matches!(found, ExploreVerdict::NoFailure { .. }),
                "{found:?}\n{text}"
            );
        }
        RunOutcome::Failed { assert, trace } => {
            let options = ReplayOptions::default();
            let replay = replay(
                program,
                entry,
                &trace,
                &mut NoOracle,
                &options,
                &Budget::unlimited(),
            );
            assert!(
                replay.confirms_failure(program),
                "{assert}: {:?}\n{text}",
                replay.complaint()
            );
        }
        RunOutcome::Passed => panic!("nothing may be chosen\n{text}"),
        RunOutcome::FailedTooLate { .. } | RunOutcome::Unsupported(_) | RunOutcome::GaveUp(_) => {}
    }
}

fn explored(program: &Program, entry: ProcId) -> ExploreVerdict {
    let limits = ExploreLimits {
        loop_visits: 12,
        activations: 6,
        steps: 100_000,
    };
    explore(program, entry, &Domains::default(), &limits, &Budget::unlimited()).verdict
}

/// The variables have values at the start of each procedure, so that more programs have few choices.
fn with_values(text: &str, seed: u64) -> String {
    let mut result = String::new();
    let mut is_first = true;
    for line in text.lines() {
        result.push_str(line);
        result.push('\n');
        is_first |= line.starts_with("proc ");
        if is_first && line == " b0:" {
            is_first = false;
            if result.matches("proc ").count() == 1 {
                result.push_str(&format!("  gb := false\n  gn := {}:2\n  gm := 1:2\n", seed % 4));
            }
            result.push_str(&format!(
                "  x, y := {}:2, a\n  p, q := true, false\n  r := 3:2\n",
                seed / 4 % 4
            ));
        }
    }
    result
}

#[test]
fn executions_of_random_programs_agree_with_brute_force() {
    let mut seen = Seen::default();
    for seed in seeds(0, 1_500) {
        let text = random_program(seed);
        check(&text, seed, &mut seen);
        check(&with_values(&text, seed), seed, &mut seen);
    }
    assert!(
        seen.only_complete > 300 && seen.failed > 300 && seen.passed > 300,
        "{seen:?}"
    );
}

/// Integers, mostly with known values. Brute force samples those that are not, so it seldom confirms.
#[test]
fn executions_of_random_programs_with_numbers_agree_with_brute_force() {
    let mut seen = Seen::default();
    for seed in seeds(0, 1_500) {
        check(&numbers::program(seed), seed, &mut seen);
    }
    assert!(
        seen.only > 150 && seen.failed > 200 && seen.passed > 200,
        "{seen:?}"
    );
}

#[test]
fn an_unsupported_construct_is_an_outcome_of_its_own() {
    let program = |start: &str| {
        let text = format!(
            "proc main() -> ()\n  var x: int\n b0:\n  {start}\n  goto t e\n t:\n  assume (< x 3)\n  unsupported it\n  return\n e:\n  assume (not (< x 3))\n  assert (< x 4)\n  return\n"
        );
        let program = read_program(&text);
        run(
            &program,
            ProcId::from_u32(0),
            &ReplayGoal::Asserts(Default::default()),
            &RunOptions::default(),
            &Budget::unlimited(),
        )
        .outcome
    };
    assert!(matches!(program("x := 2"), RunOutcome::Unsupported(assert) if assert.as_u32() == 0));
    assert!(matches!(program("x := 3"), RunOutcome::NoneFails));
    assert!(matches!(program("x := 4"), RunOutcome::NoneFails));
    assert!(matches!(
        program("havoc x"),
        RunOutcome::Unsupported(_) | RunOutcome::Passed
    ));
}

mod numbers {
    use lariat_testkit::Random;

    fn term(random: &mut Random) -> String {
        let var = |random: &mut Random| ["x", "y", "z", "g", "a"][random.below(5)];
        match random.below(7) {
            0 => random.below(4).to_string(),
            1 => format!("(+ {} {})", var(random), random.below(4)),
            2 => format!("(- {} {})", var(random), var(random)),
            3 => format!(
                "(ite {} {} {})",
                condition_of(random, "x", "2"),
                var(random),
                var(random)
            ),
            _ => var(random).to_string(),
        }
    }

    fn condition_of(random: &mut Random, a: &str, b: &str) -> String {
        let compared = format!("({} {a} {b})", ["<", "<=", "="][random.below(3)]);
        match random.below(3) {
            0 => format!("(not {compared})"),
            _ => compared,
        }
    }

    fn condition(random: &mut Random) -> String {
        let (a, b) = (term(random), term(random));
        let first = condition_of(random, &a, &b);
        match random.below(5) {
            0 => format!("(and {first} {})", condition_of(random, "y", "3")),
            1 => format!("(or {first} {})", condition_of(random, "x", "g")),
            _ => first,
        }
    }

    fn statement(random: &mut Random, callee: Option<u32>) -> String {
        let target = ["x", "y", "z", "g"][random.below(4)];
        match random.below(14) {
            0 => format!("havoc {target}"),
            1 => format!(
                "havoc {target}\n  assume (and (<= 0 {target}) (<= {target} {}))",
                random.below(3)
            ),
            2 => format!("assume {}", condition(random)),
            3 | 4 => format!("assert {}", condition(random)),
            5..=7 if callee.is_some() => {
                format!("call {target} := p{}({})", callee.unwrap_or(0), term(random))
            }
            8 => format!("x, {} := {}, x", ["y", "z", "g"][random.below(3)], term(random)),
            _ => format!("{target} := {}", term(random)),
        }
    }

    /// Diamonds and loops over a few procedures that call later ones.
    pub fn program(seed: u64) -> String {
        let mut random = Random::new(seed);
        let mut text = String::from("global g: int\n");
        let procs = 1 + random.below(3) as u32;
        for proc in 0..procs {
            text += &format!("proc p{proc}(a: int) -> (r: int)\n  var x: int\n  var y: int\n  var z: int\n");
            text += " b0:\n  x, y := 0, 1\n";
            if proc == 0 && random.below(3) > 0 {
                text += "  g := 2\n";
            }
            if random.below(3) > 0 {
                text += "  z := 1\n";
            }
            let callee = (proc + 1 < procs).then_some(proc + 1);
            for diamond in 0..1 + random.below(3) {
                for _ in 0..random.below(4) {
                    text += &format!("  {}\n", statement(&mut random, callee));
                }
                let guard = condition(&mut random);
                let mut negated = format!("(not {guard})");
                if random.below(8) == 0 {
                    negated = condition(&mut random);
                }
                text += &format!("  goto t{diamond} e{diamond}\n t{diamond}:\n  assume {guard}\n");
                for _ in 0..random.below(3) {
                    text += &format!("  {}\n", statement(&mut random, callee));
                }
                text += &format!("  goto j{diamond}\n e{diamond}:\n  assume {negated}\n");
                text += &format!(
                    "  {}\n  goto j{diamond}\n j{diamond}:\n",
                    statement(&mut random, callee)
                );
            }
            let count = random.below(4);
            text += &format!(
                "  x := 0\n  goto h\n h:\n  goto l o\n l:\n  assume (< x {count})\n  {}\n  x := (+ x 1)\n  goto h\n o:\n  assume (not (< x {count}))\n  r := {}\n  return\n",
                ["y := (+ y x)", "g := (- g y)", "z := (+ z 1)"][random.below(3)],
                term(&mut random)
            );
        }
        text
    }
}
