//! Boogie: text to the intermediate representation.

pub(crate) mod source_terms;

use std::time::Instant;

use lariat_base::{Diagnostics, SourceMap};
use lariat_boogie::{ast, check, check_completing_modifies, parser, printer};
use lariat_ir::{OpenInfo, Program};
use lariat_lower::OpenOptions;
use lariat_report::{
    AngelicRequest, LogStage, LogText, Phase, Progress, ProgressUpdate, VerifyReport, VerifyRequest, Warning,
    WarningKind,
};

use super::read_text;
use crate::rendering;

/// Reads all files as one program, an open one if so asked. `None` if there are errors.
pub fn read<R>(
    request: &VerifyRequest,
    open: Option<&AngelicRequest>,
    progress: &mut dyn FnMut(Progress<R>),
    report: &mut VerifyReport,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Program, Option<OpenInfo>)> {
    let mut at = |phase| {
        progress(Progress::Update(ProgressUpdate {
            phase,
            ..ProgressUpdate::default()
        }))
    };
    at(Phase::Reading);
    let started = Instant::now();
    let mut ids = Vec::new();
    for path in &request.files {
        match read_text(path) {
            Ok(text) => ids.push(sources.add(path, text)),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    if diagnostics.has_errors() {
        return None;
    }
    report.stats.source_bytes = sources.files().map(|(_, file)| file.text.len() as u64).sum();
    report.stats.source_lines = sources.files().map(|(_, file)| file.line_count() as u64).sum();
    report.stats.read_seconds = started.elapsed().as_secs_f64();

    at(Phase::Parsing);
    let started = Instant::now();
    let mut syntax = ast::Program::default();
    for id in ids {
        let (program, found) = parser::parse(sources, id);
        syntax.decls.extend(program.decls);
        diagnostics.extend(found);
    }
    report.stats.parse_seconds = started.elapsed().as_secs_f64();
    if diagnostics.has_errors() {
        return None;
    }

    at(Phase::Checking);
    let started = Instant::now();
    // Verifying is more liberal than checking: programs made for Corral leave `modifies` clauses out.
    let (typed, found) = if request.front_end_only {
        check(&syntax)
    } else {
        check_completing_modifies(&syntax)
    };
    diagnostics.extend(found);
    report.stats.check_seconds = started.elapsed().as_secs_f64();
    let typed = typed?;
    for &(construct, span) in &typed.ignored {
        report.warnings.push(Warning {
            kind: WarningKind::Ignored,
            message: format!("`{construct}` is ignored"),
            location: Some(rendering::location(sources, span)),
        });
    }

    at(Phase::Lowering);
    let started = Instant::now();
    let lowered = match open {
        Some(open) => {
            let options = OpenOptions {
                typestate: open.typestate.clone(),
            };
            lariat_lower::lower_open(&typed, &options)
        }
        None => lariat_lower::lower(&typed),
    };
    report.stats.lower_seconds = started.elapsed().as_secs_f64();
    let program = match lowered {
        Ok(lowered) => {
            diagnostics.extend(lowered.warnings);
            Some((lowered.program, lowered.open))
        }
        Err(errors) => {
            diagnostics.extend(errors);
            None
        }
    };
    if request.log.contains(&LogStage::Boogie) {
        let text = printer::print(&syntax);
        progress(Progress::Log(LogText {
            stage: LogStage::Boogie,
            title: "program".into(),
            text,
        }));
    }
    program
}
