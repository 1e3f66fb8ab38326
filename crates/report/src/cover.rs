//! Requests and reports of `lariat cover`: which parts of a program executions reach.

use serde::{Deserialize, Serialize};

use crate::{DiagnosticReport, External, Failure, Location, SCHEMA_VERSION, VerifyRequest, Warning};

/// One run of `lariat cover`. Limits of time and memory belong to the process.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct CoverRequest {
    /// The program, its entries, the bound, the engine and the options of C.
    pub program: VerifyRequest,
    /// What is to be reached.
    pub aim: CoverAim,
    /// So many executions with random inputs in a row that reach nothing new end the first stage. 0: it is left out.
    pub runs: u32,
    /// Searches follow the random executions.
    pub search: bool,
}

impl CoverRequest {
    /// How many executions are tried if the user does not say.
    pub const DEFAULT_RUNS: u32 = 30;
}

impl Default for CoverRequest {
    fn default() -> Self {
        CoverRequest {
            program: VerifyRequest::default(),
            aim: CoverAim::default(),
            runs: Self::DEFAULT_RUNS,
            search: true,
        }
    }
}

/// What is to be reached.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoverAim {
    /// Every side of every condition, and the start of every procedure.
    #[default]
    Branch,
    /// Every line with a statement.
    Line,
    /// Every failure of an assertion or of what is checked.
    Error,
    /// The labels of this name.
    Label(String),
}

impl CoverAim {
    /// Any word that is none of the others is a label.
    pub fn parse(text: &str) -> CoverAim {
        match text {
            "branch" => CoverAim::Branch,
            "line" => CoverAim::Line,
            "error" => CoverAim::Error,
            label => CoverAim::Label(label.to_owned()),
        }
    }
}

/// The answer to a [`CoverRequest`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CoverReport {
    pub schema_version: u32,
    pub files: Vec<String>,
    /// The input could not be read: see the diagnostics.
    pub bad_input: bool,
    /// Why the run as a whole ended early, if it did.
    #[serde(default)]
    pub unfinished: Option<String>,
    /// The procedures that executions start from.
    pub entries: Vec<String>,
    /// The user's procedures that the entries reach by calls, in the order of the text.
    pub functions: Vec<CoverFunction>,
    /// Replayed executions, in the order in which they were found.
    pub executions: Vec<CoverExecution>,
    pub diagnostics: Vec<DiagnosticReport>,
    pub warnings: Vec<Warning>,
    pub externals: Vec<External>,
    /// What a proof rests on besides the program.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// What gcov counts when the tests run, if they were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<CoverMeasure>,
    pub stats: CoverStats,
}

impl CoverReport {
    /// A report that knows nothing yet.
    pub fn new(request: &CoverRequest) -> Self {
        let files = request.program.files.iter();
        CoverReport {
            schema_version: SCHEMA_VERSION,
            files: files.map(|file| file.display().to_string()).collect(),
            ..CoverReport::default()
        }
    }

    pub fn goals(&self) -> impl Iterator<Item = &CoverGoal> {
        self.functions.iter().flat_map(|function| &function.goals)
    }

    pub fn counts(&self) -> CoverCounts {
        CoverCounts::of(self.goals())
    }
}

/// A procedure of the user.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoverFunction {
    pub name: String,
    pub location: Option<Location>,
    pub goals: Vec<CoverGoal>,
}

impl CoverFunction {
    pub fn counts(&self) -> CoverCounts {
        CoverCounts::of(&self.goals)
    }
}

/// Something to reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoverGoal {
    pub kind: CoverGoalKind,
    /// The condition, the assertion, the line or the label as it is written.
    pub text: Option<String>,
    /// Of a branch: `true`, `false`, `case 3`, `default`.
    pub side: Option<String>,
    pub location: Option<Location>,
    /// Of a line: an assertion or a check on it can fail if an execution gets there. One that fails in any case is none: it is
    /// there to be never reached.
    #[serde(default)]
    pub has_check: bool,
    #[serde(flatten)]
    pub status: CoverStatus,
}

#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum CoverGoalKind {
    /// The start of a procedure.
    Function,
    Branch,
    Line,
    Error,
    Label,
}

impl CoverGoalKind {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What is known about a goal.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum CoverStatus {
    /// This execution reaches it: an index of [`CoverReport::executions`].
    Reached {
        execution: usize,
    },
    /// No execution does, of any length.
    Dead {
        reason: String,
    },
    /// None does within the bound.
    Bounded {
        bound: u32,
    },
    Unknown {
        reason: String,
    },
    /// Not decided yet: in partial reports only.
    #[default]
    Pending,
}

/// An execution of the program, up to the goal that it was looked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CoverExecution {
    pub entry: String,
    pub found_by: CoverMeans,
    /// It reaches a goal that no other execution of the report reaches: without it the tests would show less.
    pub needed: bool,
    /// The inputs and the trace, in the form of a failure at the goal.
    pub end: Failure,
    /// The C file that repeats it, if one was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
}

/// What tests execute when they are compiled and run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CoverMeasure {
    /// Tests that were run.
    pub tests: usize,
    /// Tests that could not be compiled or run, with the reason.
    pub failed: Vec<String>,
    /// Branches of the program's files as the compiler counts them, and those that were taken.
    pub branches: usize,
    pub taken: usize,
    /// Goals whose claim could be compared with the counts.
    pub compared: usize,
    /// Places where a claimed branch was not taken.
    pub missed: Vec<Location>,
    /// Places where a branch was taken that is claimed to be dead.
    pub contradicted: Vec<Location>,
}

#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum CoverMeans {
    /// An execution with random inputs.
    Run,
    /// The search for all goals together.
    Search,
    /// The search for one goal.
    Single,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CoverStats {
    pub total_seconds: f64,
    pub source_lines: u64,
    pub peak_memory_bytes: u64,
    /// Executions with random inputs.
    pub runs: u64,
    pub run_seconds: f64,
    /// Questions to the search for all goals together, and what it inlined.
    pub questions: u64,
    pub inlined: u64,
    pub solver_calls: u64,
    pub search_seconds: f64,
    /// Proofs for some of the goals.
    pub proofs: u64,
    pub proof_seconds: f64,
}

/// How many goals have which status.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CoverCounts {
    pub all: usize,
    pub reached: usize,
    pub dead: usize,
    pub bounded: usize,
    /// Without an answer.
    pub unknown: usize,
}

impl CoverCounts {
    pub fn of<'g>(goals: impl IntoIterator<Item = &'g CoverGoal>) -> Self {
        let mut counts = CoverCounts::default();
        for goal in goals {
            counts.all += 1;
            match goal.status {
                CoverStatus::Reached { .. } => counts.reached += 1,
                CoverStatus::Dead { .. } => counts.dead += 1,
                CoverStatus::Bounded { .. } => counts.bounded += 1,
                CoverStatus::Unknown { .. } | CoverStatus::Pending => counts.unknown += 1,
            }
        }
        counts
    }

    /// Whether each goal is either reached or proved dead.
    pub fn is_decided(self) -> bool {
        self.reached + self.dead == self.all
    }
}
