//! Places and diagnostics of the front ends in the form of the report.

use lariat_base::{Diagnostic, Severity, SourceMap, Span};

use crate::{DiagnosticReport, Location};

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
            Severity::Error => crate::Severity::Error,
            Severity::Warning => crate::Severity::Warning,
            Severity::Note => crate::Severity::Note,
        },
        code: diagnostic.code.into(),
        message: diagnostic.message.clone(),
        location: diagnostic.span.map(|span| location(sources, span)),
        label: diagnostic.label.clone(),
        hint: diagnostic.hint.clone(),
        rendered: diagnostic.render(sources, color),
    }
}
