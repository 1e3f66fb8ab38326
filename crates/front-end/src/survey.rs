//! What the linker would see of a C file.

use lariat_base::{Diagnostics, SourceMap};
pub use lariat_c_reader::database_files;
use lariat_report::{SurveyReport, SurveyRequest, SurveyedFile, SurveyedSymbol};

use crate::{c, rendering};

/// Looks at one C file without translating it.
pub fn survey(request: &SurveyRequest) -> SurveyReport {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let options = c::read_options(&request.c, &mut diagnostics);
    let mut read = Vec::new();
    let found = options.and_then(|options| {
        lariat_c_reader::survey(&request.file, &options, &mut sources, &mut diagnostics, &mut read)
    });
    SurveyReport {
        read,
        found: found.map(|survey| SurveyedFile {
            fingerprint: survey.fingerprint,
            always_needs: survey.always_needs,
            symbols: survey
                .symbols
                .into_iter()
                .map(|symbol| SurveyedSymbol {
                    location: Some(rendering::location(&sources, symbol.span)),
                    name: symbol.name,
                    is_function: symbol.is_function,
                    is_weak: symbol.is_weak,
                    needs: symbol.needs,
                })
                .collect(),
        }),
        diagnostics: diagnostics
            .iter()
            .map(|diagnostic| rendering::diagnostic(diagnostic, &sources, request.color))
            .collect(),
    }
}
