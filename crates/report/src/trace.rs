//! A failing execution as the user follows it: one line per step, calls indented.

use serde::{Deserialize, Serialize};

/// A place in a source file; both numbers start at 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One step of a trace.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TraceLine {
    /// How many calls deep; 0 is the entry. Loops do not indent.
    pub indent: u32,
    pub kind: TraceKind,
    pub location: Option<Location>,
    /// The statement as it is written, on one line, or words for steps that have none.
    pub text: String,
    /// The variables that this step changed, with their new values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Of a condition: whether it was true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<bool>,
    /// Of a `switch`: the label that it goes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// Of a call that has returned: its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The value comes from outside the program.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_input: bool,
    /// The step is in library code, which the user did not write.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_library: bool,
    /// Of a call or return in a trace of the detail `source`: the procedure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<String>,
    /// In a trace of the detail `source`: the label of the block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// Of an execution with several threads: which one, numbered from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A variable, or a map at an index, and its new value.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Change {
    /// As it is written in the source: `x`, `m[3]`.
    pub name: String,
    pub value: String,
    /// A variable of the whole program: it stays when the procedure returns.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_global: bool,
}

/// What a step does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraceKind {
    /// The entry starts; the changes are its parameters and the globals.
    Start,
    /// An assignment, a condition, an assumption, a passed assertion.
    #[default]
    Statement,
    /// A value that the program does not determine was chosen.
    Havoc,
    /// A procedure with a body is entered; what follows is indented by one more.
    Call,
    /// A procedure without a body answers.
    External,
    /// Back in the caller; the changes are the results.
    Return,
    /// The program shows a value (`boogie_si_record_…`): the change is what it calls it (`{:cexpr}`) and the value as a literal.
    Record,
    /// A loop head is passed; the text counts the rounds.
    LoopIteration,
    /// The step that violates the property. Always the last.
    Failure,
    /// Words between steps, such as how much was left out.
    Note,
}
