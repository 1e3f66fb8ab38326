//! Diagnostics: what is wrong with the user's input, where, and what to do.
//!
//! One type for every front end and pass. Rendering to text is here so that every
//! output shows the same thing; only the command-line crate prints it.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::source::{SourceMap, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

/// A message about the user's input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    /// Stable identifier such as `type-mismatch`.
    pub code: &'static str,
    pub message: String,
    /// Where; `None` only for messages about no place in a file (a missing file, say).
    pub span: Option<Span>,
    /// Text at the marked span, usually what was expected there.
    pub label: Option<String>,
    /// Other places that explain the first.
    pub related: Vec<(Span, String)>,
    /// What the user can do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, Some(span), message)
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, Some(span), message)
    }

    /// An error that concerns no place in a source file.
    pub fn global_error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, None, message)
    }

    fn new(severity: Severity, code: &'static str, span: Option<Span>, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            span,
            label: None,
            related: Vec::new(),
            hint: None,
        }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The diagnostic as text for people: message, place, marked source line, hint.
    pub fn render(&self, sources: &SourceMap, color: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(&self.message).id(self.code);
        let paths: Vec<String> = self
            .span
            .iter()
            .chain(self.related.iter().map(|(span, _)| span))
            .map(|&span| sources.path(span).display().to_string())
            .collect();
        let windows: Vec<(&str, usize, std::ops::Range<usize>)> = self
            .span
            .iter()
            .chain(self.related.iter().map(|(span, _)| span))
            .map(|&span| source_window(sources, span))
            .collect();
        let mut group = match self.span {
            Some(_) => {
                let (text, line, range) = &windows[0];
                let mut annotation = AnnotationKind::Primary.span(range.clone());
                if let Some(label) = &self.label {
                    annotation = annotation.label(label);
                }
                let mut group = title.element(
                    Snippet::source(*text)
                        .path(&paths[0])
                        .line_start(*line)
                        .annotation(annotation),
                );
                for (index, (_, label)) in self.related.iter().enumerate() {
                    let (text, line, range) = &windows[index + 1];
                    group = group.element(
                        Snippet::source(*text)
                            .path(&paths[index + 1])
                            .line_start(*line)
                            .annotation(AnnotationKind::Context.span(range.clone()).label(label)),
                    );
                }
                group
            }
            None => Group::with_title(title),
        };
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint));
        }
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.render(&[group])
    }
}

/// The source lines around a span (the renderer need not look at a whole file of
/// megabytes), the number of the first, and the span's range inside them. Over-long
/// lines are cut to the neighbourhood of the span.
fn source_window(sources: &SourceMap, span: Span) -> (&str, usize, std::ops::Range<usize>) {
    const MAX_WIDTH: usize = 400;
    let file = sources.file(span.source);
    let bytes = file.text.as_bytes();
    let start = (span.start as usize).min(bytes.len());
    let mut end = (span.end as usize).clamp(start, bytes.len());
    let (line, _) = file.line_column(start as u32);
    let mut window_start = bytes[..start]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |i| i + 1);
    // A span over several lines is marked on its first.
    let line_end = bytes[start..]
        .iter()
        .position(|&b| b == b'\n')
        .map_or(bytes.len(), |i| start + i);
    end = end.min(line_end);
    if start - window_start > MAX_WIDTH {
        window_start = start - MAX_WIDTH;
    }
    let mut window_end = line_end.min(start + MAX_WIDTH);
    end = end.min(window_end);
    while !file.text.is_char_boundary(window_start) {
        window_start -= 1;
    }
    while !file.text.is_char_boundary(window_end) {
        window_end += 1;
    }
    let mut mark = (start, end);
    while !file.text.is_char_boundary(mark.0) {
        mark.0 -= 1;
    }
    while !file.text.is_char_boundary(mark.1) {
        mark.1 += 1;
    }
    (
        &file.text[window_start..window_end],
        line,
        mark.0 - window_start..mark.1 - window_start,
    )
}

/// Diagnostics in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    pub fn extend(&mut self, other: Diagnostics) {
        self.list.extend(other.list);
    }

    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    pub fn error_count(&self) -> usize {
        self.list
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .count()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_place_line_and_hint() {
        let mut sources = SourceMap::new();
        let id = sources.add("a.bpl", "var x: int;\nvar y: bol;\n");
        let text = Diagnostic::error("unknown-type", Span::new(id, 19, 22), "undeclared type `bol`")
            .label("expected a type")
            .hint("did you mean `bool`?")
            .render(&sources, false);
        for part in [
            "undeclared type `bol`",
            "a.bpl:2:8",
            "var y: bol;",
            "^^^ expected a type",
            "did you mean",
        ] {
            assert!(text.contains(part), "{part:?} is missing in\n{text}");
        }
    }
}
