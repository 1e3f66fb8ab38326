//! Modular verification of a Boogie program.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Location;

/// Every procedure with a body against its contract.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BoogieRequest {
    /// Files and flags as Boogie takes them.
    pub arguments: Vec<String>,
    /// How many procedures are verified at once; `None`: as the flags say.
    pub jobs: Option<usize>,
    pub cache: Option<BoogieCache>,
}

/// Where results of earlier runs are kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoogieCache {
    pub folder: PathBuf,
    /// Everything is verified again, and compared with what is kept.
    pub check: bool,
}

/// What a run of modular verification found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BoogieReport {
    pub schema_version: u32,
    pub files: Vec<String>,
    /// What Boogie would print, line by line.
    pub lines: Vec<String>,
    /// In the order of the text.
    pub procedures: Vec<BoogieProcedure>,
    pub counts: BoogieCounts,
    /// Errors in the program or in the arguments; nothing was verified then.
    pub errors: Vec<BoogieError>,
    /// Values of existential constants, with `-contractInfer`.
    pub assignment: Vec<(String, bool)>,
    /// What the user should know besides.
    pub notes: Vec<String>,
    /// Arguments that cannot be obeyed.
    pub bad_arguments: bool,
    /// Why the run ended before it was done.
    pub unfinished: Option<String>,
    pub seconds: f64,
    pub peak_memory_bytes: u64,
}

impl BoogieReport {
    /// Whether a failure is a real bug.
    pub fn has_replayed_failure(&self) -> bool {
        let mut failures = self.procedures.iter().flat_map(|procedure| &procedure.failures);
        failures.any(|failure| failure.replay == BoogieReplay::Fails)
    }
}

/// How many procedures ended in which way; `errors` counts messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BoogieCounts {
    pub verified: usize,
    pub errors: usize,
    pub inconclusive: usize,
    pub time_outs: usize,
    pub out_of_memory: usize,
    pub out_of_resource: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BoogieProcedure {
    pub name: String,
    pub location: Location,
    pub outcome: BoogieOutcome,
    pub failures: Vec<BoogieFailure>,
    /// The result is that of an earlier run.
    #[serde(default)]
    pub cached: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum BoogieOutcome {
    Verified,
    /// An assertion was not proved.
    NotProved,
    /// The solver or the verifier has no answer.
    Inconclusive {
        reason: String,
    },
    TimedOut,
    OutOfMemory,
    OutOfResource,
}

/// An assertion that was not proved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BoogieFailure {
    pub location: Location,
    pub message: String,
    /// The pre- or postcondition, with what it is.
    pub related: Option<(Location, String)>,
    /// `{:id}` of the assertion.
    pub id: Option<String>,
    /// The blocks of the execution, with their labels.
    pub trace: Vec<(Location, String)>,
    /// Values that `{:print}` asks for.
    pub printed: Vec<String>,
    #[serde(default)]
    pub replay: BoogieReplay,
}

/// Whether the interpreter has executed the procedure and seen the failure.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum BoogieReplay {
    /// It fails: a real bug, if procedures without bodies that are called do what their contracts allow.
    Fails,
    /// Nothing more is known than that there is no proof.
    Open { reason: String },
    #[default]
    NotTried,
}

/// What is wrong with the program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BoogieError {
    pub location: Option<Location>,
    pub message: String,
}
