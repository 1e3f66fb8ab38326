//! The lines of the program that a report is about.

use std::collections::BTreeMap;

use lariat_base::{SourceId, SourceMap, Span};
use lariat_report::Location;

/// Files, read when they are needed.
#[derive(Default)]
pub struct Sources {
    map: SourceMap,
    /// `None` for files that cannot be read any more.
    ids: BTreeMap<String, Option<SourceId>>,
}

impl Sources {
    fn id(&mut self, file: &str) -> Option<SourceId> {
        if let Some(id) = self.ids.get(file) {
            return *id;
        }
        let text = std::fs::read_to_string(file).ok();
        let id = text.map(|text| self.map.add(file, text));
        self.ids.insert(file.to_owned(), id);
        id
    }

    /// The text of a file; `None` if it cannot be read any more.
    pub fn text(&mut self, file: &str) -> Option<&str> {
        let id = self.id(file)?;
        Some(&self.map.file(id).text)
    }

    /// The line of a place and `context` lines before and after it, with their numbers; nothing if the file cannot be read
    /// any more or has no such line.
    pub fn lines_around(&mut self, place: &Location, context: u32) -> Vec<(u32, String)> {
        let Some(id) = self.id(&place.file) else {
            return Vec::new();
        };
        let first = place.line.saturating_sub(context).max(1);
        let lines = (1..).zip(self.map.file(id).text.lines());
        let lines: Vec<(u32, String)> = lines
            .skip_while(|(number, _)| *number < first)
            .take_while(|(number, _)| *number <= place.line.saturating_add(context))
            .map(|(number, line)| (number, line.to_owned()))
            .collect();
        match lines.iter().any(|(number, _)| *number == place.line) {
            true => lines,
            false => Vec::new(),
        }
    }

    /// The place as a span over the text there, which is `expected` if that is known; `None` if the file cannot be
    /// read any more or has no such line.
    pub fn span(&mut self, place: &Location, expected: Option<&str>) -> Option<Span> {
        let id = self.id(&place.file)?;
        let text = &self.map.file(id).text;
        let line_index = usize::try_from(place.line).ok()?.checked_sub(1)?;
        let mut lines = text.split_inclusive('\n');
        let before: usize = lines.by_ref().take(line_index).map(str::len).sum();
        let line = lines.next()?;
        let column = usize::try_from(place.column).ok()?.saturating_sub(1);
        let from = line
            .char_indices()
            .nth(column)
            .map_or(line.len(), |(index, _)| index);
        let start = before + from;
        let rest = &line[from..];
        let length = match expected {
            Some(expected) if rest.starts_with(expected) => expected.len(),
            _ => marked(rest),
        };
        Some(Span::new(id, start, start + length))
    }

    pub fn map(&self) -> &SourceMap {
        &self.map
    }
}

/// How much of the rest of a line to mark: an assertion up to its end, else a word or a character.
fn marked(rest: &str) -> usize {
    if rest.starts_with("assert") {
        let end = rest.find(';').unwrap_or(rest.len());
        return rest[..end].trim_end().len();
    }
    let word = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    if word > 0 {
        return word;
    }
    rest.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_assertions_are_marked() {
        assert_eq!(marked("assert x != NULL; // why"), 16);
        assert_eq!(marked("dev->lock = 1;"), 3);
        assert_eq!(marked("*p = 1;"), 1);
        assert_eq!(marked(""), 0);
    }

    #[test]
    fn a_place_that_is_gone_has_no_span() {
        let mut sources = Sources::default();
        let place = Location {
            file: "/nowhere/at all.c".to_owned(),
            line: 3,
            column: 1,
        };
        assert!(sources.span(&place, None).is_none());
        assert!(sources.span(&place, None).is_none());
    }
}
