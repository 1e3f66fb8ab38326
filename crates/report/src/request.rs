//! The request of a verification: the program, the question and how to search.

use std::path::PathBuf;

use lariat_options::{
    COptions, Engine, Language, LogStage, Partition, SearchFlags, TraceDetail, UnfoldingFlags,
};
use serde::{Deserialize, Serialize};

/// One run of the verifier. Limits of time and memory are not part of it: they belong to the
/// process that runs it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct VerifyRequest {
    /// The files of one program.
    pub files: Vec<PathBuf>,
    /// The language of all files. `None`: that of their extensions, or of their text.
    pub language: Option<Language>,
    /// Names of the procedures to start from, checked one by one. Empty: the implementation marked
    /// `{:entrypoint}`, else the procedure so marked, else `main`.
    pub entries: Vec<String>,
    pub engine: Engine,
    /// How to search: [`VerifyRequest::DEFAULT_CONTEXTS`] and more if no number of contexts was asked for, up to
    /// [`VerifyRequest::DEEP_CONTEXTS`] if there is no time limit.
    #[serde(flatten)]
    pub search: SearchFlags,
    /// How far to unfold.
    #[serde(flatten)]
    pub unfolding: UnfoldingFlags,
    /// Loops that carry invariants are cut by them: proofs without a bound, which rest on the invariants.
    pub check_invariants: bool,
    /// At most this many activations of a procedure on the stack and visits of a loop head in a row.
    pub bound: u32,
    /// No bound was asked for: search with growing bounds until the time limit, at least to
    /// [`VerifyRequest::DEEP_BOUND`] if there is none. The verdict is `bounded` for the last one completed.
    pub deepen: bool,
    /// Ask whether this global variable can be non-zero (or true) when the entry returns, instead of
    /// asking about assertions. With a `!` before the name: whether it can be zero or false.
    pub error_variable: Option<String>,
    /// Ask only about these assertions. Empty: about all of them.
    pub asserts: Vec<AssertSelector>,
    /// Go on after the first failing assertion until each is decided.
    pub all: bool,
    /// Stages whose text is reported as [`crate::Progress::Log`].
    pub log: Vec<LogStage>,
    pub trace: TraceDetail,
    /// The report has every step of a failing execution besides its trace, for pages.
    pub steps: bool,
    /// Parse, resolve, type-check and lower only; the verdict is `accepted` or `bad-input`.
    pub front_end_only: bool,
    /// Parameters handed to the solver as they are.
    pub solver_options: Vec<SolverOption>,
    /// A failure is told, as one that is not confirmed, though the axioms may have no model. Otherwise there is no answer.
    pub trust_axioms: bool,
    /// Render diagnostics with terminal colours.
    pub color: bool,
    /// For programs in C.
    pub c: COptions,
    /// The executions to look at: a part that a search was split into. For one entry without `all`.
    #[serde(skip_serializing_if = "Partition::is_whole")]
    pub partition: Partition,
    /// A search that is asked to split ends with its parts in the report, and others search those.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hand_over: bool,
}

impl VerifyRequest {
    /// The bound if none is given.
    pub const DEFAULT_BOUND: u32 = 3;
    /// The bound that `deepen` gets to at least, time permitting.
    pub const DEEP_BOUND: u32 = 10;
    /// The contexts that a search of a program with threads starts with.
    pub const DEFAULT_CONTEXTS: u32 = 2;
    /// The contexts that it gets to without a time limit.
    pub const DEEP_CONTEXTS: u32 = 4;

    pub fn new(files: Vec<PathBuf>) -> Self {
        VerifyRequest {
            files,
            ..Self::default()
        }
    }

    /// Whether the program is written in C.
    pub fn is_c(&self) -> bool {
        match self.language {
            Some(language) => language == Language::C,
            None => !self.files.is_empty() && self.files.iter().all(|file| COptions::is_c_file(file)),
        }
    }
}

impl Default for VerifyRequest {
    fn default() -> Self {
        VerifyRequest {
            files: Vec::new(),
            language: None,
            entries: Vec::new(),
            engine: Engine::default(),
            search: SearchFlags::default(),
            unfolding: UnfoldingFlags::default(),
            check_invariants: false,
            bound: Self::DEFAULT_BOUND,
            deepen: false,
            error_variable: None,
            asserts: Vec::new(),
            all: false,
            log: Vec::new(),
            trace: TraceDetail::default(),
            steps: false,
            front_end_only: false,
            solver_options: Vec::new(),
            trust_axioms: false,
            color: false,
            c: COptions::default(),
            partition: Partition::default(),
            hand_over: false,
        }
    }
}

/// Names one assertion, or all on one line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AssertSelector {
    /// The line on which the assertion starts.
    Line(u32),
    /// The value of its `{:id}`.
    Id(String),
}

impl AssertSelector {
    /// A number is a line, anything else an `{:id}`.
    pub fn parse(text: &str) -> Self {
        match text.parse() {
            Ok(line) => AssertSelector::Line(line),
            Err(_) => AssertSelector::Id(text.to_owned()),
        }
    }
}

impl std::fmt::Display for AssertSelector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AssertSelector::Line(line) => write!(f, "line {line}"),
            AssertSelector::Id(id) => write!(f, "{{:id \"{id}\"}}"),
        }
    }
}

/// A parameter of the solver.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SolverOption {
    pub key: String,
    pub value: String,
}
