//! What a command reports while it runs.

use serde::{Deserialize, Serialize};

use crate::{LogStage, VerifyReport};

/// One message of a run that is not over. `R` is the report that the run ends with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Progress<R = VerifyReport> {
    /// How far the run is; replaces the update before.
    Update(ProgressUpdate),
    /// Everything decided so far: the report as it would be if the run ended now. Replaces the partial report before.
    /// Sent whenever something is decided, so that nothing is lost if the process dies.
    Partial(Box<R>),
    /// The text of a stage that the request wants to see.
    Log(LogText),
    /// A line of the result, as soon as it is known.
    Output { line: String },
}

/// How far a run is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgressUpdate {
    pub phase: Phase,
    /// The entry or the specification that is being checked.
    pub subject: Option<String>,
    /// Of a run with several parts: how many are done.
    pub parts: Option<Parts>,
    /// What is worth showing of this phase, in the order to show it.
    pub figures: Vec<Figure>,
    /// Resident memory; 0 if unknown.
    pub memory_bytes: u64,
}

impl ProgressUpdate {
    /// Whether the two differ in counts of effort only, so that dropping one loses nothing.
    pub fn shows_the_same(&self, other: &ProgressUpdate) -> bool {
        let milestones = |update: &ProgressUpdate| -> Vec<Figure> {
            let figures = update.figures.iter();
            figures.filter(|figure| figure.is_milestone()).cloned().collect()
        };
        (self.phase, &self.subject, &self.parts) == (other.phase, &other.subject, &other.parts)
            && milestones(self) == milestones(other)
    }
}

/// How many parts of a run are done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Parts {
    pub kind: PartKind,
    pub done: u64,
    pub total: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    Files,
    Entries,
    Specifications,
    /// Of one search.
    Parts,
}

/// A number that an update shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// The bound that is being searched.
    Bound(u32),
    /// The contexts of threads that are being searched.
    Contexts(u32),
    /// The first thread, and the places where others start.
    Threads(u64),
    /// Procedure instances in the unfolding.
    Inlined(u64),
    /// Call sites that are not inlined yet.
    OpenCalls(u64),
    /// Failing executions found.
    Traces(u64),
    /// Specifications inferred.
    Specifications(u64),
    Warnings(u64),
    /// The round of predicate refinement.
    Iteration(u64),
    /// Rounds of action-guided refinement.
    Splits(u64),
    Predicates(u64),
    States(u64),
    SolverSeconds(f64),
}

impl Figure {
    /// A change of it is news even if nothing else has changed.
    fn is_milestone(&self) -> bool {
        matches!(self, Figure::Bound(_) | Figure::Contexts(_) | Figure::Warnings(_))
    }
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
    Solving,
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
            Phase::Solving => "solving",
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
