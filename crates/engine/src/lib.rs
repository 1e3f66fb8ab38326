//! ir ─ passes ─> ir ─> passive procedures ─> ProcVc ─> **unfolding ─ search ─> outcome**
//!
//! Can the entry procedure return? One loop (`search`) over an unfolding of the call graph answers it;
//! policies decide which open call sites are inlined next. A [`Session`] is what users hold.
//!
//! Architecture invariants:
//! - the engine sees programs after `instrument_errors` only: no loops, no assertions;
//! - an outcome never overstates: `Proved` and `Bounded` rest on an `unsat` answer of the solver, and
//!   whatever the solver could not say is `Unknown` with its reason;
//! - the same program, options and seed give the same sequence of solver calls.

mod colouring;
mod confirm;
mod dag;
mod environment;
mod exactness;
mod facts;
mod full;
mod inlining;
mod instance;
mod merge;
mod mix;
mod observer;
mod optimal;
mod options;
mod outcome;
mod path;
mod proofs;
mod queries;
mod search;
mod session;
mod shape;
mod split;
#[cfg(test)]
mod tests;
mod unfolding;

pub use dag::{CallSiteId, Dag, InstanceId};
pub use environment::{Assumption, AssumptionSite};
pub use full::{FullInlining, Incomplete};
pub use merge::MergePolicy;
pub use observer::{SearchEvent, SearchProgress};
pub use optimal::{OptimalDag, OptimalLimits};
pub use options::{ExpandPolicy, SearchOptions, SplitPolicy};
pub use outcome::{Counterexample, EngineStats, SearchOutcome};
pub use path::{Path, PathStep};
pub use session::{InlinedCall, Session};
