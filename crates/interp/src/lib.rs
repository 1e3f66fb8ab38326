//! IR + trace ─> **interp** ─> confirmed failure, events for display
//!
//! The concrete meaning of programs: evaluation of terms to values, replay of a trace on the
//! program as it was lowered, and a brute-force explorer that differential tests use as oracle.
//!
//! Architecture invariants:
//! - nothing here knows a solver: whatever only a model can tell (uninterpreted functions,
//!   theory operators, quantifiers, division by zero) is asked of an [`Oracle`];
//! - a replay that ends in [`ReplayOutcome::AssertionFailed`] or [`ReplayOutcome::EntryReturned`]
//!   without doubts and without skipped calls is an execution of the program;
//! - no Rust recursion over the depth of terms, of the call stack or of traces.

mod axioms;
mod definition;
mod environment;
mod eval;
mod event;
mod explore;
mod oracle;
mod render;
mod replay;
mod run;
mod show;
mod slice;
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
pub use replay::{Doubt, Goal, Replay, ReplayOptions, ReplayOutcome, replay};
pub use run::{RunOptions, RunOutcome, can_run, run};
pub use show::{ShowLimits, change_text, value_text, value_text_within};
pub use slice::relevant_events;
pub use trace::{Frame, FrameId, Step, Trace};
pub use wording::{PlainWording, Wording};
