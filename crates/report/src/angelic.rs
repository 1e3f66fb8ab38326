//! Requests and reports of angelic verification.

use lariat_options::{Permissiveness, Vocabulary};
use serde::{Deserialize, Serialize};

use crate::{DiagnosticReport, External, Failure, Location, SCHEMA_VERSION, VerifyRequest, Warning};

/// One run of `lariat angelic`. Limits of time and memory of the whole run belong to the process.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AngelicRequest {
    /// The program, its entries (empty: every procedure with a body), the bound, the engine and the options of C.
    pub program: VerifyRequest,
    /// Only procedures that no other calls are entries.
    pub roots_only: bool,
    /// Procedures that are not entries: names, with `*` for any text.
    pub exclude: Vec<String>,
    pub vocabulary: Vocabulary,
    pub permissiveness: Permissiveness,
    /// Typestate rules: names of shipped ones or files.
    pub rules: Vec<String>,
    /// Monitor variables of the program beside those of the rules: names of globals.
    pub typestate: Vec<String>,
    /// A procedure of the program that is the only entry: nothing has run before it.
    pub harness: Option<String>,
    /// Monitors are in their first states when an entry starts, as if a harness had set them up (`default+harness`).
    pub monitors_set: bool,
    /// Entries that are analysed at once. 0: as many as there are cores.
    pub jobs: usize,
    /// For one entry.
    pub entry_seconds: Option<f64>,
    /// For one explanation.
    pub explain_seconds: Option<f64>,
    /// Specifications with a decision of the user.
    pub specifications: Vec<Specification>,
    /// What an earlier run found: entries with the same fingerprint are not analysed again.
    pub earlier: Option<Box<AngelicReport>>,
}

/// The answer to an [`AngelicRequest`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AngelicReport {
    pub schema_version: u32,
    pub files: Vec<String>,
    /// The input could not be read: see the diagnostics.
    pub bad_input: bool,
    /// Why the run as a whole ended early, if it did: entries may be missing or incomplete.
    #[serde(default)]
    pub unfinished: Option<String>,
    /// Most confident first.
    pub warnings: Vec<AngelicWarning>,
    /// All that were inferred or given, in the order of entries.
    pub specifications: Vec<Specification>,
    /// One for each entry, in the order of the text.
    pub entries: Vec<AngelicEntry>,
    pub diagnostics: Vec<DiagnosticReport>,
    pub notes: Vec<Warning>,
    pub externals: Vec<External>,
    /// The procedures of the program, in the order of the text.
    pub procedures: Vec<ProcedurePlace>,
    pub stats: AngelicStats,
}

impl AngelicReport {
    /// A report that knows nothing yet.
    pub fn new(request: &AngelicRequest) -> Self {
        let files = request.program.files.iter();
        AngelicReport {
            schema_version: SCHEMA_VERSION,
            files: files.map(|file| file.display().to_string()).collect(),
            ..AngelicReport::default()
        }
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AngelicStats {
    pub total_seconds: f64,
    pub read_seconds: f64,
    pub source_lines: u64,
    pub peak_memory_bytes: u64,
    /// Dereferences in the program, and those that the cheap analysis proved safe.
    pub dereferences: u64,
    pub dereferences_proved: u64,
    /// Assertions that were left to check.
    pub assertions: u64,
}

/// The result of one entry.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AngelicEntry {
    pub name: String,
    pub location: Option<Location>,
    pub outcome: EntryOutcome,
    /// The bound of the search: loops and recursion beyond it were not looked at.
    pub bound: u32,
    /// Whether nothing was beyond the bound.
    pub complete: bool,
    /// Of the code that the entry reaches and of the question.
    pub fingerprint: String,
    /// Taken over from the earlier run.
    pub reused: bool,
    pub stats: AngelicEntryStats,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum EntryOutcome {
    /// Everything was decided.
    Done,
    /// The search ended early: what is reported stands, more may be there.
    Incomplete { reason: String },
    /// Not decided yet: in partial reports only.
    Pending,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AngelicEntryStats {
    pub seconds: f64,
    /// Failing traces that the engine found.
    pub traces: u64,
    /// Questions about angelic assertions.
    pub permissive_checks: u64,
    pub solver_calls: u64,
    pub explain_seconds: f64,
    pub permissive_seconds: f64,
    pub verify_seconds: f64,
}

/// Something that no acceptable specification explains away.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AngelicWarning {
    /// Stable: the same for the same cause in the next run.
    pub id: String,
    pub confidence: Confidence,
    /// The procedure that the assertion is in.
    pub procedure: String,
    /// The failing condition as it is written, if it is.
    pub condition: Option<String>,
    /// Why it is shown, in words.
    pub explanation: String,
    /// Where the failing value comes from: `NULL assigned at …`, `parameter p`.
    pub origin: Option<String>,
    /// The specification that would suppress it, and why it is not acceptable.
    pub refused: Option<Refusal>,
    /// At least one; the first is the one to show.
    pub traces: Vec<EntryTrace>,
}

/// Most confident first.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Confidence {
    /// The code itself checks for what the specification would exclude.
    Inconsistent,
    /// It fails whatever the environment does.
    Definite,
    /// No formula of the vocabulary excludes it.
    NotExpressible,
    /// The user has rejected the specification that would.
    Rejected,
    /// Nothing was tried: the vocabulary is empty.
    Demonic,
}

impl Confidence {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A specification that is not acceptable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// In source terms.
    pub specification: String,
    /// What it would make impossible: the angelic assertion.
    pub location: Option<Location>,
    pub reason: String,
}

/// A failing execution of an entry.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EntryTrace {
    pub entry: String,
    /// Executions with the same cause are one warning.
    pub cause: String,
    pub confidence: Confidence,
    /// Why it is shown, in words.
    pub explanation: String,
    /// Where the failing value comes from: `x = NULL` at …
    pub origin: Option<String>,
    /// The specification that would suppress it, and why it is not acceptable.
    pub refused: Option<Refusal>,
    /// The procedure that the assertion is in.
    pub procedure: String,
    /// The failing condition as it is written, if it is.
    pub condition: Option<String>,
    pub failure: Failure,
}

/// Where a procedure is, to find it again in the next run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcedurePlace {
    pub name: String,
    pub location: Location,
}

/// What is assumed of the environment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Specification {
    /// Stable: made of the entry and the text.
    pub id: String,
    /// The entry whose inputs it constrains.
    pub entry: String,
    /// In source terms: `FooBar requires Lib2() != NULL`; here only what comes after `requires`.
    pub text: String,
    /// With quantifiers: `forall x_2: int :: unknown_1(x_2) ==> x_2 != NULL`.
    pub formal: String,
    pub status: SpecificationStatus,
    /// Where the constrained values come from.
    pub locations: Vec<Location>,
    /// What it suppresses.
    pub suppresses: Vec<Suppressed>,
    /// Assumed, but nothing needed it.
    pub unnecessary: bool,
    /// Why an edited specification was not used.
    pub problem: Option<String>,
    /// The text that was inferred, if the user has edited it.
    pub inferred: Option<String>,
}

impl Specification {
    /// It is believed of the environment.
    pub fn is_assumed(&self) -> bool {
        self.status != SpecificationStatus::Rejected && self.problem.is_none()
    }
}

/// An alarm that a specification suppresses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Suppressed {
    pub procedure: String,
    pub condition: Option<String>,
    pub message: String,
    pub location: Option<Location>,
}

/// The user's decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpecificationStatus {
    /// Inferred by Lariat; the user has not decided.
    #[default]
    Inferred,
    /// Assumed from the start.
    Accepted,
    /// Never used: what it would suppress is a warning.
    Rejected,
    /// Written by hand: assumed if it is permissive.
    Edited,
}
