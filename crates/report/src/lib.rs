//! What is asked of a verification and what it answers, as plain data.
//!
//! These types are the contract between the verifier, the processes it runs in, the command line,
//! the benchmark runner and every tool that reads `--output-format json`.
//!
//! Architecture invariants:
//! - This crate depends on no other crate of the workspace: whoever shows results needs no engine.
//! - JSON names are stable: `kebab-case` for the values of enumerations, `snake_case` for fields. A
//!   field may be added at any time; one is renamed, removed or given another meaning only together
//!   with a new [`SCHEMA_VERSION`].
//! - Times are seconds, sizes are bytes, lines and columns start at 1.

mod angelic;
mod c_options;
mod conform;
mod progress;
pub mod rendering;
mod request;
mod result;
mod trace;
mod verdict;

pub use angelic::{
    AngelicEntry, AngelicEntryStats, AngelicReport, AngelicRequest, AngelicStats, AngelicWarning, Confidence,
    Configuration, EntryOutcome, EntryTrace, Permissiveness, ProcedurePlace, Refusal, Specification,
    SpecificationStatus, Structure, Suppressed, Vocabulary,
};
pub use c_options::{CCheck, CIntegers, CMachine, COptions};
pub use conform::{
    ComponentRun, ConformAsked, ConformComponentStats, ConformExpectation, ConformLevels, ConformMinimise,
    ConformModel, ConformModelKind, ConformPart, ConformReach, ConformReason, ConformReport, ConformRequest,
    ConformStats, ConformViolation, ProtocolStep, StuckComponent,
};
pub use progress::{Figure, LogText, PartKind, Parts, Phase, Progress, ProgressUpdate};
pub use request::{
    AssertSelector, Engine, LogStage, Merge, SolverOption, Switch, TraceDetail, VerifyRequest,
};
pub use result::{
    CutKind, CutSite, DiagnosticReport, EntryReport, EntryStats, External, Failure, FailureKind, FreshObject,
    Goal, GoalKind, HarnessOutcome, Input, MemoryCell, Severity, Stats, VerifyReport, Warning, WarningKind,
};
pub use trace::{Change, Location, TraceKind, TraceLine};
pub use verdict::{UnknownCause, Verdict};

/// The version of the JSON form of [`VerifyReport`].
pub const SCHEMA_VERSION: u32 = 1;
