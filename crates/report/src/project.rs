//! Whole projects: what a file defines and needs, and the report on all entries.

use std::path::PathBuf;

use lariat_options::COptions;
use serde::{Deserialize, Serialize};

use crate::{DiagnosticReport, Location, SCHEMA_VERSION, Verdict, VerifyReport, Warning};

/// What the linker would see of one C file is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SurveyRequest {
    pub file: PathBuf,
    pub c: COptions,
    /// Render diagnostics with terminal colours.
    pub color: bool,
}

/// The answer to a [`SurveyRequest`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SurveyReport {
    /// `None` if the file cannot be read.
    pub found: Option<SurveyedFile>,
    /// The files that were read: the file itself and its headers, without Lariat's own.
    pub read: Vec<String>,
    /// What is wrong with the file.
    pub diagnostics: Vec<DiagnosticReport>,
}

/// What the linker would see of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SurveyedFile {
    /// Of everything that is read for it: its text and that of the headers.
    pub fingerprint: String,
    /// What it defines for other files, in the order of its text.
    pub symbols: Vec<SurveyedSymbol>,
    /// What its constructors and destructors need: they run although nothing calls them.
    pub always_needs: Vec<String>,
}

/// A function or variable that other files can name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SurveyedSymbol {
    pub name: String,
    pub is_function: bool,
    /// It gives way to an ordinary definition of another file.
    pub is_weak: bool,
    pub location: Option<Location>,
    /// The symbols that it names, itself or through what only its file sees.
    pub needs: Vec<String>,
}

/// What an entry belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProjectPart {
    /// It is the `main` of a program.
    Program,
    /// Others call it.
    Library,
}

/// One entry of a project and its verdict.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProjectEntry {
    pub entry: String,
    /// The file that defines it.
    pub file: String,
    pub part: ProjectPart,
    /// Of everything that the verdict depends on.
    pub fingerprint: String,
    /// The verdict is that of an earlier run.
    #[serde(default)]
    pub reused: bool,
    pub report: VerifyReport,
}

/// The verdicts on a whole project.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProjectReport {
    pub schema_version: u32,
    /// The files of the project.
    pub files: Vec<String>,
    /// The worst news among the entries; bad input only if nothing could be verified.
    pub verdict: Verdict,
    /// Programs first, in the order of files and lines.
    pub entries: Vec<ProjectEntry>,
    /// Entries that the run did not come to.
    pub missing: Vec<String>,
    /// Files that cannot be read.
    pub unreadable: Vec<String>,
    pub diagnostics: Vec<DiagnosticReport>,
    pub warnings: Vec<Warning>,
    pub seconds: f64,
}

impl ProjectReport {
    /// A report on nothing yet.
    pub fn new(files: Vec<String>) -> Self {
        ProjectReport {
            schema_version: SCHEMA_VERSION,
            files,
            verdict: Verdict::BadInput,
            entries: Vec::new(),
            missing: Vec::new(),
            unreadable: Vec::new(),
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            seconds: 0.0,
        }
    }
}
