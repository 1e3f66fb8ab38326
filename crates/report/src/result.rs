//! The report of a verification.

use lariat_options::{FailureKind, Halves};
use serde::{Deserialize, Serialize};

use crate::{CoverReport, Engine, Location, SCHEMA_VERSION, TraceLine, Verdict, VerifyRequest};

/// The answer to a [`VerifyRequest`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VerifyReport {
    pub schema_version: u32,
    /// The files of the program, as they were given.
    pub files: Vec<String>,
    pub engine: Engine,
    /// The verdict of the run: [`Verdict::overall`] of the entries, unless there are none.
    pub verdict: Verdict,
    /// One for each entry that was looked at, in the order of the request.
    pub entries: Vec<EntryReport>,
    /// What is wrong with the input.
    pub diagnostics: Vec<DiagnosticReport>,
    /// Qualifications of the verdict.
    pub warnings: Vec<Warning>,
    /// Functions without body or model: what was assumed of them decides what the verdict means.
    #[serde(default)]
    pub externals: Vec<External>,
    /// What a success rests on besides the program: each holds of every execution that was looked at.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// Words for the verdict if integers are not those of the machine.
    #[serde(default)]
    pub integers: Option<String>,
    /// Which lines executions reach, if the user wants to know it of a success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Box<CoverReport>>,
    /// The search was asked to split, and these parts are to be searched instead; see [`VerifyRequest::hand_over`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Box<Halves>>,
    pub stats: Stats,
}

impl VerifyReport {
    /// A report without entries.
    pub fn new(request: &VerifyRequest, verdict: Verdict) -> Self {
        VerifyReport {
            schema_version: SCHEMA_VERSION,
            files: request
                .files
                .iter()
                .map(|file| file.display().to_string())
                .collect(),
            engine: request.engine,
            verdict,
            entries: Vec::new(),
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            externals: Vec::new(),
            assumptions: Vec::new(),
            integers: None,
            coverage: None,
            split: None,
            stats: Stats::default(),
        }
    }

    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.entries.iter().flat_map(|entry| &entry.failures)
    }

    pub fn errors(&self) -> impl Iterator<Item = &DiagnosticReport> {
        self.diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// The answer for one entry.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EntryReport {
    /// The name of the procedure.
    pub entry: String,
    pub goal: Goal,
    pub verdict: Verdict,
    /// The largest bound that was searched completely, if any was.
    pub bound: Option<u32>,
    /// The search with the next bound was cut by the time limit.
    #[serde(default)]
    pub ended_by_time: bool,
    /// Of a program with threads: the largest number of contexts that was searched up to that bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<u32>,
    /// Loops and procedures whose further rounds or activations were not looked at.
    pub cut: Vec<CutSite>,
    /// The violations that were found.
    pub failures: Vec<Failure>,
    /// The globals that were tracked, if others were left out.
    #[serde(default)]
    pub tracked: Option<Vec<String>>,
    pub stats: EntryStats,
}

/// Which question was asked about an entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Goal {
    pub kind: GoalKind,
    /// The question in words, such as "whether an assertion can fail".
    pub text: String,
}

impl Goal {
    /// What is known where the answer is no: "no assertion can fail".
    pub fn claim(&self) -> String {
        let words = self.text.strip_prefix("whether ").unwrap_or(&self.text);
        match (words.strip_prefix("an "), words.strip_prefix("one of ")) {
            _ if self.kind == GoalKind::EntryReturns => "it cannot return".to_owned(),
            _ if self.kind == GoalKind::VariableNonzero => "the error variable stays zero".to_owned(),
            _ if self.kind == GoalKind::VariableZero => {
                "the variable is never zero or false at the end".to_owned()
            }
            (Some(rest), _) => format!("no {rest}"),
            (_, Some(rest)) => format!("none of {rest}"),
            (None, None) => format!("not {words}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalKind {
    /// Can an assertion fail?
    AssertionFails,
    /// Can the entry return? Asked where a program has no assertion at all.
    EntryReturns,
    /// Can the error variable be non-zero when the entry returns?
    VariableNonzero,
    /// Can the variable be zero or false when the entry returns?
    VariableZero,
}

/// A loop or procedure that was cut by the bound.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct CutSite {
    /// The procedure; for a loop, the procedure that it stands in.
    pub name: String,
    pub kind: CutKind,
    pub location: Option<Location>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutKind {
    Loop,
    Procedure,
    /// A call that is deeper on the stack than `--stack-depth`.
    Call,
}

/// A violation with the execution that leads to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// What can go wrong, such as "assertion can fail".
    pub message: String,
    /// The `{:id}` of the assertion.
    pub id: Option<String>,
    /// The assertion as it is written, on one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<String>,
    /// The attributes of the assertion, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
    pub location: Option<Location>,
    pub trace: Vec<TraceLine>,
    /// Every step of the execution, if the request asked for them: `trace` may leave out what does not matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TraceLine>,
    /// The interpreter has replayed the trace and the violation occurred.
    pub confirmed: bool,
    /// Why the trace could not be replayed.
    pub why_not: Option<String>,
    /// What the program got from outside, in the order in which it asked.
    #[serde(default)]
    pub inputs: Vec<Input>,
    /// Objects whose content the execution found as it was: heap memory, and variables in memory without initialiser, in the
    /// order in which they came to be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<FreshObject>,
    /// Memory that was read before it was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<MemoryCell>,
    /// Which thread of a C program runs when; empty if only one does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<Turn>,
    /// What a compiled program with these inputs did, if one was made.
    #[serde(default)]
    pub harness: Option<HarnessOutcome>,
}

impl Failure {
    /// A failure that was replayed, of which nothing else is told yet.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure {
            kind,
            message: message.into(),
            id: None,
            assertion: None,
            attributes: Vec::new(),
            location: None,
            trace: Vec::new(),
            steps: Vec::new(),
            confirmed: true,
            why_not: None,
            inputs: Vec::new(),
            objects: Vec::new(),
            memory: Vec::new(),
            schedule: Vec::new(),
            harness: None,
        }
    }
}

/// An attribute of an assertion: `{:name "text", 3}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attribute {
    pub name: String,
    /// Strings without their quotes, expressions as they are written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// An object that came to be while a C program ran.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FreshObject {
    /// The variable; `None` for what `malloc` returned.
    pub name: Option<String>,
    /// Of the name in its declaration.
    pub location: Option<Location>,
    /// In the trace.
    pub address: u64,
}

/// A part of an execution in which one thread runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// Numbered from 0, the first one, in the order of their creation.
    pub thread: u32,
    /// What the thread is about to do, or has done, where another one goes on; `None` at the end of the execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<TurnEnd>,
}

/// Where a turn ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TurnEnd {
    pub action: Action,
    /// Which of these actions in the turn it is: the first one is 1. For the rest of a call, how many calls of the function have
    /// begun in the turn.
    pub count: u32,
    /// The turn ends behind the action, not before it.
    pub after: bool,
}

/// Something that a thread does and others may see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// An access so many bytes behind the start of an object that can be named at the end of its file.
    Named {
        object: String,
        offset: u64,
        write: bool,
    },
    /// An access of an address of the trace.
    Address { address: u64, write: bool },
    /// A function of the library does something; `again` where its thread goes on in the call.
    Call { function: String, again: bool },
    /// The thread ends.
    End,
}

/// A number in memory that was read before it was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MemoryCell {
    pub address: u64,
    pub bytes: u32,
    /// As an unsigned number of that many bytes.
    pub value: u64,
    /// It is an address of the trace.
    pub pointer: bool,
}

/// One value from outside of a C program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The function that was called, such as `__VERIFIER_nondet_int`; the entry itself for one of its
    /// parameters, which come in their order; a variable for its value where its declaration, which has
    /// no initialiser, is reached (`location` is then that of the name in the declaration).
    pub function: String,
    /// The C type of the result, or of the variable.
    pub ty: String,
    /// A C constant expression, such as `-3`, `4294967295U`, `0x1p-3`, `(void*)0`.
    pub value: String,
    pub location: Option<Location>,
    /// What the function wrote through its pointer arguments: places and values. Reserved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<(String, String)>,
}

/// What a program with the inputs of a trace did when it was compiled and run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HarnessOutcome {
    /// The C file.
    pub path: String,
    pub compiled: bool,
    /// It failed in the same way at the same place.
    pub reproduced: bool,
    /// The command that compiled it, or why there is none.
    pub how: String,
    /// What it printed at the end, or what went wrong.
    pub output: String,
}

/// A function without body or model.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct External {
    pub name: String,
    /// Of its declaration, or of the first call.
    pub location: Option<Location>,
    /// What was assumed, such as "any result".
    pub effect: String,
}

/// A message about the input, both rendered and in parts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DiagnosticReport {
    pub severity: Severity,
    /// Stable identifier such as `type-mismatch`.
    pub code: String,
    pub message: String,
    /// `None` only for messages about no place in a file.
    pub location: Option<Location>,
    /// Text at the marked place.
    pub label: Option<String>,
    pub hint: Option<String>,
    /// The message with the source line and the mark, as a terminal shows it.
    pub rendered: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Error,
    Warning,
    Note,
}

/// Something that qualifies the verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Warning {
    pub kind: WarningKind,
    pub message: String,
    pub location: Option<Location>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningKind {
    /// A construct was read and type-checked and has no influence on the verdict.
    Ignored,
    /// The entry cannot be completed at all, so the success says little.
    Vacuous,
    /// There was nothing to check.
    NothingChecked,
    /// Anything else.
    Other,
}

/// Statistics of one entry.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EntryStats {
    pub seconds: f64,
    /// The engine that gave the answer, if several ran.
    pub decided_by: Option<String>,
    /// Inferred facts about procedures, and the time that took.
    pub summary_facts: u64,
    pub summary_seconds: f64,
    /// Searches of programs with globals left out, and the time that refinements took.
    pub abstraction_rounds: u64,
    pub refinement_seconds: f64,
    /// Procedure instances in the unfolding.
    pub inlined: u64,
    pub solver_calls: u64,
    pub solver_seconds: f64,
    /// The parts that the search was split into; 0 if it was not.
    #[serde(skip_serializing_if = "is_zero")]
    pub parts: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Statistics of the run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Stats {
    pub read_seconds: f64,
    pub parse_seconds: f64,
    /// Name resolution and type checking.
    pub check_seconds: f64,
    pub lower_seconds: f64,
    pub passes_seconds: f64,
    pub vc_seconds: f64,
    pub solver_seconds: f64,
    pub total_seconds: f64,
    pub inlined: u64,
    pub solver_calls: u64,
    pub peak_memory_bytes: u64,
    pub source_bytes: u64,
    pub source_lines: u64,
}

impl Stats {
    /// From the file to the intermediate representation.
    pub fn front_end_seconds(&self) -> f64 {
        self.read_seconds + self.parse_seconds + self.check_seconds + self.lower_seconds
    }

    /// The speed of the front end in megabytes (10^6 bytes) per second, if it was measurable.
    pub fn megabytes_per_second(&self) -> Option<f64> {
        let seconds = self.front_end_seconds();
        (seconds > 0.0 && self.source_bytes > 0).then(|| self.source_bytes as f64 / 1e6 / seconds)
    }
}
