//! Boogie: text to the intermediate representation.

pub mod source_terms;

use std::time::Instant;

use lariat_base::{Diagnostics, SourceMap};
use lariat_boogie::{ast, check, check_completing_modifies, parser, printer};
use lariat_ir::{OpenInfo, Program};
use lariat_lower::OpenOptions;
use lariat_report::{LogStage, Phase, Progress, Warning, WarningKind};

use crate::read::{Notes, ReadRequest, at, log, read_text};
use crate::rendering;

/// Reads all files as one program, an open one if so asked. `None` if there are errors.
pub fn read<R>(
    request: &ReadRequest<'_>,
    progress: &mut dyn FnMut(Progress<R>),
    notes: &mut Notes,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Program, Option<OpenInfo>)> {
    at(progress, Phase::Reading);
    let started = Instant::now();
    let mut ids = Vec::new();
    for path in request.files {
        match read_text(path) {
            Ok(text) => ids.push(sources.add(path, text)),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    if diagnostics.has_errors() {
        return None;
    }
    notes.stats.source_bytes = sources.files().map(|(_, file)| file.text.len() as u64).sum();
    notes.stats.source_lines = sources.files().map(|(_, file)| file.line_count() as u64).sum();
    notes.stats.read_seconds = started.elapsed().as_secs_f64();

    at(progress, Phase::Parsing);
    let started = Instant::now();
    let mut syntax = ast::Program::default();
    for (number, id) in ids.into_iter().enumerate() {
        let (program, found) = parser::parse_file(sources, id, number);
        syntax.decls.extend(program.decls);
        diagnostics.extend(found);
    }
    notes.stats.parse_seconds = started.elapsed().as_secs_f64();
    if diagnostics.has_errors() {
        return None;
    }

    let mut added = lariat_boogie_rules::Added::default();
    if let Some(open) = request.open {
        added =
            lariat_boogie_rules::instrument(&mut syntax, open.rules, open.monitors_set, sources, diagnostics);
        added.monitors.extend(open.typestate.iter().cloned());
    }
    if diagnostics.has_errors() {
        return None;
    }

    at(progress, Phase::Checking);
    let started = Instant::now();
    // Verifying is more liberal than checking: programs made for Corral leave `modifies` clauses out.
    let (typed, found) = if request.check_only {
        check(&syntax)
    } else {
        check_completing_modifies(&syntax)
    };
    diagnostics.extend(found);
    notes.stats.check_seconds = started.elapsed().as_secs_f64();
    let typed = typed?;
    for &(construct, span) in &typed.ignored {
        notes.warnings.push(Warning {
            kind: WarningKind::Ignored,
            message: format!("`{construct}` is ignored"),
            location: Some(rendering::location(sources, span)),
        });
    }

    at(progress, Phase::Lowering);
    let started = Instant::now();
    let lowered = match request.open {
        Some(_) => {
            let options = OpenOptions {
                typestate: added.monitors,
            };
            lariat_lower::lower_open(&typed, &options)
        }
        None => lariat_lower::lower(&typed),
    };
    notes.stats.lower_seconds = started.elapsed().as_secs_f64();
    let program = match lowered {
        Ok(mut lowered) => {
            if let Some(open) = &mut lowered.open {
                let is_added = |name: &str| added.procedures.iter().any(|procedure| procedure == name);
                open.entries.retain(|entry| !is_added(&entry.name));
            }
            diagnostics.extend(lowered.warnings);
            Some((lowered.program, lowered.open))
        }
        Err(errors) => {
            diagnostics.extend(errors);
            None
        }
    };
    log(request, progress, LogStage::Boogie, "program", || {
        printer::print(&syntax)
    });
    program
}
