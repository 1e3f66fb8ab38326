//! Requests and reports of all commands, as plain data.
//!
//! These types are the contract between the verifier, the processes it runs in, the command line,
//! the benchmark runner and every tool that reads `--output-format json`.
//!
//! Architecture invariants:
//! - This crate depends on `base` and `options` only: showing results needs no engine.
//! - JSON names are stable: `kebab-case` for the values of enumerations, `snake_case` for fields. A
//!   field may be added at any time; one is renamed, removed or given another meaning only together
//!   with a new [`SCHEMA_VERSION`].
//! - Times are seconds, sizes are bytes, lines and columns start at 1.

mod angelic;
mod boogie;
mod conform;
mod cover;
mod parts;
mod progress;
mod project;
pub mod rendering;
mod request;
mod result;
mod trace;
mod verdict;

pub use angelic::{
    AngelicEntry, AngelicEntryStats, AngelicReport, AngelicRequest, AngelicStats, AngelicWarning, Confidence,
    EntryOutcome, EntryTrace, ProcedurePlace, Refusal, Specification, SpecificationStatus, Suppressed,
};
pub use boogie::{
    BoogieCache, BoogieCounts, BoogieError, BoogieFailure, BoogieOutcome, BoogieProcedure, BoogieReplay,
    BoogieReport, BoogieRequest,
};
pub use conform::{
    ComponentRun, ConformAsked, ConformComponentStats, ConformExpectation, ConformModel, ConformModelKind,
    ConformPart, ConformReach, ConformReason, ConformReport, ConformRequest, ConformStats, ConformViolation,
    ProtocolStep, StuckComponent,
};
pub use cover::{
    CoverAim, CoverCounts, CoverExecution, CoverFunction, CoverGoal, CoverGoalKind, CoverMeans, CoverMeasure,
    CoverReport, CoverRequest, CoverStats, CoverStatus,
};
pub use lariat_options::{
    COptions, CallName, Check, CheckSelector, Configuration, Decision, Engine, Externals, FailureKind,
    Halves, Integers, Language, Levels, LogStage, Machine, MergePolicy, Minimise, OnOff, Partition,
    Permissiveness, RefinementAlgorithm, SearchFlags, SearchStart, SolverProfile, Structure, Switch,
    TraceDetail, UnfoldingFlags, Vocabulary,
};
pub use progress::{Figure, LogText, PartKind, Parts, Phase, Progress, ProgressUpdate};
pub use project::{
    ProjectEntry, ProjectPart, ProjectReport, SurveyReport, SurveyRequest, SurveyedFile, SurveyedSymbol,
};
pub use request::{AssertSelector, SolverOption, VerifyRequest};
pub use result::{
    Action, Attribute, CutKind, CutSite, DiagnosticReport, EntryReport, EntryStats, External, Failure,
    FreshObject, Goal, GoalKind, HarnessOutcome, Input, MemoryCell, Severity, Stats, Turn, TurnEnd,
    VerifyReport, Warning, WarningKind,
};
pub use trace::{Change, Location, TraceKind, TraceLine};
pub use verdict::{UnknownCause, Verdict};

/// The version of the JSON form of [`VerifyReport`].
pub const SCHEMA_VERSION: u32 = 1;
