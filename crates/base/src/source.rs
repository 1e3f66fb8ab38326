//! Source files and spans.
//!
//! Invariants: a [`Span`] is a half-open byte range inside one file of the
//! [`SourceMap`] it was made for; line and column numbers start at 1.

use std::path::{Path, PathBuf};

use cranelift_entity::{PrimaryMap, entity_impl};

/// One source file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u32);
entity_impl!(SourceId, "source");

/// A half-open byte range in a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    pub source: SourceId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Span {
            source,
            start: start as u32,
            end: end as u32,
        }
    }

    /// The smallest span that covers both; both must lie in the same file.
    pub fn to(self, end: Span) -> Span {
        debug_assert_eq!(self.source, end.source);
        Span {
            source: self.source,
            start: self.start.min(end.start),
            end: self.end.max(end.end),
        }
    }
}

/// The text of one file with an index of its lines.
#[derive(Debug)]
pub struct SourceFile {
    pub path: PathBuf,
    pub text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(path: PathBuf, text: String) -> Self {
        let line_starts = std::iter::once(0)
            .chain(
                text.bytes()
                    .enumerate()
                    .filter(|&(_, b)| b == b'\n')
                    .map(|(i, _)| i as u32 + 1),
            )
            .collect();
        SourceFile {
            path,
            text,
            line_starts,
        }
    }

    /// Line and column (both from 1, the column in characters) of a byte offset.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self
            .text
            .get(start..end)
            .map_or(1, |text| text.chars().count() + 1);
        (line + 1, column)
    }

    /// The text of a line (from 1) without its line end.
    pub fn line(&self, line: usize) -> &str {
        let Some(&start) = line.checked_sub(1).and_then(|index| self.line_starts.get(index)) else {
            return "";
        };
        let end = self
            .line_starts
            .get(line)
            .map_or(self.text.len(), |&end| end as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }

    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}

/// All files of one run.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: PrimaryMap<SourceId, SourceFile>,
}

impl SourceMap {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> SourceId {
        self.files.push(SourceFile::new(path.into(), text.into()))
    }

    pub fn file(&self, source: SourceId) -> &SourceFile {
        &self.files[source]
    }

    pub fn files(&self) -> impl Iterator<Item = (SourceId, &SourceFile)> {
        self.files.iter()
    }

    pub fn path(&self, span: Span) -> &Path {
        &self.files[span.source].path
    }

    /// The source text that a span covers.
    pub fn snippet(&self, span: Span) -> &str {
        self.files[span.source]
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Line and column (from 1) where a span starts.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        self.files[span.source].line_column(span.start)
    }

    /// `path:line:column` of a span's start.
    pub fn location(&self, span: Span) -> String {
        let (line, column) = self.line_column(span);
        format!("{}:{line}:{column}", self.path(span).display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_start_at_one() {
        let mut map = SourceMap::new();
        let id = map.add("a.bpl", "ab\ncdé f\r\n");
        let file = map.file(id);
        assert_eq!(file.line_column(0), (1, 1));
        assert_eq!(file.line_column(3), (2, 1));
        assert_eq!(file.line_column(8), (2, 5));
        assert_eq!(file.line(2), "cdé f");
        assert_eq!(file.line(99), "");
        assert_eq!(map.location(Span::new(id, 3, 4)), "a.bpl:2:1");
    }
}
