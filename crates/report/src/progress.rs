//! What a verification tells while it runs.

use serde::{Deserialize, Serialize};

use crate::{AngelicReport, ConformReport, LogStage, VerifyReport};

/// One message of a run that is not over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Progress {
    /// Where the run stands; replaces the update before.
    Update(ProgressUpdate),
    /// Everything decided so far, as the report would be if the run had to end now; replaces the
    /// partial report before. Sent whenever an entry, an assertion or a bound is decided, so that
    /// nothing is lost if the process dies.
    Partial(Box<VerifyReport>),
    /// The text of a stage that the request wants to see.
    Log(LogText),
    /// Where an angelic verification stands; replaces the update before.
    Angelic(AngelicUpdate),
    /// As `Partial`, of an angelic verification: entries that are not decided are
    /// [`crate::EntryOutcome::Pending`]. Sent whenever an entry ends or a warning is found.
    AngelicPartial(Box<AngelicReport>),
    /// Where a question about conformance stands; replaces the update before.
    Conform(ConformUpdate),
    /// As `Partial`, of conformance. Sent whenever a specification is decided.
    ConformPartial(Box<ConformReport>),
}

/// Where a run stands.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgressUpdate {
    pub phase: Phase,
    /// The entry that is being checked.
    pub entry: Option<String>,
    /// The bound that is being tried.
    pub bound: Option<u32>,
    /// Procedure instances in the unfolding.
    pub inlined: u64,
    /// Call sites that are not inlined yet.
    pub open_call_sites: u64,
    pub solver_calls: u64,
    pub solver_seconds: f64,
    /// Resident memory.
    pub memory_bytes: u64,
}

/// Where an angelic verification stands after the program was read.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AngelicUpdate {
    pub entries: u64,
    pub entries_done: u64,
    /// An entry that is being analysed.
    pub entry: Option<String>,
    /// Failing traces that were found.
    pub traces: u64,
    pub specifications: u64,
    pub warnings: u64,
    /// Of all entries together.
    pub solver_seconds: f64,
    /// Resident memory; 0 where it is not known.
    pub memory_bytes: u64,
}

/// Where a question about conformance stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ConformUpdate {
    /// The specification that is being asked about.
    pub specification: String,
    pub specifications: u64,
    pub specifications_done: u64,
    pub predicate_iterations: u64,
    pub action_iterations: u64,
    /// |P| over all components.
    pub predicates: u64,
    pub states: u64,
    /// Resident memory; 0 where it is not known.
    pub memory_bytes: u64,
}

/// The stages of a run in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    #[default]
    Reading,
    Parsing,
    Checking,
    Lowering,
    Passes,
    GeneratingVcs,
    Solving,
    Replaying,
}

impl Phase {
    /// What the user reads.
    pub fn text(self) -> &'static str {
        match self {
            Phase::Reading => "reading",
            Phase::Parsing => "parsing",
            Phase::Checking => "type checking",
            Phase::Lowering => "lowering",
            Phase::Passes => "simplifying",
            Phase::GeneratingVcs => "generating conditions",
            Phase::Solving => "solving",
            Phase::Replaying => "replaying the trace",
        }
    }
}

/// The text of one stage, or a part of it: texts of the same stage follow each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LogText {
    pub stage: LogStage,
    /// What is shown, such as the name of a pass; empty where `text` continues the one before.
    pub title: String,
    pub text: String,
}
