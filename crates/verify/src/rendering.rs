//! Places, diagnostics and traces in the form of the report.

use lariat_base::{Diagnostic, Severity, SourceMap, Span};
use lariat_interp::LineKind;
use lariat_report::{Change, DiagnosticReport, Location, TraceKind, TraceLine};

pub fn location(sources: &SourceMap, span: Span) -> Location {
    let (line, column) = sources.line_column(span);
    Location {
        file: sources.path(span).display().to_string(),
        line: line as u32,
        column: column as u32,
    }
}

pub fn diagnostic(diagnostic: &Diagnostic, sources: &SourceMap, color: bool) -> DiagnosticReport {
    DiagnosticReport {
        severity: match diagnostic.severity {
            Severity::Error => lariat_report::Severity::Error,
            Severity::Warning => lariat_report::Severity::Warning,
            Severity::Note => lariat_report::Severity::Note,
        },
        code: diagnostic.code.into(),
        message: diagnostic.message.clone(),
        location: diagnostic.span.map(|span| location(sources, span)),
        label: diagnostic.label.clone(),
        hint: diagnostic.hint.clone(),
        rendered: diagnostic.render(sources, color),
    }
}

pub fn trace_line(line: lariat_interp::TraceLine) -> TraceLine {
    TraceLine {
        indent: line.indent,
        kind: match line.kind {
            LineKind::Start => TraceKind::Start,
            LineKind::Statement | LineKind::Assume | LineKind::Guard { .. } => TraceKind::Statement,
            LineKind::Call => TraceKind::Call,
            LineKind::Return => TraceKind::Return,
            LineKind::Collapsed | LineKind::Elided | LineKind::End => TraceKind::Note,
            LineKind::Failure => TraceKind::Failure,
        },
        location: line.file.map(|file| Location {
            file,
            line: line.line.unwrap_or(1),
            column: line.column.unwrap_or(1),
        }),
        text: line.text,
        changes: line
            .changes
            .into_iter()
            .map(|(name, value)| Change { name, value })
            .collect(),
    }
}
