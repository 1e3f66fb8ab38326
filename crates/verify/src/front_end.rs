//! Reading: files to the intermediate representation.

pub(crate) mod boogie;
pub(crate) mod c;

use std::path::Path;

use lariat_base::{Diagnostic, Diagnostics, SourceMap};
use lariat_interp::{PlainWording, Wording};
use lariat_ir::{OpenInfo, Program};
use lariat_report::{AngelicRequest, LogStage, LogText, Progress, VerifyReport, VerifyRequest};

pub use self::c::CSide;
use crate::rendering;

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

impl FrontEnd {
    /// Reads all files as one program. `None` if there are errors; they are in the report.
    pub fn read<R>(
        request: &VerifyRequest,
        progress: &mut dyn FnMut(Progress<R>),
        report: &mut VerifyReport,
    ) -> Option<FrontEnd> {
        Self::read_as(request, None, progress, report)
    }

    /// Reads all files as one open program. `None` if there are errors; they are in the report.
    pub fn read_open<R>(
        request: &AngelicRequest,
        progress: &mut dyn FnMut(Progress<R>),
        report: &mut VerifyReport,
    ) -> Option<FrontEnd> {
        Self::read_as(&request.program, Some(request), progress, report)
    }

    fn read_as<R>(
        request: &VerifyRequest,
        open: Option<&AngelicRequest>,
        progress: &mut dyn FnMut(Progress<R>),
        report: &mut VerifyReport,
    ) -> Option<FrontEnd> {
        let mut sources = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let read = match language(request) {
            Ok(Language::Boogie) => {
                boogie::read(request, open, progress, report, &mut sources, &mut diagnostics)
                    .map(|(program, info)| (program, None, info))
            }
            Ok(Language::C) => c::read(request, open, progress, report, &mut sources, &mut diagnostics).map(
                |(program, side, info)| {
                    let info = info.map(|info| OpenInfo {
                        pointers: Some(side.pointers()),
                        ..info
                    });
                    (program, Some(side), info)
                },
            ),
            Err(diagnostic) => {
                diagnostics.push(diagnostic);
                None
            }
        };
        for diagnostic in diagnostics.iter() {
            report
                .diagnostics
                .push(rendering::diagnostic(diagnostic, &sources, request.color));
        }
        let (program, c, open) = read?;
        if request.log.contains(&LogStage::Ir) {
            progress(Progress::Log(LogText {
                stage: LogStage::Ir,
                title: "lowered program".into(),
                text: program.text(),
            }));
        }
        Some(FrontEnd {
            sources,
            program,
            c,
            open,
            plain: PlainWording::default(),
        })
    }

    /// The words of the source language.
    pub fn wording(&self) -> &dyn Wording {
        match &self.c {
            Some(side) => side,
            None => &self.plain,
        }
    }
}

enum Language {
    Boogie,
    C,
}

/// C if the names end so, else Boogie.
fn language(request: &VerifyRequest) -> Result<Language, Diagnostic> {
    let is_c = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("c" | "i" | "h" | "C" | "I"))
    };
    let c = request.files.iter().filter(|path| is_c(path)).count();
    if c == 0 {
        Ok(Language::Boogie)
    } else if c == request.files.len() {
        Ok(Language::C)
    } else {
        Err(Diagnostic::global_error(
            "mixed-languages",
            "the files of one program must all be C (`.c`, `.i`) or all be Boogie",
        )
        .hint("verify them one after the other"))
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
