//! Reading a table of a TOML file: typed values, and diagnostics at the places of what is wrong.
//!
//! Every key that is asked for counts as known; [`Section::finish`] complains about the others. So there is no second
//! list of keys.

use std::ops::Range;
use std::time::Duration;

use lariat_base::{Diagnostic, SourceId, SourceMap, Span};
use toml_edit::{Document, Item, TableLike, Value};

use crate::units::{parse_duration, parse_size};

/// A TOML file that is being read, and what is wrong with it.
pub struct TomlFile {
    sources: SourceMap,
    source: SourceId,
    diagnostics: Vec<Diagnostic>,
}

impl TomlFile {
    /// Reads `text`, which stands in the file `path`; the error is a text for the user, with its own labels.
    pub fn read<T>(
        path: &std::path::Path,
        text: &str,
        read: impl FnOnce(&mut Section<'_, '_>) -> T,
    ) -> Result<T, String> {
        let mut sources = SourceMap::new();
        let source = sources.add(path, text);
        let mut file = TomlFile {
            sources,
            source,
            diagnostics: Vec::new(),
        };
        let value = match Document::parse(text) {
            Ok(document) => {
                let mut section = Section {
                    file: &mut file,
                    table: document.as_table(),
                    name: String::new(),
                    known: Vec::new(),
                };
                let value = read(&mut section);
                section.finish();
                Some(value)
            }
            Err(error) => {
                let place = error.span().unwrap_or(0..0);
                file.complain("toml", place, error.message().trim().to_owned(), None);
                None
            }
        };
        match value {
            Some(value) if file.diagnostics.is_empty() => Ok(value),
            _ => Err(file.rendered()),
        }
    }

    fn complain(&mut self, code: &'static str, place: Range<usize>, message: String, hint: Option<String>) {
        let span = Span::new(self.source, place.start, place.end);
        let diagnostic = Diagnostic::error(code, span, message);
        self.diagnostics.push(match hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        });
    }

    /// In the order of the file, with colours; they are removed again where they are not wanted.
    fn rendered(&mut self) -> String {
        self.diagnostics
            .sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
        let texts: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&self.sources, true))
            .collect();
        texts.join("\n\n")
    }
}

/// A table that is being read.
pub struct Section<'f, 'd> {
    file: &'f mut TomlFile,
    table: &'d dyn TableLike,
    /// With its dots; empty for the file itself.
    name: String,
    known: Vec<&'static str>,
}

impl<'d> Section<'_, 'd> {
    fn get(&mut self, key: &'static str) -> Option<&'d Item> {
        self.known.push(key);
        self.table.get(key)
    }

    /// Reads the table `key`, if there is one.
    pub fn section<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Section<'_, 'd>) -> T,
    ) -> Option<T> {
        let item = self.get(key)?;
        let Some(table) = item.as_table_like() else {
            self.expect(key, item.span(), "a table");
            return None;
        };
        let name = if self.name.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.name)
        };
        let mut section = Section {
            file: self.file,
            table,
            name,
            known: Vec::new(),
        };
        let value = read(&mut section);
        section.finish();
        Some(value)
    }

    pub fn boolean(&mut self, key: &'static str) -> Option<bool> {
        self.value(key, "`true` or `false`", |value| {
            value.as_bool().ok_or_else(String::new)
        })
    }

    pub fn text(&mut self, key: &'static str) -> Option<String> {
        self.value(key, "a text", |value| {
            value.as_str().map(str::to_owned).ok_or_else(String::new)
        })
    }

    /// A number of at least `least`.
    pub fn number(&mut self, key: &'static str, least: u32) -> Option<u32> {
        let expected = format!("a number from {least} on");
        self.value(key, &expected, |value| {
            let number = value.as_integer().and_then(|number| u32::try_from(number).ok());
            number.filter(|&number| number >= least).ok_or_else(String::new)
        })
    }

    pub fn duration(&mut self, key: &'static str) -> Option<Duration> {
        self.value(
            key,
            "a time: seconds, or a text such as \"1m30s\"",
            |value| match (value.as_str(), value.as_float(), value.as_integer()) {
                (Some(text), _, _) => parse_duration(text),
                (_, Some(seconds), _) => Duration::try_from_secs_f64(seconds).map_err(|_| String::new()),
                (_, _, Some(seconds)) => u64::try_from(seconds)
                    .map(Duration::from_secs)
                    .map_err(|_| String::new()),
                _ => Err(String::new()),
            },
        )
    }

    pub fn size(&mut self, key: &'static str) -> Option<u64> {
        self.value(key, "a size such as \"512M\" or \"4G\"", |value| {
            value.as_str().map_or_else(|| Err(String::new()), parse_size)
        })
    }

    /// One of the named values.
    pub fn choice<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> Option<T> {
        let item = self.get(key)?;
        let text = item.as_value().and_then(|value| value.as_str());
        self.chosen(key, item.span(), text, choices)
    }

    /// A list of named values.
    pub fn choices<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> Option<Vec<T>> {
        let elements = self.elements(key)?;
        let chosen = elements
            .iter()
            .map(|value| self.chosen(key, value.span(), value.as_str(), choices));
        chosen.collect()
    }

    /// A list of texts.
    pub fn texts(&mut self, key: &'static str) -> Option<Vec<String>> {
        let elements = self.elements(key)?;
        let mut texts = Vec::new();
        for value in elements {
            match value.as_str() {
                Some(text) => texts.push(text.to_owned()),
                None => self.expect(key, value.span(), "a list of texts"),
            }
        }
        Some(texts)
    }

    fn elements(&mut self, key: &'static str) -> Option<Vec<&'d Value>> {
        let item = self.get(key)?;
        match item.as_value().and_then(Value::as_array) {
            Some(array) => Some(array.iter().collect()),
            None => {
                self.expect(key, item.span(), "a list, in brackets");
                None
            }
        }
    }

    fn chosen<T: Copy>(
        &mut self,
        key: &str,
        place: Option<Range<usize>>,
        text: Option<&str>,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let found = choices.iter().find(|(name, _)| Some(*name) == text);
        if let Some((_, value)) = found {
            return Some(*value);
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let hint = match text.and_then(|text| closest(text, &names)) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("one of {}", quoted(&names)),
        };
        let message = match text {
            Some(text) => format!("`{text}` is nothing that `{key}` can be"),
            None => format!("`{key}` must be a text"),
        };
        let place = place.unwrap_or(0..0);
        self.file.complain("setting", place, message, Some(hint));
        None
    }

    /// `read` gives what is wrong, or an empty text if it is what was `expected` that is missing.
    fn value<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Option<T> {
        let item = self.get(key)?;
        let error = match item.as_value().map(read) {
            Some(Ok(value)) => return Some(value),
            Some(Err(error)) => error,
            None => String::new(),
        };
        if error.is_empty() {
            self.expect(key, item.span(), expected);
        } else {
            let place = item.span().unwrap_or(0..0);
            self.file.complain("setting", place, error, None);
        }
        None
    }

    fn expect(&mut self, key: &str, place: Option<Range<usize>>, expected: &str) {
        let message = format!("`{key}` must be {expected}");
        let place = place.unwrap_or(0..0);
        self.file.complain("setting", place, message, None);
    }

    /// Complains about keys that nobody has asked for.
    fn finish(self) {
        for (name, item) in self.table.iter() {
            if self.known.contains(&name) {
                continue;
            }
            let key = self.table.key(name).and_then(toml_edit::Key::span);
            let place = key.or_else(|| item.span()).unwrap_or(0..0);
            let message = match (self.name.as_str(), item.is_table()) {
                ("", true) => format!("there is no section `[{name}]`"),
                ("", false) => format!("there is no setting `{name}` outside of a section"),
                (section, _) => format!("there is no setting `{name}` in `[{section}]`"),
            };
            let hint = match closest(name, &self.known) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("there are {}", quoted(&self.known)),
            };
            self.file.complain("unknown-setting", place, message, Some(hint));
        }
    }
}

/// The name that is meant, most likely.
fn closest<'n>(wrong: &str, names: &[&'n str]) -> Option<&'n str> {
    let wrong = wrong.to_lowercase().replace('_', "-");
    let tolerated = (wrong.chars().count() / 3).clamp(1, 3);
    let distances = names
        .iter()
        .map(|name| (strsim::osa_distance(&wrong, name), *name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= tolerated).then_some(name)
}

fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
