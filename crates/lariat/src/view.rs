//! What every output format is given: one view of a report, whichever command it is of.
//!
//! ```text
//! VerifyReport ─┐
//! AngelicReport ├─ Command::view ─> View ─ format::{text, json, sarif, html} ─> standard output, a file
//! ConformReport ┤
//! CoverReport ──┘
//! ```
//!
//! The view has the answer three times over: as data (`data`), as findings (`findings`, for tools) and as a page to read
//! (`blocks`, for people). A format takes the one it needs.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lariat_report::{
    ConformModel, ConformViolation, DiagnosticReport, FailureKind, Location, Specification, TraceLine,
    Verdict, Warning,
};
use serde::Serialize;

/// A report as the formats see it.
pub struct View<'r> {
    /// The name of the command.
    pub command: &'static str,
    pub files: &'r [String],
    /// The answer in a few words, with its tone.
    pub answer: Span,
    /// The report itself.
    pub data: &'r dyn Data,
    /// What is wrong with the input.
    pub diagnostics: &'r [DiagnosticReport],
    /// What qualifies the answer.
    pub warnings: &'r [Warning],
    /// What the run could not do.
    pub obstacles: Vec<Obstacle<'r>>,
    pub findings: Vec<Finding<'r>>,
    /// In the order to read them.
    pub blocks: Vec<Shown<'r>>,
    /// Figures for tools.
    pub properties: serde_json::Value,
    /// What the user may decide.
    pub specs: Option<SpecsSheet<'r>>,
}

impl<'r> View<'r> {
    /// A view with nothing to show yet.
    pub fn new(command: &'static str, files: &'r [String], answer: Span, data: &'r dyn Data) -> View<'r> {
        View {
            command,
            files,
            answer,
            data,
            diagnostics: &[],
            warnings: &[],
            obstacles: Vec::new(),
            findings: Vec::new(),
            blocks: Vec::new(),
            properties: serde_json::Value::Null,
            specs: None,
        }
    }

    /// Adds a block that `-q` hides.
    pub fn add(&mut self, block: Block<'r>) {
        self.show(When::Normal, block);
    }

    pub fn show(&mut self, when: When, block: Block<'r>) {
        self.blocks.push(Shown { when, block });
    }

    /// The verdict on files, without a place.
    pub fn headline(&mut self, verdict: &Verdict, files: &[String], message: String) {
        let headline = Headline {
            verdict: verdict.clone(),
            subject: files.join(" "),
            message,
            id: None,
            location: None,
        };
        self.show(When::Always, Block::Headline(headline));
    }
}

/// A report as JSON.
pub trait Data {
    fn to_json(&self) -> serde_json::Result<String>;
}

impl<T: Serialize> Data for T {
    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}

/// Something that kept the run from a complete answer.
pub struct Obstacle<'r> {
    /// Without it there is hardly an answer.
    pub is_error: bool,
    pub message: String,
    pub location: Option<&'r Location>,
}

/// Something that can go wrong in the program.
pub struct Finding<'r> {
    /// Stable, such as `out-of-bounds`.
    pub rule: String,
    /// What the rule is about.
    pub rule_text: String,
    pub is_error: bool,
    pub message: String,
    pub location: Option<&'r Location>,
    /// Executions that show it.
    pub flows: Vec<Flow<'r>>,
    /// How important it is, up to 100.
    pub rank: Option<u32>,
    /// The same for the same cause in the next run.
    pub fingerprint: Option<&'r str>,
    pub related: Vec<(&'r Location, String)>,
    /// Set if the user need not see it.
    pub suppression: Option<Suppression<'r>>,
    pub properties: serde_json::Value,
}

impl<'r> Finding<'r> {
    pub fn new(kind: FailureKind, message: String, location: Option<&'r Location>) -> Self {
        Finding {
            rule: kind.name().to_owned(),
            rule_text: kind.words().to_owned(),
            is_error: true,
            message,
            location,
            flows: Vec::new(),
            rank: None,
            fingerprint: None,
            related: Vec::new(),
            suppression: None,
            properties: serde_json::Value::Null,
        }
    }
}

/// One execution, or what one component does in it.
pub struct Flow<'r> {
    pub title: Option<String>,
    pub trace: &'r [TraceLine],
    /// Every step, if they are known.
    pub steps: &'r [TraceLine],
}

impl<'r> Flow<'r> {
    /// All lines that it is known by.
    pub fn all(&self) -> impl Iterator<Item = &'r TraceLine> + use<'r> {
        self.trace.iter().chain(self.steps)
    }
}

/// The file of specifications as the run leaves it, to be edited on a page.
pub struct SpecsSheet<'r> {
    pub name: String,
    pub text: String,
    pub specifications: &'r [Specification],
}

/// Why a finding is not reported.
pub struct Suppression<'r> {
    /// In the words of SARIF.
    pub status: &'static str,
    pub justification: String,
    /// The specification that suppresses it.
    pub specification: &'r str,
}

/// A block and who sees it.
pub struct Shown<'r> {
    pub when: When,
    pub block: Block<'r>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Also with `-q`.
    Always,
    Normal,
    /// With `-v`, and on pages.
    Verbose,
    /// Without `-q` and `-v`: short for what `-v` shows in full.
    Brief,
}

/// A part of the answer for people.
pub enum Block<'r> {
    Headline(Headline<'r>),
    /// A finding with its lines of source.
    Alarm(Alarm<'r>),
    /// Starts a part within a headline.
    Heading(String),
    Line(Line),
    List(List),
    Table(Table),
    Trace(Cow<'r, [TraceLine]>),
    /// A message-sequence chart.
    Chart {
        /// The specification, if it watches.
        watching: Option<&'r str>,
        violation: &'r ConformViolation,
    },
    /// A picture of a transition system; for pages.
    Model(&'r ConformModel),
    /// A file with what is known of its lines; for pages.
    Listing(Listing),
    /// From here on it is about the run as a whole, not about the headline before.
    Whole,
    /// An empty line.
    Gap,
}

/// A file and notes on some of its lines.
pub struct Listing {
    pub file: String,
    pub notes: BTreeMap<u32, Note>,
}

pub struct Note {
    pub tone: Tone,
    pub text: String,
}

/// A verdict, what it is about and what it says.
pub struct Headline<'r> {
    pub verdict: Verdict,
    /// The place, the entry or the files.
    pub subject: String,
    pub message: String,
    /// The `{:id}` of the assertion.
    pub id: Option<&'r str>,
    /// A place whose lines of source a page shows.
    pub location: Option<&'r Location>,
}

/// A warning with its place in the source.
pub struct Alarm<'r> {
    pub code: &'static str,
    pub message: String,
    pub location: Option<&'r Location>,
    /// What stands there, if it is known.
    pub expected: Option<&'r str>,
    pub label: Option<&'r str>,
    pub related: Option<(&'r Location, String)>,
}

/// Words in one line, or wrapped if there are too many.
#[derive(Default)]
pub struct Line {
    pub indent: usize,
    pub spans: Vec<Span>,
}

impl Line {
    pub fn new(indent: usize, tone: Tone, text: impl Into<String>) -> Self {
        Line {
            indent,
            spans: vec![Span::new(tone, text)],
        }
    }

    /// `label: text`.
    pub fn labelled(indent: usize, tone: Tone, label: &str, text: impl Into<String>) -> Self {
        Line {
            indent,
            spans: vec![Span::new(tone, format!("{label}:")), Span::new(Tone::Plain, text)],
        }
    }
}

/// Words with a tone. Spans of a line are separated by spaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    pub tone: Tone,
    pub text: String,
}

impl Span {
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        Span {
            tone,
            text: text.into(),
        }
    }

    /// The word for a verdict, in its tone.
    pub fn of_verdict(verdict: &Verdict) -> Self {
        Span::new(Tone::of_verdict(verdict), verdict_word(verdict))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Plain,
    Bold,
    Dim,
    Good,
    Bad,
    Warn,
    /// A bounded verdict.
    Bounded,
    /// A file name with a line.
    Place,
}

impl Tone {
    pub fn of_verdict(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Proved | Verdict::Accepted => Tone::Good,
            Verdict::Bounded { .. } => Tone::Bounded,
            Verdict::Bug | Verdict::BadInput => Tone::Bad,
            Verdict::BugUnconfirmed { .. } | Verdict::Unknown { .. } => Tone::Warn,
        }
    }
}

/// A verdict without its reason: `bounded(3)`, `unknown`.
pub fn verdict_word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Bounded { .. } => verdict.to_string(),
        _ => verdict.word().to_owned(),
    }
}

/// Lines under a title.
pub struct List {
    pub title: String,
    pub items: Vec<Item>,
}

#[derive(Default)]
pub struct Item {
    pub spans: Vec<Span>,
    /// What belongs to it, under a word: `suppresses`. Of many only some are shown.
    pub asides: Option<(&'static str, Vec<String>)>,
    /// For `-v`.
    pub detail: Option<String>,
}

/// Rows of cells.
pub struct Table {
    pub indent: usize,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<String>>,
}

pub struct Column {
    /// Empty if it needs none.
    pub name: &'static str,
    pub tone: Tone,
    pub is_number: bool,
}

impl Column {
    pub const fn text(name: &'static str, tone: Tone) -> Self {
        Column {
            name,
            tone,
            is_number: false,
        }
    }

    pub const fn number(name: &'static str, tone: Tone) -> Self {
        Column {
            name,
            tone,
            is_number: true,
        }
    }
}
