//! The execution of a lowered program along a trace.
//!
//! The trace guides: it says which way jumps go, what havocs choose and which calls matter.
//! Where it is silent the execution goes on with values and ways that fit, and calls that it
//! leaves out are executed freely. So whatever the replay does is an execution of the program,
//! except for skipped calls (a free run got stuck) and doubts (conditions or values that neither
//! the interpreter nor the oracle could tell).
//!
//! Invariants:
//! - a variable without a value in the state has any value that suits: it gets one when it is
//!   first read. Until something other than an assume has read it, a failing assume may still
//!   choose another one that satisfies all assumes so far ([`pending`]), and assumes that describe
//!   a map given by the trace may correct it ([`frame`]);
//! - the stack of activations is explicit.

use lariat_base::{Budget, Span};
use lariat_ir::{AssertId, AssertKind, ProcId, Program};
use lariat_term::{Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::axioms::ViolatedAxiom;
use crate::event::Event;
use crate::oracle::{Oracle, Points};
use crate::trace::Trace;

mod access;
mod frame;
mod machine;
mod pending;

/// Which asserts end the execution when they fail; others are passed by.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ReplayGoal {
    #[default]
    AnyAssert,
    Asserts(FxHashSet<AssertId>),
}

#[derive(Clone, Debug)]
pub struct ReplayOptions {
    pub goal: ReplayGoal,
    /// Jumps in a row without using a step of the trace before it is given up.
    pub patience: u64,
    /// Whether quantified axioms are tried at the points that the execution used.
    pub check_axioms: bool,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        ReplayOptions {
            goal: ReplayGoal::AnyAssert,
            patience: 300_000,
            check_axioms: true,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Replay {
    pub outcome: ReplayOutcome,
    pub events: Vec<Event>,
    /// All points at which the oracle was asked.
    pub points: Points,
    /// Calls that the trace left out and that could not be executed freely: their outs got any
    /// value and the globals kept theirs.
    pub skipped: usize,
    /// Jumps on which the trace said nothing, or something that its values do not allow.
    pub guessed: usize,
    pub doubts: Vec<Doubt>,
    /// Instances of quantified axioms that were evaluated at those points.
    pub axiom_instances: usize,
    /// Instances of axioms that do not hold at the points used: the model is none of the program.
    pub violated_axioms: Vec<ViolatedAxiom>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayOutcome {
    AssertionFailed {
        assert: AssertId,
        span: Option<Span>,
    },
    /// The globals that have a value then.
    EntryReturned {
        globals: Vec<(VarId, Value)>,
    },
    Diverged {
        reason: String,
        span: Option<Span>,
    },
}

/// Something that could not be evaluated; the execution went on as the trace wants it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    pub reason: String,
    pub span: Option<Span>,
}

impl Replay {
    /// Whether the execution ended in a failure of the program (not in an unsupported construct)
    /// and nothing was in doubt.
    pub fn confirms_failure(&self, program: &Program) -> bool {
        let failed = match self.outcome {
            ReplayOutcome::AssertionFailed { assert, .. } => {
                !matches!(program.asserts[assert].kind, AssertKind::Unsupported(_))
            }
            _ => false,
        };
        failed && self.doubts.is_empty()
    }

    /// Whether the entry returned and nothing was in doubt.
    pub fn confirms_return(&self) -> bool {
        matches!(self.outcome, ReplayOutcome::EntryReturned { .. }) && self.doubts.is_empty()
    }

    /// Why the replay is no confirmation, if it is none.
    pub fn complaint(&self) -> Option<String> {
        match (&self.outcome, self.doubts.first()) {
            (ReplayOutcome::Diverged { reason, .. }, _) => Some(reason.clone()),
            (_, Some(doubt)) => Some(doubt.reason.clone()),
            _ => None,
        }
    }
}

/// Executes `entry` along the trace.
pub fn replay(
    program: &Program,
    entry: ProcId,
    trace: &Trace,
    oracle: &mut dyn Oracle,
    options: &ReplayOptions,
    budget: &Budget,
) -> Replay {
    machine::Machine::new(program, trace, oracle, options, budget).run(entry)
}

/// Values of variables of one scope.
type Store = FxHashMap<VarId, Value>;

#[cfg(test)]
mod tests;
