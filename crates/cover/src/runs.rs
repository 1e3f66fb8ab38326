//! Executions with random inputs: the cheap way to most goals.

use lariat_interp::{ReplayGoal, RunOptions, RunOutcome, can_run, run};
use lariat_report::{CoverMeans, CoverStatus};
use rustc_hash::FxHashSet;

use crate::goals::Goals;
use crate::ledger::Ledger;
use crate::run::{EntryTask, Teller};

/// Statements and jumps of one execution, and of all of them.
const STEPS: u64 = 2_000_000;
const ALL_STEPS: u64 = 200_000_000;

/// The reason of a goal that the only execution of the program does not pass.
pub const ONLY_EXECUTION: &str = "the program has one execution only, which does not get there";

/// Executes the entry until `request.runs` executions in a row have reached nothing new.
pub fn run_randomly(task: &EntryTask<'_>, ledger: &mut Ledger<'_>, teller: &mut Teller<'_>) {
    let program = &task.front_end.program;
    if !can_run(program) {
        return;
    }
    let (mut idle, mut seed, mut left) = (0, u64::from(task.program.unfolding.seed), ALL_STEPS);
    // Goals whose executions cannot be used.
    let mut given_up: FxHashSet<usize> = FxHashSet::default();
    while idle < task.request.runs && left > 0 && task.budget.check().is_ok() {
        let wanted = wanted(ledger, &given_up);
        if wanted.is_empty() {
            return;
        }
        let goal = ReplayGoal::Asserts(asserts(task.goals, &wanted));
        let options = RunOptions {
            seed,
            max_steps: STEPS,
            ..RunOptions::default()
        };
        let run = run(program, task.question.entry, &goal, &options, task.budget);
        left = left.saturating_sub(run.steps.max(1));
        teller.stats.runs += 1;
        match run.outcome {
            RunOutcome::Failed { assert, trace } => {
                let Some(&at) = task.goals.of_assert.get(&assert) else {
                    seed += 1;
                    continue;
                };
                let repeated = task.check.repeat(&trace, &goal);
                let repeated = repeated.filter(|run| run.assert == assert && run.complaint.is_none());
                let new = repeated.map(|run| {
                    let replay = Some(&run.replay);
                    ledger.note(task.name(), CoverMeans::Run, run.failure, at, replay)
                });
                if new.is_none_or(|new| new.is_empty()) {
                    given_up.insert(at);
                } else {
                    // The same execution goes on behind this goal.
                    idle = 0;
                    teller.tell(ledger);
                }
            }
            RunOutcome::FailedTooLate { assert } => {
                given_up.extend(task.goals.of_assert.get(&assert));
            }
            RunOutcome::NoneFails => {
                for goal in wanted {
                    let reason = ONLY_EXECUTION.to_owned();
                    ledger.decide(goal, CoverStatus::Dead { reason });
                }
                return;
            }
            RunOutcome::Passed | RunOutcome::Unsupported(_) | RunOutcome::GaveUp(_) => {
                seed += 1;
                idle += 1;
            }
        }
    }
}

fn wanted(ledger: &Ledger<'_>, given_up: &FxHashSet<usize>) -> Vec<usize> {
    let mut open = ledger.open();
    open.retain(|goal| !given_up.contains(goal));
    open
}

fn asserts(goals: &Goals, wanted: &[usize]) -> FxHashSet<lariat_ir::AssertId> {
    let asserts = wanted.iter().flat_map(|&goal| &goals.goals[goal].asserts);
    asserts.copied().collect()
}
