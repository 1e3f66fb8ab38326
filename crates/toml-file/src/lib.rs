//! text ─ **toml-file** ─> typed values, or diagnostics with places and hints
//!
//! Settings, project files, rules and files of specifications are TOML that users write. All of them are read here.
//!
//! Invariants:
//! - Every key that is asked for is a known key; [`read`] reports the others when a table has been read. So there is no
//!   second list of keys.
//! - A value of another type than the one asked for is reported once and then treated as missing.
//! - Diagnostics come in the order of their places.

use std::fmt::Display;
use std::ops::Range;

use lariat_base::{Diagnostic, Diagnostics, Severity, SourceId, Span, names};
use toml_edit::{Document, Item, TableLike, Value};

/// What the messages about one kind of file have in common: the stable codes of their diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct FileKind {
    /// Not TOML.
    pub syntax: &'static str,
    pub syntax_hint: &'static str,
    /// An unknown key.
    pub key: &'static str,
    /// Whether an unknown key is an error or only a warning.
    pub key_severity: Severity,
    /// A value of the wrong type or outside of its range.
    pub value: &'static str,
    /// A key or a table that must be there.
    pub missing: &'static str,
}

/// A text with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    pub text: String,
    pub span: Span,
}

/// What a key stands for on a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Words {
    Flag(bool),
    List(Vec<String>),
}

/// Reads the text of a file. `None` if it is not TOML; all other errors are in the diagnostics only.
pub fn read<T>(
    kind: FileKind,
    source: SourceId,
    text: &str,
    diagnostics: &mut Diagnostics,
    read: impl FnOnce(&mut Section<'_, '_>) -> T,
) -> Option<T> {
    let mut file = File {
        kind,
        source,
        text: text.to_owned(),
        found: Vec::new(),
    };
    let value = match Document::parse(text) {
        Ok(document) => {
            let start = file.span(Some(0..text.len().min(1)));
            Some(file.section(document.as_table(), String::new(), start, read))
        }
        Err(error) => {
            let span = file.span(error.span());
            let message = error.message().trim().replace('\n', ", ");
            let diagnostic = Diagnostic::error(kind.syntax, span, message);
            file.found.push(diagnostic.hint(kind.syntax_hint));
            None
        }
    };
    file.found
        .sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    for diagnostic in file.found {
        diagnostics.push(diagnostic);
    }
    value
}

/// The file that is being read, and what is wrong with it.
struct File {
    kind: FileKind,
    source: SourceId,
    text: String,
    found: Vec<Diagnostic>,
}

impl File {
    fn span(&self, range: Option<Range<usize>>) -> Span {
        let range = range.unwrap_or(0..0);
        Span::new(self.source, range.start, range.end)
    }

    /// Reads a table, then reports its unknown keys.
    fn section<'d, T>(
        &mut self,
        table: &'d dyn TableLike,
        name: String,
        span: Span,
        read: impl FnOnce(&mut Section<'_, 'd>) -> T,
    ) -> T {
        let mut section = Section {
            file: self,
            table,
            name,
            span,
            known: Vec::new(),
        };
        let value = read(&mut section);
        section.report_unknown_keys();
        value
    }
}

/// A table that is being read.
pub struct Section<'f, 'd> {
    file: &'f mut File,
    table: &'d dyn TableLike,
    /// With its dots; empty for the file itself.
    name: String,
    span: Span,
    known: Vec<String>,
}

impl<'d> Section<'_, 'd> {
    /// Where the table starts.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The place of a key's value; that of the table if there is none.
    pub fn span_of(&self, key: &str) -> Span {
        match self.table.get(key).and_then(Item::span) {
            Some(range) => self.file.span(Some(range)),
            None => self.span,
        }
    }

    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.file.found.push(diagnostic);
    }

    pub fn has_errors(&self) -> bool {
        let mut found = self.file.found.iter();
        found.any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Reports tables inside of this one.
    pub fn refuse_tables(&mut self) {
        for (name, item) in self.table.iter() {
            if !item.is_value() {
                let place = self.table.key(name).and_then(toml_edit::Key::span);
                let span = self.file.span(place.or_else(|| item.span()));
                let message = format!("`{name}` cannot be a table");
                let diagnostic = Diagnostic::error(self.file.kind.value, span, message);
                self.push(diagnostic.hint("write `key = value`"));
            }
        }
    }

    /// A value that is read in a way of its own. `read` gives the value, or what is wrong with it, or `None` if it is not
    /// what was expected.
    pub fn value<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<Result<T, String>>,
    ) -> Option<T> {
        let item = self.get(key)?;
        match item.as_value().and_then(read) {
            Some(Ok(value)) => Some(value),
            Some(Err(message)) => {
                let span = self.file.span(item.span());
                self.push(Diagnostic::error(self.file.kind.value, span, message));
                None
            }
            None => {
                self.expected(key, expected, item.span(), item.type_name());
                None
            }
        }
    }

    pub fn boolean(&mut self, key: &'static str) -> Option<bool> {
        self.value(key, "`true` or `false`", |value| value.as_bool().map(Ok))
    }

    pub fn integer(&mut self, key: &'static str) -> Option<i64> {
        self.value(key, "a number", |value| value.as_integer().map(Ok))
    }

    /// A number of at least `least`.
    pub fn number<N: TryFrom<i64> + PartialOrd + Display>(
        &mut self,
        key: &'static str,
        least: N,
    ) -> Option<N> {
        self.value(key, "a number", |value| {
            let given = value.as_integer()?;
            Some(match N::try_from(given) {
                Ok(number) if number >= least => Ok(number),
                Err(_) if given > 0 => Err(format!("`{key}` cannot be as large as {given}")),
                _ => Err(format!("`{key}` must be {least} or more")),
            })
        })
    }

    pub fn text(&mut self, key: &'static str) -> Option<String> {
        self.located(key).map(|located| located.text)
    }

    pub fn located(&mut self, key: &'static str) -> Option<Located> {
        let item = self.get(key)?;
        self.located_value(key, item)
    }

    /// A text that must be there; the meaning is for the hint.
    pub fn required(&mut self, key: &'static str, meaning: &str) -> Option<Located> {
        if !self.has(key) {
            let message = format!("`{key}` is missing");
            let hint = format!("add {key} = \"…\": {meaning}");
            self.push(Diagnostic::error(self.file.kind.missing, self.span, message).hint(hint));
        }
        self.located(key)
    }

    /// A list of texts.
    pub fn texts(&mut self, key: &'static str) -> Option<Vec<Located>> {
        let elements = self.elements(key, "a list of texts")?;
        Some(self.located_values(key, &elements, "a list of texts"))
    }

    /// One text or a list of texts; none if the key is missing.
    pub fn text_or_texts(&mut self, key: &'static str) -> Vec<Located> {
        let expected = "a text or a list of texts";
        let Some(item) = self.get(key) else {
            return Vec::new();
        };
        match item.as_array() {
            Some(array) => self.located_values(key, &array.iter().collect::<Vec<_>>(), expected),
            None if item.is_str() => self.located_value(key, item).into_iter().collect(),
            None => {
                self.expected(key, expected, item.span(), item.type_name());
                Vec::new()
            }
        }
    }

    /// One of the named values.
    pub fn choice<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> Option<T> {
        let located = self.located(key)?;
        self.chosen(key, &located, choices)
    }

    /// A list of named values.
    pub fn choices<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> Option<Vec<T>> {
        let texts = self.texts(key)?;
        let chosen = texts.iter().map(|located| self.chosen(key, located, choices));
        chosen.collect()
    }

    /// A key that someone else reads.
    pub fn ignore(&mut self, key: &str) {
        self.get(key);
    }

    /// A value as words of a command line: a key that is known only when the program runs, such as the flag of a command.
    pub fn words(&mut self, key: &str) -> Option<Words> {
        let item = self.get(key)?;
        let word = |value: &Value| match value {
            Value::String(text) => Some(text.value().clone()),
            Value::Integer(number) => Some(number.value().to_string()),
            Value::Float(number) => Some(number.value().to_string()),
            _ => None,
        };
        let words = match item.as_value() {
            Some(Value::Boolean(flag)) => Some(Words::Flag(*flag.value())),
            Some(Value::Array(list)) => list.iter().map(word).collect::<Option<Vec<_>>>().map(Words::List),
            Some(value) => word(value).map(|word| Words::List(vec![word])),
            None => None,
        };
        if words.is_none() {
            let expected = "a text, a number, `true`, `false` or a list";
            self.expected(key, expected, item.span(), item.type_name());
        }
        words
    }

    /// A table whose keys the user chooses, with a text for each.
    pub fn map(&mut self, key: &'static str, expected: &str) -> Vec<(Located, Located)> {
        let Some(item) = self.get(key) else {
            return Vec::new();
        };
        let Some(table) = item.as_table_like() else {
            self.expected(key, expected, item.span(), item.type_name());
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for (name, value) in table.iter() {
            let place = table.key(name).and_then(toml_edit::Key::span);
            let name = Located {
                text: name.to_owned(),
                span: self.file.span(place.or_else(|| item.span())),
            };
            let value = self.located_value(&name.text, value);
            pairs.extend(value.map(|value| (name, value)));
        }
        pairs
    }

    /// Reads the table `[key]`, if there is one.
    pub fn section<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Section<'_, 'd>) -> T,
    ) -> Option<T> {
        let item = self.get(key)?;
        let Some(table) = item.as_table_like() else {
            self.expected(key, "a table", item.span(), item.type_name());
            return None;
        };
        let span = self.file.span(item.span());
        let name = self.name_of(key);
        Some(self.file.section(table, name, span, read))
    }

    /// Reads each table `[[key]]`; a single one may also be `[key]`, and all may be in a list.
    pub fn tables<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(&mut Section<'_, 'd>) -> Option<T>,
    ) -> Vec<T> {
        let Some(item) = self.get(key) else {
            return Vec::new();
        };
        if item.is_table_like() {
            return self.section(key, read).flatten().into_iter().collect();
        }
        let Some(array) = item.as_array() else {
            return self.repeated(key, read);
        };
        let mut tables = Vec::new();
        for value in array {
            match value.as_inline_table() {
                Some(table) => tables.push((table as &dyn TableLike, value.span())),
                None => self.expected(key, "a list of tables", value.span(), value.type_name()),
            }
        }
        self.each(key, tables, &mut read)
    }

    /// Reads each table `[[key]]`.
    pub fn repeated<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(&mut Section<'_, 'd>) -> Option<T>,
    ) -> Vec<T> {
        let Some(item) = self.get(key) else {
            return Vec::new();
        };
        let Some(tables) = item.as_array_of_tables() else {
            let message = format!("each `{key}` must be a table");
            let span = self.file.span(item.span());
            let hint = format!(
                "write [[{}]], in double brackets, on a separate line",
                self.name_of(key)
            );
            self.push(Diagnostic::error(self.file.kind.value, span, message).hint(hint));
            return Vec::new();
        };
        let tables = tables.iter().map(|table| (table as &dyn TableLike, table.span()));
        self.each(key, tables.collect(), &mut read)
    }

    fn each<T>(
        &mut self,
        key: &str,
        tables: Vec<(&'d dyn TableLike, Option<Range<usize>>)>,
        read: &mut dyn FnMut(&mut Section<'_, 'd>) -> Option<T>,
    ) -> Vec<T> {
        let name = self.name_of(key);
        let mut values = Vec::new();
        for (table, range) in tables {
            let span = self.file.span(range);
            values.extend(self.file.section(table, name.clone(), span, &mut *read));
        }
        values
    }

    /// The place of a part of a text; that of the whole text unless it stands in the file as it is.
    pub fn span_in(&self, located: &Located, part: Range<usize>) -> Span {
        match self.start_of(located) {
            Some(start) => self.file.span(Some(start + part.start..start + part.end)),
            None => located.span,
        }
    }

    /// Where a text starts in the file, if it stands there as it is.
    pub fn start_of(&self, located: &Located) -> Option<usize> {
        let (start, end) = (located.span.start as usize, located.span.end as usize);
        let raw = self.file.text.get(start..end)?;
        let offset = raw.find(&located.text).filter(|_| !located.text.is_empty())?;
        Some(start + offset)
    }

    fn get(&mut self, key: &str) -> Option<&'d Item> {
        if !self.known.iter().any(|known| known == key) {
            self.known.push(key.to_owned());
        }
        self.table.get(key)
    }

    fn name_of(&self, key: &str) -> String {
        match self.name.is_empty() {
            true => key.to_owned(),
            false => format!("{}.{key}", self.name),
        }
    }

    fn elements(&mut self, key: &'static str, expected: &str) -> Option<Vec<&'d Value>> {
        let item = self.get(key)?;
        let elements = item.as_array().map(|array| array.iter().collect());
        if elements.is_none() {
            self.expected(key, expected, item.span(), item.type_name());
        }
        elements
    }

    fn located_values(&mut self, key: &str, values: &[&Value], expected: &str) -> Vec<Located> {
        let mut texts = Vec::new();
        for value in values {
            match value.as_str() {
                Some(text) => texts.push(Located {
                    text: text.to_owned(),
                    span: self.file.span(value.span()),
                }),
                None => self.expected(key, expected, value.span(), value.type_name()),
            }
        }
        texts
    }

    fn located_value(&mut self, key: &str, item: &Item) -> Option<Located> {
        match item.as_str() {
            Some(text) => Some(Located {
                text: text.to_owned(),
                span: self.file.span(item.span()),
            }),
            None => {
                self.expected(key, "a text in quotes", item.span(), item.type_name());
                None
            }
        }
    }

    fn chosen<T: Copy>(&mut self, key: &str, located: &Located, choices: &[(&str, T)]) -> Option<T> {
        let found = choices.iter().find(|(name, _)| *name == located.text);
        if found.is_none() {
            let message = format!("`{key}` cannot be \"{}\"", located.text);
            let hint = names::hint(&located.text, choices.iter().map(|(name, _)| *name));
            self.push(Diagnostic::error(self.file.kind.value, located.span, message).hint(hint));
        }
        found.map(|&(_, value)| value)
    }

    fn expected(&mut self, key: &str, expected: &str, place: Option<Range<usize>>, found: &str) {
        let article = match found.starts_with(['a', 'i']) {
            true => "an",
            false => "a",
        };
        let message = format!("`{key}` must be {expected}, not {article} {found}");
        let span = self.file.span(place);
        self.push(Diagnostic::error(self.file.kind.value, span, message));
    }

    fn report_unknown_keys(self) {
        for (name, item) in self.table.iter() {
            if self.known.iter().any(|known| known == name) {
                continue;
            }
            let place = self.table.key(name).and_then(toml_edit::Key::span);
            let span = self.file.span(place.or_else(|| item.span()));
            let what = match item.is_table() || item.is_array_of_tables() {
                true => "table",
                false => "key",
            };
            let message = match self.name.as_str() {
                "" => format!("unknown {what} `{name}`"),
                section => format!("unknown {what} `{name}` in [{section}]"),
            };
            let kind = &self.file.kind;
            let diagnostic = Diagnostic {
                severity: kind.key_severity,
                ..Diagnostic::error(kind.key, span, message)
            };
            let hint = names::hint(name, self.known.iter().map(String::as_str));
            self.file.found.push(diagnostic.hint(hint));
        }
    }
}

#[cfg(test)]
mod tests;
