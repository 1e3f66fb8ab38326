//! Passes preserve what a program can do: random programs, before and after, by the oracle.

mod support;

use lariat_ir::{ProcId, Program, Stage, validate};
use lariat_passes::{
    Goal, PrepareOptions, extract_loops, instrument_errors, mark_blocks, prepare, prune_procedures,
};
use lariat_testkit::ir_text::random_program;
use lariat_testkit::ir_text::read_program;
use lariat_testkit::seeds::seeds;
use support::oracle::{Behaviour, behaviour, behaviour_through_interfaces};

const STEPS: usize = 30_000;

fn entry() -> ProcId {
    ProcId::from_u32(0)
}

/// Runs `check` on random programs with their behaviour; the number of programs that could be
/// tabulated.
fn on_random_programs(
    seeds: std::ops::Range<u64>,
    mut check: impl FnMut(u64, &Program, &Behaviour),
) -> usize {
    let mut checked = 0;
    for seed in seeds {
        let program = read_program(&random_program(seed));
        validate(&program, Stage::Lowered).unwrap_or_else(|violation| panic!("seed {seed}: {violation}"));
        if let Some(before) = behaviour(&program, entry(), STEPS) {
            check(seed, &program, &before);
            checked += 1;
        }
    }
    checked
}

fn returns(program: &Program, entry: ProcId) -> Option<bool> {
    behaviour(program, entry, 20 * STEPS).map(|behaviour| behaviour.returns)
}

#[test]
fn loop_extraction_preserves_failures_and_returns() {
    let (mut failing, mut loops) = (0, 0);
    let checked = on_random_programs(seeds(0, 700), |seed, program, before| {
        let mut after = program.clone();
        mark_blocks(&mut after);
        let entry = prune_procedures(&mut after, entry()).entry;
        let procs = after.procs.len();
        extract_loops(&mut after);
        loops += after.procs.len() - procs;
        validate(&after, Stage::LoopFree).unwrap_or_else(|v| panic!("seed {seed}: {v}\n{}", after.text()));
        let Some(found) = behaviour(&after, entry, 20 * STEPS) else {
            return;
        };
        assert_eq!(found.failures, before.failures, "seed {seed}\n{}", program.text());
        assert_eq!(found.returns, before.returns, "seed {seed}\n{}", program.text());
        failing += usize::from(!found.failures.is_empty());
    });
    assert!(
        checked > 300 && failing > 60 && loops > 300,
        "{checked} {failing} {loops}"
    );
}

#[test]
fn instrumentation_asks_about_the_end_of_the_entry() {
    let (mut yes, mut no) = (0, 0);
    let checked = on_random_programs(seeds(10_000, 700), |seed, program, before| {
        for (goal, expected) in [
            (
                Goal::AssertionFails { checked: None },
                !before.failures.is_empty(),
            ),
            (Goal::EntryReturns, before.returns),
        ] {
            let mut after = program.clone();
            let entry = prune_procedures(&mut after, entry()).entry;
            extract_loops(&mut after);
            let entry = instrument_errors(&mut after, entry, &goal).entry;
            validate(&after, Stage::Instrumented).unwrap_or_else(|v| panic!("seed {seed}: {v}"));
            let Some(found) = returns(&after, entry) else {
                continue;
            };
            assert_eq!(
                found,
                expected,
                "seed {seed} {goal:?}\n{}\n{}",
                program.text(),
                after.text()
            );
            if found {
                yes += 1;
            } else {
                no += 1;
            }
        }
    });
    assert!(checked > 300 && yes > 100 && no > 100, "{checked} {yes} {no}");
}

#[test]
fn all_passes_together_preserve_the_answer() {
    let (mut yes, mut no) = (0, 0);
    let checked = on_random_programs(seeds(20_000, 1_000), |seed, program, before| {
        for (goal, expected) in [
            (
                Goal::AssertionFails { checked: None },
                !before.failures.is_empty(),
            ),
            (Goal::EntryReturns, before.returns),
        ] {
            let options = PrepareOptions {
                split_maps: seed % 2 == 0,
                ..PrepareOptions::default()
            };
            let prepared = prepare(program, entry(), &goal, &options);
            let Some(found) = returns(&prepared.program, prepared.entry) else {
                continue;
            };
            assert_eq!(
                found,
                expected,
                "seed {seed} {goal:?}\n{}\n{}",
                program.text(),
                prepared.program.text()
            );
            if found {
                yes += 1;
            } else {
                no += 1;
            }
        }
    });
    assert!(checked > 500 && yes > 150 && no > 150, "{checked} {yes} {no}");
}

#[test]
fn interfaces_carry_all_that_matters() {
    let (mut yes, mut no) = (0, 0);
    on_random_programs(seeds(30_000, 700), |seed, program, before| {
        let goal = Goal::AssertionFails { checked: None };
        let plain = PrepareOptions {
            propagate_constants: false,
            slice: false,
            ..PrepareOptions::default()
        };
        for options in [plain, PrepareOptions::default()] {
            let prepared = prepare(program, entry(), &goal, &options);
            let found = behaviour_through_interfaces(
                &prepared.program,
                prepared.entry,
                &prepared.interfaces,
                20 * STEPS,
            );
            let Some(found) = found else { continue };
            assert_eq!(
                found.returns,
                !before.failures.is_empty(),
                "seed {seed}\n{}\n{:?}",
                prepared.program.text(),
                prepared.interfaces
            );
            if found.returns {
                yes += 1;
            } else {
                no += 1;
            }
        }
    });
    assert!(yes > 100 && no > 100, "{yes} {no}");
}
