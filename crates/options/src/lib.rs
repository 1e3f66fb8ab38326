//! The vocabulary of options and checks: every word that a user can ask for, a request carries, an engine obeys or a report
//! shows is defined here, once.
//!
//! Architecture invariants:
//! - This crate depends on no other crate of the workspace.
//! - A word has one name, derived from its variant: the command line, settings, JSON and messages all use it. The list
//!   of all variants and the parser are derived too; `vocabulary!` is the only place that says how.
//! - With the feature `clap`, which only `lariat` turns on, the doc comment of a variant is its help text.

#[macro_use]
mod vocabulary;

mod angelic;
mod c;
mod check;
mod conform;
mod flags;
mod partition;
mod search;

pub use angelic::{Configuration, Permissiveness, Structure, Vocabulary};
#[cfg(feature = "clap")]
pub use c::CArguments;
pub use c::{COptions, Externals, Integers, Language, Machine};
pub use check::{Check, CheckSelector, FailureKind};
pub use conform::{Levels, Minimise};
pub use flags::{SearchFlags, UnfoldingFlags};
pub use partition::{CallName, Decision, Halves, Partition, SearchStart};
pub use search::{
    Engine, LogStage, MergePolicy, OnOff, RefinementAlgorithm, SolverProfile, Switch, TraceDetail,
};
