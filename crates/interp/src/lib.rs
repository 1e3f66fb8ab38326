//! IR + trace ─> **interp** ─> confirmed failure, events for display
//!
//! The concrete meaning of programs: evaluation of terms to values, replay of a trace on the lowered
//! program, fast runs with chosen or unknown inputs, and a brute-force explorer that differential
//! tests use as oracle.
//!
//! Architecture invariants:
//! - nothing here knows a solver: what only a model determines (uninterpreted functions, theory
//!   operators, quantifiers, division by zero) comes from an [`Oracle`];
//! - a replay that ends in [`ReplayOutcome::AssertionFailed`] or [`ReplayOutcome::EntryReturned`]
//!   without doubts and without skipped calls is an execution of the program;
//! - Rust's stack does not grow with the depth of the call stack or of traces, and with the depth of
//!   terms only where `stacker` guards it.

mod axioms;
mod definition;
mod environment;
mod eval;
mod event;
mod explore;
mod float;
mod oracle;
mod render;
mod replay;
mod run;
mod show;
mod slice;
mod standing;
#[cfg(test)]
mod testing;
mod trace;
mod wording;

pub use axioms::ViolatedAxiom;
pub use environment::{Environment, Overlay};
pub use eval::{EvalError, Evaluation, Evaluator, values_equal};
pub use event::{Change, ChangeKind, ElementChange, Event, EventKind, Flow, Place, Read};
pub use explore::{Domains, Exploration, ExploreLimits, ExploreVerdict, explore};
pub use oracle::{NoOracle, Oracle, Points, QuantifierPoint, Recorder, TableOracle};
pub use render::{LineKind, TraceDetail, TraceLine, render};
pub use replay::{Doubt, Replay, ReplayGoal, ReplayOptions, ReplayOutcome, replay};
pub use run::{Executable, Inputs, Run, RunOptions, RunOutcome, can_run, run};
pub use show::{ShowLimits, change_text, value_text, value_text_within};
pub use slice::{Deciding, Needed, deciding_events};
pub use standing::{Standing, standings};
pub use trace::{Frame, FrameId, Trace, TraceStep};
pub use wording::{PlainWording, Wording};
