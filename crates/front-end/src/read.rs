//! Reading: files to the intermediate representation.

use std::path::{Path, PathBuf};

use lariat_base::{Diagnostic, Diagnostics, SourceMap, Span};
use lariat_c_lower::ExternalUse;
use lariat_interp::{PlainWording, Wording};
use lariat_ir::{OpenInfo, Program};
use lariat_report::{
    AngelicRequest, COptions, DiagnosticReport, External, Language, Location, LogStage, LogText, Phase,
    ProcedurePlace, Progress, ProgressUpdate, Stats, VerifyRequest, Warning,
};

use crate::{CSide, boogie, c, rendering};

/// What is read, and how.
#[derive(Clone, Copy, Debug)]
pub struct ReadRequest<'a> {
    /// The files of one program.
    pub files: &'a [PathBuf],
    /// The language of all files. `None`: that of their extensions, or of their text.
    pub language: Option<Language>,
    pub c: &'a COptions,
    /// Functions of C to start from. Empty: `main`.
    pub entries: &'a [String],
    /// Only labels of this name are errors in C, instead of what the options say of labels.
    pub error_label: Option<&'a str>,
    /// Functions of C whose calls stay calls: their bodies and models are left out.
    pub routines: &'a [String],
    /// The program lacks its environment.
    pub open: Option<OpenRequest<'a>>,
    pub log: &'a [LogStage],
    /// Nothing is verified: Boogie must have complete `modifies` clauses, C need not have an entry.
    pub check_only: bool,
}

/// What is asked of a program without its environment.
#[derive(Clone, Copy, Debug)]
pub struct OpenRequest<'a> {
    /// Names of globals that are monitors.
    pub typestate: &'a [String],
    /// Typestate rules: names of shipped ones or files.
    pub rules: &'a [String],
    /// Monitors are in their first states when an entry starts.
    pub monitors_set: bool,
    /// Nothing has run before the entries: globals have their initial values, in C.
    pub is_start: bool,
}

impl<'a> From<&'a VerifyRequest> for ReadRequest<'a> {
    fn from(request: &'a VerifyRequest) -> Self {
        ReadRequest {
            files: &request.files,
            language: request.language,
            c: &request.c,
            entries: &request.entries,
            error_label: None,
            routines: &[],
            open: None,
            log: &request.log,
            check_only: request.front_end_only,
        }
    }
}

impl<'a> From<&'a AngelicRequest> for ReadRequest<'a> {
    fn from(request: &'a AngelicRequest) -> Self {
        let program = ReadRequest::from(&request.program);
        ReadRequest {
            entries: request
                .harness
                .as_ref()
                .map_or(program.entries, std::slice::from_ref),
            open: Some(OpenRequest {
                typestate: &request.typestate,
                rules: &request.rules,
                monitors_set: request.monitors_set,
                is_start: request.harness.is_some(),
            }),
            ..program
        }
    }
}

/// What was read, and what a report says of it.
pub struct Reading {
    /// `None` if there are errors; they are among the diagnostics.
    pub program: Option<FrontEnd>,
    pub diagnostics: Vec<DiagnosticReport>,
    pub warnings: Vec<Warning>,
    pub externals: Vec<External>,
    /// What of C's integers is left out, if anything.
    pub integers: Option<String>,
    /// What a success rests on besides the program.
    pub assumptions: Vec<String>,
    /// The times of reading and the size of the text.
    pub stats: Stats,
}

/// What reading finds out beside the program.
#[derive(Default)]
pub(crate) struct Notes {
    pub warnings: Vec<Warning>,
    pub externals: Vec<ExternalUse>,
    pub integers: Option<String>,
    pub assumptions: Vec<String>,
    pub stats: Stats,
}

/// A program that was read, with its text.
pub struct FrontEnd {
    pub sources: SourceMap,
    pub program: Program,
    /// What is left of C, if it was C.
    pub c: Option<CSide>,
    /// Where the environment comes in, if the program was read as an open one.
    pub open: Option<OpenInfo>,
    /// The words of Boogie.
    pub plain: PlainWording,
}

/// Reads all files as one program; `color` is for the diagnostics.
pub fn read<R>(request: &ReadRequest<'_>, color: bool, progress: &mut dyn FnMut(Progress<R>)) -> Reading {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let mut notes = Notes::default();
    let read = match language(request) {
        Ok(Language::Boogie) => {
            let read = boogie::read(request, progress, &mut notes, &mut sources, &mut diagnostics);
            read.map(|(program, open)| (program, None, open))
        }
        Ok(Language::C) => {
            let read = c::read(request, progress, &mut notes, &mut sources, &mut diagnostics);
            read.map(|(program, side, open)| (program, Some(side), open))
        }
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            None
        }
    };
    if let Some((program, ..)) = &read {
        log(request, progress, LogStage::Ir, "lowered program", || {
            program.text()
        });
    }
    Reading {
        diagnostics: diagnostics
            .iter()
            .map(|diagnostic| rendering::diagnostic(diagnostic, &sources, color))
            .collect(),
        warnings: notes.warnings,
        externals: notes
            .externals
            .into_iter()
            .map(|external| External {
                name: external.name,
                location: Some(rendering::location(&sources, external.span)),
                effect: external.effect,
            })
            .collect(),
        integers: notes.integers,
        assumptions: notes.assumptions,
        stats: notes.stats,
        program: read.map(|(program, c, open)| FrontEnd {
            sources,
            program,
            c,
            open,
            plain: PlainWording::default(),
        }),
    }
}

pub(crate) fn at<R>(progress: &mut dyn FnMut(Progress<R>), phase: Phase) {
    progress(Progress::Update(ProgressUpdate {
        phase,
        ..ProgressUpdate::default()
    }));
}

/// Reports the text of a stage if it was asked for.
pub(crate) fn log<R>(
    request: &ReadRequest<'_>,
    progress: &mut dyn FnMut(Progress<R>),
    stage: LogStage,
    title: &str,
    text: impl FnOnce() -> String,
) {
    if request.log.contains(&stage) {
        progress(Progress::Log(LogText {
            stage,
            title: title.into(),
            text: text(),
        }));
    }
}

impl FrontEnd {
    /// The words of the source language.
    pub fn wording(&self) -> &dyn Wording {
        match &self.c {
            Some(side) => side,
            None => &self.plain,
        }
    }

    /// A place in the form of the report.
    pub fn location(&self, span: Span) -> Location {
        rendering::location(&self.sources, span)
    }

    /// A message in the form of the report.
    pub fn diagnostic(&self, diagnostic: &Diagnostic, color: bool) -> DiagnosticReport {
        rendering::diagnostic(diagnostic, &self.sources, color)
    }

    /// The procedures of the program and where they are, in the order of files and lines.
    pub fn procedures(&self) -> Vec<ProcedurePlace> {
        let mut places: Vec<ProcedurePlace> = self
            .program
            .procs
            .values()
            .filter_map(|proc| {
                Some(ProcedurePlace {
                    name: proc.name.to_string(),
                    location: self.location(proc.span?),
                })
            })
            .collect();
        places.sort_by(|a, b| (&a.location, &a.name).cmp(&(&b.location, &b.name)));
        places.dedup();
        places
    }
}

/// Extensions of C++, which is another language than C.
const CPLUSPLUS: [&str; 12] = [
    "cpp", "cc", "cxx", "c++", "cp", "hpp", "hh", "hxx", "h++", "tcc", "ipp", "ii",
];

/// Whether a file is C++, by its extension; of one that says nothing, by its text.
pub fn is_c_plus_plus(path: &Path) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i" | "h" | "C" | "I" | "bpl") => false,
        Some(extension) if CPLUSPLUS.contains(&extension) => true,
        _ => std::fs::read(path).is_ok_and(|bytes| reads_like_c_plus_plus(&String::from_utf8_lossy(&bytes))),
    }
}

/// Whether a line begins as none of C or Boogie does: with a class, a template, a namespace, or a header without extension.
fn reads_like_c_plus_plus(text: &str) -> bool {
    const WORDS: [&str; 5] = [
        "class ",
        "namespace ",
        "using namespace ",
        "template <",
        "template<",
    ];
    text.lines().map(str::trim_start).any(|line| {
        let header = line.strip_prefix('#').map(str::trim_start);
        let header = header.and_then(|line| line.strip_prefix("include")?.trim_start().strip_prefix('<'));
        let is_header =
            header.is_some_and(|name| name.split_once('>').is_some_and(|(name, _)| !name.contains('.')));
        is_header || WORDS.iter().any(|word| line.starts_with(word))
    })
}

fn language(request: &ReadRequest<'_>) -> Result<Language, Diagnostic> {
    let files = request.files;
    if let Some(language) = request.language {
        return Ok(language);
    }
    if let Some(path) = files.iter().find(|path| is_c_plus_plus(path)) {
        let message = format!("{} is C++, which Lariat does not read", path.display());
        return Err(Diagnostic::global_error("c-plus-plus", message)
            .hint("give C (`.c`, `.i`) or Boogie (`.bpl`) files"));
    }
    let c = files.iter().filter(|path| COptions::is_c_file(path)).count();
    if c == 0 {
        Ok(Language::Boogie)
    } else if c == files.len() {
        Ok(Language::C)
    } else {
        Err(Diagnostic::global_error(
            "mixed-languages",
            "the files of one program must all be C (`.c`, `.i`) or all be Boogie",
        )
        .hint("verify them one after the other, or say which with --language"))
    }
}

/// The text of a file, or what is wrong with it.
pub(crate) fn read_text(path: &Path) -> Result<String, Diagnostic> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| {
        let hint = match error.kind() {
            std::io::ErrorKind::NotFound => "check the path; it is relative to the current directory",
            std::io::ErrorKind::PermissionDenied => "check the permissions of the file",
            _ => "give the path of a Boogie or C file",
        };
        Diagnostic::global_error("unreadable-file", format!("cannot read {name}: {error}")).hint(hint)
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Diagnostic::global_error(
            "not-text",
            format!("{name} is no UTF-8 text (byte {offset} is the first that is not)"),
        )
        .hint("Lariat reads Boogie programs as text; is this the right file?")
    })
}
