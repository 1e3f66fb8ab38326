//! One execution of a program as it was lowered, at full speed.
//!
//! A program whose inputs are constants has one execution, and running it decides it. Values that
//! nobody has set are *open* until an evaluation needs them; only then is a choice made, by a
//! seeded generator. An assumption that compares an open value with a known one only narrows the
//! range of the open value, and an assertion that does so fails if some value of the range lets it.
//!
//! Invariants:
//! - `OnlyExecution` is said only if no choice was made: everything that was evaluated had the same
//!   result whatever the open values are, and every jump had one target that was not ruled out;
//! - `Failed` comes with a trace that fixes every open value that the execution touched;
//! - the same program, goal and options give the same execution: the trace is recorded by a second one;
//! - no Rust recursion over the depth of terms or of the call stack.

use std::sync::Arc;

use lariat_base::Budget;
use lariat_ir::{AssertId, ProcId, Program};

use self::compile::Compiled;
use self::machine::{Halt, Machine};
use crate::replay::Goal;
use crate::trace::Trace;

mod bit_vectors;
mod code;
mod compile;
mod decide;
mod eval;
mod machine;
mod numbers;
mod open;
mod record;
mod terms;
mod value;

#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Statements and jumps.
    pub max_steps: u64,
    /// Of the call stack.
    pub max_depth: usize,
    /// What choices depend on.
    pub seed: u64,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            max_steps: 1_000_000_000,
            max_depth: 1_000_000,
            seed: 0,
        }
    }
}

#[derive(Clone, Debug)]
pub enum RunOutcome {
    /// An assertion of the goal fails. The trace replays it.
    Failed { assert: AssertId, trace: Trace },
    /// The one execution that there is ended without a failure: no choice was made on the way, so
    /// no execution fails.
    OnlyExecution,
    /// This execution did not fail, but there are others.
    Passed,
    /// An assertion of kind `Unsupported` was reached.
    Unsupported(AssertId),
    /// A limit, or something that could not be evaluated.
    GaveUp(String),
}

/// Whether a program can be executed at all: nothing but its statements says what happens.
pub fn can_run(program: &Program) -> bool {
    program.initial.is_empty() && program.axioms.is_empty()
}

/// Executes `entry` once.
pub fn run(
    program: &Program,
    entry: ProcId,
    goal: &Goal,
    options: &RunOptions,
    budget: &Budget,
) -> RunOutcome {
    if !can_run(program) {
        return RunOutcome::GaveUp("axioms and where-clauses of globals are not executed".into());
    }
    let compiled = Compiled::new(program, entry, goal);
    let mut machine = Machine::new(program, &compiled, options, budget);
    match machine.execute() {
        Halt::Over if machine.made_choices() => RunOutcome::Passed,
        Halt::Over => RunOutcome::OnlyExecution,
        Halt::Unsupported(assert) => RunOutcome::Unsupported(assert),
        Halt::GaveUp(reason) => RunOutcome::GaveUp(reason.to_string()),
        Halt::NeedsChoice => RunOutcome::GaveUp("a value was left open".into()),
        Halt::Failed(assert) => {
            let mut machine = Machine::recording(program, &compiled, options, budget);
            match (machine.execute(), machine.into_trace()) {
                (Halt::Failed(again), Some(trace)) if again == assert => RunOutcome::Failed { assert, trace },
                (Halt::GaveUp(reason), _) => RunOutcome::GaveUp(reason.to_string()),
                _ => RunOutcome::GaveUp("the failing execution could not be repeated".into()),
            }
        }
    }
}

/// Why an execution gives up.
fn give_up(reason: impl Into<Arc<str>>) -> Halt {
    Halt::GaveUp(reason.into())
}
