//! Where things stand in the files.

use std::path::PathBuf;

use lariat_base::{SourceId, Span};

use crate::clang::{Cursor, FileKey, Position};
use crate::session::Session;

impl<'u> Session<'u, '_> {
    /// Where a cursor stands.
    pub fn span(&mut self, cursor: Cursor<'u>) -> Span {
        match cursor.range() {
            Some((start, end)) => self.span_between(start, end),
            None => self.no_span(),
        }
    }

    pub fn span_between(&mut self, start: Position, end: Position) -> Span {
        let source = self.source(start.file);
        let end = crate::text::whole_end(&self.sources.file(source).text, end.offset as usize);
        Span::new(source, start.offset as usize, end)
    }

    /// Of the name of a declaration.
    pub fn name_span(&mut self, cursor: Cursor<'u>) -> Span {
        match cursor.location() {
            Some(start) => {
                let source = self.source(start.file);
                let start = start.offset as usize;
                let name = cursor.spelling();
                let text = &self.sources.file(source).text;
                let length = if text.get(start..start + name.len()) == Some(name.as_str()) {
                    name.len()
                } else {
                    // The name is from a macro, whose use stands here.
                    let is_word = |character: char| character.is_alphanumeric() || character == '_';
                    text.get(start..)
                        .map_or(0, |rest| rest.find(|c| !is_word(c)).unwrap_or(rest.len()))
                };
                Span::new(source, start, start + length)
            }
            None => self.no_span(),
        }
    }

    /// For what has no place in any file, such as a builtin function: the start of the first file.
    fn no_span(&self) -> Span {
        let source = match self.units.first() {
            Some(&(_, _, source)) => source,
            None => SourceId::from_u32(0),
        };
        Span::new(source, 0, 0)
    }

    pub fn source(&mut self, file: FileKey) -> SourceId {
        if let Some(&source) = self.files.get(&file) {
            return source;
        }
        let units = &self.units;
        let Some((unit, _, _)) = units.first() else {
            return SourceId::from_u32(0);
        };
        let path = PathBuf::from(unit.file_name(file));
        let source = match self.paths.get(&path) {
            Some(&source) => source,
            None => {
                let contents = units
                    .iter()
                    .map(|(unit, _, _)| unit.file_contents(file))
                    .find(|contents| !contents.is_empty())
                    .unwrap_or_default();
                let text = crate::text::lossy(contents);
                let source = self.sources.add(&path, text);
                self.paths.insert(path, source);
                source
            }
        };
        self.files.insert(file, source);
        source
    }
}
