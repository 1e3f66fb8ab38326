//! Files and library to a lowered program.

use std::path::Path;

use lariat_base::{Diagnostic, Diagnostics, SourceMap};
use lariat_boogie::{ast, check, check_completing_modifies, parser, typed};
use lariat_lower::{Lowered, ModularOptions, lower_modular};

use crate::flags::{Flags, Inlining};

/// What `-lib` adds.
const LIBRARY: &str = include_str!("library/base.bpl");

/// Where reading ended.
pub enum Stopped {
    /// A file that cannot be read.
    File(String),
    Parsing(Diagnostics),
    /// Names and types.
    Checking(Diagnostics),
    /// What Lariat cannot represent.
    Lowering(Diagnostics),
}

pub struct ReadProgram {
    pub typed: typed::Program,
    pub lowered: Lowered,
}

/// Reads everything as one program.
pub fn read(flags: &Flags, sources: &mut SourceMap) -> Result<ReadProgram, Stopped> {
    let mut ids = Vec::new();
    for file in &flags.files {
        let text = std::fs::read(Path::new(file))
            .map_err(|error| Stopped::File(format!("Error opening file \"{file}\": {error}")))?;
        ids.push(sources.add(file.as_str(), String::from_utf8_lossy(&text).into_owned()));
    }
    let mut syntax = ast::Program::default();
    let mut errors = Diagnostics::new();
    if flags.library {
        let library = sources.add("<library>", LIBRARY);
        let (program, found) = parser::parse(sources, library);
        syntax.decls.extend(program.decls);
        errors.extend(found);
    }
    for (number, id) in ids.into_iter().enumerate() {
        let (program, found) = parser::parse_file(sources, id, number);
        syntax.decls.extend(program.decls);
        errors.extend(found);
    }
    if errors.has_errors() {
        return Err(Stopped::Parsing(errors));
    }
    let (typed, found) = match flags.infer_modifies {
        true => check_completing_modifies(&syntax),
        false => check(&syntax),
    };
    let Some(typed) = typed else {
        return Err(Stopped::Checking(found));
    };
    let options = ModularOptions {
        inline: flags.inlining != Inlining::None,
        inline_all: flags.inline_depth.filter(|_| flags.contract_infer),
    };
    match lower_modular(&typed, options) {
        Ok(lowered) => Ok(ReadProgram { typed, lowered }),
        Err(errors) => Err(Stopped::Lowering(errors)),
    }
}

/// The errors among diagnostics.
pub fn errors(diagnostics: &Diagnostics) -> impl Iterator<Item = &Diagnostic> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == lariat_base::Severity::Error)
}
