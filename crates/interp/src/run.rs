//! One execution of a lowered program, at full speed.
//!
//! A program whose inputs are constants has one execution, and running it decides it. Values that
//! were never set are *open* until an evaluation needs them; only then is a choice made, by a
//! seeded generator. An assumption that compares an open value with a known one only narrows the
//! range of the open value, and an assertion that does so fails if some value of the range lets it.
//!
//! With [`Inputs::Unknown`] nothing is chosen: where an open value decides a branch, all ways are taken
//! and joined (`join`).
//!
//! Invariants:
//! - `NoneFails` is said only if no choice was made: everything that was evaluated had the same
//!   result whatever the open values are, and every jump went to all targets that were not ruled out;
//! - `Failed` comes with a trace that fixes every open value that the execution touched;
//! - the same program, goal and options give the same execution: the trace is recorded by a second one;
//! - Rust's stack grows with the depth of terms while they are compiled (`stacker`), and with nothing else.

use std::sync::Arc;

use lariat_base::Budget;
use lariat_ir::{AssertId, ProcId, Program};

use self::compile::Compiled;
use self::machine::{Halt, Machine};
use crate::replay::ReplayGoal;
use crate::trace::Trace;

mod bit_vectors;
mod code;
mod compile;
mod conditions;
mod decide;
mod eval;
mod join;
mod machine;
mod numbers;
mod open;
mod record;
mod terms;
#[cfg(test)]
mod tests;
mod threads;
mod value;
mod words;

#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Statements and jumps.
    pub max_steps: u64,
    /// Of the call stack.
    pub max_depth: usize,
    pub inputs: Inputs,
    /// What choices depend on.
    pub seed: u64,
    /// After so many steps an execution is given up if there are others. One that is the only one goes on.
    pub most_steps_of_many: u64,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            max_steps: u64::MAX,
            max_depth: 1_000_000,
            inputs: Inputs::Chosen,
            seed: 0,
            most_steps_of_many: u64::MAX,
        }
    }
}

/// What becomes of values that the program does not determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// They are chosen where they matter.
    Chosen,
    /// They stay unknown: the run stands for all executions, and gives up where it cannot.
    Unknown,
}

#[derive(Clone, Debug)]
pub enum RunOutcome {
    /// An assertion of the goal fails. The trace replays it.
    Failed { assert: AssertId, trace: Trace },
    /// An assertion of the goal fails, after too many steps for a trace.
    FailedTooLate { assert: AssertId },
    /// No execution fails: the run ended without a failure and without a choice on the way.
    NoneFails,
    /// This execution did not fail, but there are others.
    Passed,
    /// An assertion of kind `Unsupported` was reached.
    Unsupported(AssertId),
    /// A limit, or something that could not be evaluated.
    GaveUp(String),
}

/// How a run ended, and how long it was.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: RunOutcome,
    /// Statements and jumps.
    pub steps: u64,
}

/// Whether a program can be executed at all: nothing but its statements says what happens.
pub fn can_run(program: &Program) -> bool {
    program.initial.is_empty() && program.axioms.is_empty()
}

/// Executes `entry` once.
pub fn run(
    program: &Program,
    entry: ProcId,
    goal: &ReplayGoal,
    options: &RunOptions,
    budget: &Budget,
) -> Run {
    Executable::new(program, entry, goal).run(options, budget)
}

/// An entry that can be executed many times.
pub struct Executable<'p> {
    program: &'p Program,
    /// `None` if it cannot be executed.
    compiled: Option<Compiled>,
}

impl<'p> Executable<'p> {
    /// What starts a thread is not supported.
    pub fn new(program: &'p Program, entry: ProcId, goal: &ReplayGoal) -> Self {
        Self::of(program, entry, goal, false)
    }

    /// Threads are executed as threads, with [`Inputs::Chosen`]. The schedule depends on the seed.
    pub fn with_threads(program: &'p Program, entry: ProcId, goal: &ReplayGoal) -> Self {
        Self::of(program, entry, goal, true)
    }

    fn of(program: &'p Program, entry: ProcId, goal: &ReplayGoal, with_threads: bool) -> Self {
        let compiled = can_run(program).then(|| Compiled::new(program, entry, goal, with_threads));
        Executable { program, compiled }
    }

    /// Executes it once.
    pub fn run(&self, options: &RunOptions, budget: &Budget) -> Run {
        let Some(compiled) = &self.compiled else {
            let reason = "axioms and where-clauses of globals are not executed".into();
            return Run {
                outcome: RunOutcome::GaveUp(reason),
                steps: 0,
            };
        };
        let mut machine = Machine::new(self.program, compiled, options, budget);
        let outcome = match machine.execute() {
            Halt::Over if machine.made_choices() => RunOutcome::Passed,
            Halt::Over => RunOutcome::NoneFails,
            Halt::Unsupported(assert) => RunOutcome::Unsupported(assert),
            Halt::GaveUp(reason) => RunOutcome::GaveUp(reason.to_string()),
            Halt::NeedsChoice => RunOutcome::GaveUp(machine::DEPENDS_ON_UNKNOWN.into()),
            Halt::Joined(_) | Halt::TooLong => {
                RunOutcome::GaveUp("the execution ended where it cannot".into())
            }
            Halt::Failed(assert) => {
                let mut machine = Machine::recording(self.program, compiled, options, budget);
                match (machine.execute(), machine.into_trace()) {
                    (Halt::Failed(again), Some(trace)) if again == assert => {
                        RunOutcome::Failed { assert, trace }
                    }
                    (Halt::TooLong, _) => RunOutcome::FailedTooLate { assert },
                    (Halt::GaveUp(reason), _) => RunOutcome::GaveUp(reason.to_string()),
                    _ => RunOutcome::GaveUp("the failing execution could not be repeated".into()),
                }
            }
        };
        Run {
            outcome,
            steps: machine.steps,
        }
    }
}

/// Why an execution gives up.
fn give_up(reason: impl Into<Arc<str>>) -> Halt {
    Halt::GaveUp(reason.into())
}
