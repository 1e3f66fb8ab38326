//! What clang says about the files, as diagnostics.

use lariat_base::{Diagnostic, Span};

use crate::clang::{Level, Message, Unit};
use crate::flags::is_compiler_header;
use crate::session::Session;

/// So many errors are shown for a file.
const MOST_ERRORS: usize = 20;

impl Session<'_, '_> {
    /// Reports clang's errors in a unit; its warnings are not ours to give.
    pub fn report_messages(&mut self, unit: &Unit<'_>) {
        let errors = unit.messages().into_iter().filter(|message| {
            let file = message.start.map(|start| unit.file_name(start.file));
            let is_foreign = file.is_some_and(|file| is_compiler_header(&file));
            // What is wrong in a compiler's own header matters only where it is used.
            message.level == Level::Error && (!is_foreign || message.text.contains("file not found"))
        });
        for message in errors.take(MOST_ERRORS) {
            let diagnostic = self.diagnostic(&message);
            self.diagnostics.push(diagnostic);
        }
    }

    fn diagnostic(&mut self, message: &Message) -> Diagnostic {
        let mut diagnostic = match self.message_span(message) {
            Some(span) => Diagnostic::error("c-error", span, &message.text),
            None => Diagnostic::global_error("c-error", &message.text),
        };
        for note in &message.notes {
            if let Some(span) = self.message_span(note) {
                diagnostic = diagnostic.related(span, &note.text);
            }
        }
        match hint(&message.text) {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }

    fn message_span(&mut self, message: &Message) -> Option<Span> {
        let start = message.start?;
        match message.end {
            Some(end) => Some(self.span_between(start, end)),
            None => {
                let source = self.source(start.file);
                let text = &self.sources.file(source).text;
                let at = start.offset as usize;
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let rest = text.as_bytes().get(at..).unwrap_or_default();
                let length = rest.iter().take_while(|byte| is_word(byte)).count().max(1);
                Some(Span::new(source, at, (at + length).min(text.len())))
            }
        }
    }
}

/// What the user can do about some of clang's errors.
fn hint(text: &str) -> Option<&'static str> {
    if text.contains("file not found") {
        return Some(
            "give the header's folder with -I; headers of the system come with the package libc6-dev (or its like)",
        );
    }
    if text.contains("bracket nesting level") {
        return Some("split the expression");
    }
    if text.contains("use of undeclared identifier") || text.contains("unknown type name") {
        return Some("a missing declaration may be in a header, or a macro may have to be given with -D");
    }
    if text.contains("invalid value") && text.contains("-std=") {
        return Some("a standard is named like c99, c11, gnu11 or gnu17");
    }
    None
}
