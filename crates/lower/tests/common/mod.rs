//! Lowers program text for the tests.

use lariat_base::SourceMap;
use lariat_ir::{Stage, validate};
use lariat_lower::Lowered;

/// Parses, checks, lowers and validates; panics with the messages if a stage refuses.
pub fn lower(text: &str) -> Lowered {
    match try_lower(text) {
        Ok(lowered) => lowered,
        Err(message) => panic!("{message}"),
    }
}

pub fn try_lower(text: &str) -> Result<Lowered, String> {
    let mut sources = SourceMap::new();
    let id = sources.add("test.bpl", text);
    let render = |diagnostics: &lariat_base::Diagnostics| -> String {
        diagnostics.iter().map(|diagnostic| diagnostic.render(&sources, false) + "\n").collect()
    };
    let (parsed, diagnostics) = lariat_boogie::parser::parse(&sources, id);
    if diagnostics.has_errors() {
        return Err(render(&diagnostics));
    }
    let (typed, diagnostics) = lariat_boogie::check(&parsed);
    let Some(typed) = typed else {
        return Err(render(&diagnostics));
    };
    let lowered = lariat_lower::lower(&typed).map_err(|errors| render(&errors))?;
    validate(&lowered.program, Stage::Lowered).map_err(|violation| violation.to_string())?;
    Ok(lowered)
}
