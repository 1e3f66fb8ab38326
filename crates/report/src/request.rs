//! What is asked: the program, the question and how to go about it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::COptions;

/// One run of the verifier. Limits of time and memory are not part of it: they belong to the
/// process that runs it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct VerifyRequest {
    /// The files of one program.
    pub files: Vec<PathBuf>,
    /// Names of the procedures to start from, checked one by one. Empty: the implementation marked
    /// `{:entrypoint}`, else the procedure so marked, else `main`.
    pub entries: Vec<String>,
    pub engine: Engine,
    /// `None`: as the engine has it.
    pub merge: Option<Merge>,
    /// For `mix`: of all rounds this many per cent are refinements, the others widenings. `None`: as it pays.
    pub interleave: Option<u32>,
    /// Whether summaries of procedures are inferred (Houdini) and assumed at open calls.
    pub summaries: Switch,
    /// Whether globals that do not matter are left out (localisation).
    pub abstraction: Switch,
    /// Globals that are never left out.
    pub track: Vec<String>,
    /// Loops that carry invariants are cut by them: proofs without a bound, which rest on the invariants.
    pub check_invariants: bool,
    /// At most this many activations of a procedure on the stack and visits of a loop head in a row.
    pub bound: u32,
    /// No bound was asked for: search with growing bounds until the time limit, at least to
    /// [`VerifyRequest::DEEP_BOUND`] if there is none. The verdict is `bounded` for the last one completed.
    pub deepen: bool,
    /// At most this many calls on the stack, if given.
    pub stack_depth: Option<u32>,
    /// Loops whose number of rounds is a constant of at most this many are unrolled fully, whatever
    /// `bound` is. `None`: the verifier's own limit.
    pub static_loop_bound: Option<u32>,
    /// Ask whether this global variable can be non-zero (or true) when the entry returns, instead of
    /// asking about assertions.
    pub error_variable: Option<String>,
    /// Ask only about these assertions. Empty: about all of them.
    pub asserts: Vec<AssertSelector>,
    /// Go on after the first failing assertion until each is decided.
    pub all: bool,
    /// Seed of every choice that is not determined by the input.
    pub seed: u32,
    /// Stages whose text is reported as [`crate::Progress::Log`].
    pub log: Vec<LogStage>,
    pub trace: TraceDetail,
    /// Parse, resolve, type-check and lower only; the verdict is `accepted` or `bad-input`.
    pub front_end_only: bool,
    /// Parameters handed to the solver as they are.
    pub solver_options: Vec<SolverOption>,
    /// Render diagnostics with terminal colours.
    pub color: bool,
    /// For programs in C.
    pub c: COptions,
}

impl VerifyRequest {
    /// The bound if none is given.
    pub const DEFAULT_BOUND: u32 = 3;
    /// The bound that `deepen` gets to at least, time permitting.
    pub const DEEP_BOUND: u32 = 10;

    pub fn new(files: Vec<PathBuf>) -> Self {
        VerifyRequest {
            files,
            ..Self::default()
        }
    }

    /// Whether the program is written in C.
    pub fn is_c(&self) -> bool {
        !self.files.is_empty() && self.files.iter().all(|file| COptions::is_c_file(file))
    }
}

impl Default for VerifyRequest {
    fn default() -> Self {
        VerifyRequest {
            files: Vec::new(),
            entries: Vec::new(),
            engine: Engine::default(),
            merge: None,
            interleave: None,
            summaries: Switch::default(),
            abstraction: Switch::default(),
            track: Vec::new(),
            check_invariants: false,
            bound: Self::DEFAULT_BOUND,
            deepen: false,
            stack_depth: None,
            static_loop_bound: None,
            error_variable: None,
            asserts: Vec::new(),
            all: false,
            seed: 0,
            log: Vec::new(),
            trace: TraceDetail::default(),
            front_end_only: false,
            solver_options: Vec::new(),
            color: false,
            c: COptions::default(),
        }
    }
}

/// How the call graph is unfolded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Calls are inlined as counterexamples of the over-approximation ask for them, at a place of their own.
    Stratified,
    /// The same, and calls that are never on one execution share what is inlined.
    Dag,
    /// Calls are inlined as unsat cores of the under-approximation ask for them.
    Widen,
    /// Both, in turn, as it pays.
    Mix,
    /// Several of the others at once; the first sure answer counts.
    #[default]
    Portfolio,
    /// The program as constrained Horn clauses: proofs without a bound, no bugs.
    Chc,
    /// Everything within the bound is inlined before the solver is asked once.
    Static,
}

impl Engine {
    pub const ALL: [Engine; 7] = [
        Engine::Stratified,
        Engine::Dag,
        Engine::Widen,
        Engine::Mix,
        Engine::Portfolio,
        Engine::Chc,
        Engine::Static,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Engine::Stratified => "stratified",
            Engine::Dag => "dag",
            Engine::Widen => "widen",
            Engine::Mix => "mix",
            Engine::Portfolio => "portfolio",
            Engine::Chc => "chc",
            Engine::Static => "static",
        }
    }
}

impl std::fmt::Display for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether an optional technique is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    /// Where it pays.
    #[default]
    Auto,
    On,
    Off,
}

/// Which inlined calls share what is inlined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Merge {
    Tree,
    First,
    Maxc,
    Random,
    Randompick,
    Opt,
}

impl Merge {
    pub const ALL: [Merge; 6] = [
        Merge::Tree,
        Merge::First,
        Merge::Maxc,
        Merge::Random,
        Merge::Randompick,
        Merge::Opt,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Merge::Tree => "tree",
            Merge::First => "first",
            Merge::Maxc => "maxc",
            Merge::Random => "random",
            Merge::Randompick => "randompick",
            Merge::Opt => "opt",
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

/// A stage whose result can be shown as text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogStage {
    /// The program as it was read, pretty-printed.
    Boogie,
    /// The C program as it was read, with every conversion explicit.
    C,
    /// The regions that memory is split into.
    Regions,
    /// The intermediate representation as it was lowered.
    Ir,
    /// The intermediate representation after each pass.
    Passes,
    /// The loop-free, passive procedures.
    Passive,
    /// The verification condition of each procedure.
    Vc,
    /// What the solver is told, as SMT-LIB.
    Smt,
    /// Each step of the unfolding of the call graph.
    Unfolding,
    /// The unfolding at the end, in the language of Graphviz.
    Dag,
}

impl LogStage {
    pub const ALL: [LogStage; 10] = [
        LogStage::Boogie,
        LogStage::C,
        LogStage::Regions,
        LogStage::Ir,
        LogStage::Passes,
        LogStage::Passive,
        LogStage::Vc,
        LogStage::Smt,
        LogStage::Unfolding,
        LogStage::Dag,
    ];

    pub fn name(self) -> &'static str {
        match self {
            LogStage::Boogie => "boogie",
            LogStage::C => "c",
            LogStage::Regions => "regions",
            LogStage::Ir => "ir",
            LogStage::Passes => "passes",
            LogStage::Passive => "passive",
            LogStage::Vc => "vc",
            LogStage::Smt => "smt",
            LogStage::Unfolding => "unfolding",
            LogStage::Dag => "dag",
        }
    }
}

/// How much of a failing execution is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraceDetail {
    /// What matters for the failure.
    #[default]
    Brief,
    /// Every statement that was executed.
    Full,
}

/// A parameter of the solver.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SolverOption {
    pub key: String,
    pub value: String,
}
