//! Values of TOML tables, with diagnostics for what is not as it should be.

use std::ops::Range;

use lariat_base::{Diagnostic, Diagnostics, SourceId, Span};
use lariat_lts::relabel::Renaming;
use lariat_specs::SpecExpr;
use toml_edit::{Item, Table, TableLike, Value};

use super::Located;
use crate::front_end::Guard;

pub struct Reader<'t> {
    pub text: &'t str,
    pub source: SourceId,
    pub diagnostics: &'t mut Diagnostics,
}

impl Reader<'_> {
    pub fn span(&self, range: Option<Range<usize>>) -> Span {
        let range = range.unwrap_or(0..0);
        Span::new(self.source, range.start, range.end)
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub fn unknown_key(&mut self, key: &str, span: Span, known: &[&str]) {
        let closest = known
            .iter()
            .map(|&name| (strsim::damerau_levenshtein(key, name), name))
            .min()
            .filter(|&(distance, name)| distance <= 1 + name.len() / 4);
        let hint = match closest {
            Some((_, name)) => format!("did you mean `{name}`?"),
            None => format!("known are {}", known.join(", ")),
        };
        let message = format!("there is no key `{key}` here");
        self.push(Diagnostic::error("conform-key", span, message).hint(hint));
    }

    pub fn check_keys(&mut self, table: &Table, known: &[&str]) {
        for (key, _) in table.iter() {
            if !known.contains(&key) {
                let span = self.span(table.key(key).and_then(|key| key.span()));
                self.unknown_key(key, span, known);
            }
        }
    }

    fn wrong(&mut self, key: &str, value: &Item, what: &str) {
        let span = self.span(value.span());
        let message = format!("`{key}` is {what}, not {}", value.type_name());
        self.push(Diagnostic::error("conform-value", span, message));
    }

    fn located_value(&mut self, key: &str, value: &Value) -> Option<Located> {
        let span = self.span(value.span());
        match value.as_str() {
            Some(text) => Some(Located {
                text: text.to_owned(),
                span,
            }),
            None => {
                let message = format!("`{key}` is a text in quotes, not {}", value.type_name());
                self.push(Diagnostic::error("conform-value", span, message));
                None
            }
        }
    }

    pub fn located(&mut self, table: &dyn TableLike, key: &str) -> Option<Located> {
        let item = table.get(key)?;
        match item.as_value() {
            Some(value) => self.located_value(key, value),
            None => {
                self.wrong(key, item, "a text in quotes");
                None
            }
        }
    }

    pub fn required(&mut self, table: &Table, here: Span, key: &str, meaning: &str) -> Option<Located> {
        if !table.contains_key(key) {
            let message = format!("`{key}` is missing");
            let hint = format!("add {key} = \"…\": {meaning}");
            self.push(Diagnostic::error("conform-missing", here, message).hint(hint));
        }
        self.located(table, key)
    }

    pub fn texts(&mut self, table: &Table, key: &str) -> Vec<Located> {
        let Some(item) = table.get(key) else {
            return Vec::new();
        };
        let Some(array) = item.as_array() else {
            self.wrong(key, item, "a list of texts");
            return Vec::new();
        };
        array
            .iter()
            .filter_map(|value| self.located_value(key, value))
            .collect()
    }

    pub fn number(&mut self, table: &Table, key: &str) -> Option<usize> {
        let item = table.get(key)?;
        let number = item.as_integer().and_then(|number| usize::try_from(number).ok());
        if number.is_none() {
            self.wrong(key, item, "a number from 0 on");
        }
        number
    }

    pub fn boolean(&mut self, table: &Table, key: &str) -> Option<bool> {
        let item = table.get(key)?;
        let value = item.as_bool();
        if value.is_none() {
            self.wrong(key, item, "`true` or `false`");
        }
        value
    }

    pub fn choice<T: Copy>(&mut self, table: &Table, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let located = self.located(table, key)?;
        let found = choices.iter().find(|(name, _)| *name == located.text);
        if found.is_none() {
            let names: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            let message = format!("`{key}` cannot be \"{}\"", located.text);
            let hint = format!("it is one of {}", names.join(", "));
            self.push(Diagnostic::error("conform-value", located.span, message).hint(hint));
        }
        found.map(|&(_, value)| value)
    }

    /// Where a text starts in the file, if it stands there as it is.
    pub fn start_of(&self, located: &Located) -> Option<usize> {
        let (start, end) = (located.span.start as usize, located.span.end as usize);
        let raw = self.text.get(start..end)?;
        raw.find(&located.text)
            .filter(|_| !located.text.is_empty())
            .map(|offset| start + offset)
    }

    fn condition(&mut self, located: Located) -> Option<Guard> {
        match SpecExpr::parse(&located.text) {
            Ok(expr) => Some(Guard {
                expr,
                span: Some(located.span),
            }),
            Err(error) => {
                let span = match self.start_of(&located) {
                    Some(start) => self.span(Some(start + error.range.start..start + error.range.end)),
                    None => located.span,
                };
                let mut diagnostic = Diagnostic::error("conform-guard", span, error.message);
                if let Some(hint) = error.hint {
                    diagnostic = diagnostic.hint(hint);
                }
                self.push(diagnostic);
                None
            }
        }
    }

    pub fn guard(&mut self, table: &dyn TableLike, key: &str) -> Option<Guard> {
        let located = self.located(table, key)?;
        self.condition(located)
    }

    /// `{ server = "mode == 1", … }`
    pub fn guards(&mut self, table: &Table, key: &str) -> Vec<(Located, Guard)> {
        let Some(item) = table.get(key) else {
            return Vec::new();
        };
        let Some(guards) = item.as_table_like() else {
            self.wrong(key, item, "a table with a guard for each component");
            return Vec::new();
        };
        let names: Vec<String> = guards.iter().map(|(name, _)| name.to_owned()).collect();
        let mut found = Vec::new();
        for name in names {
            let span = self.span(
                guards
                    .key(&name)
                    .and_then(|key| key.span())
                    .or_else(|| item.span()),
            );
            if let Some(guard) = self.guard(guards, &name) {
                found.push((Located { text: name, span }, guard));
            }
        }
        found
    }

    /// `{ old = "new", … }`
    pub fn renamings(&mut self, table: &Table, key: &str) -> Vec<Renaming> {
        let Some(item) = table.get(key) else {
            return Vec::new();
        };
        let Some(renamings) = item.as_table_like() else {
            self.wrong(key, item, "a table: { old = \"new\" }");
            return Vec::new();
        };
        let names: Vec<String> = renamings.iter().map(|(name, _)| name.to_owned()).collect();
        let mut found = Vec::new();
        for old in names {
            if let Some(new) = self.located(renamings, &old) {
                found.push(Renaming { new: new.text, old });
            }
        }
        found
    }

    /// `[{ guard = "…", process = "…" }, …]`
    pub fn alternatives(&mut self, table: &Table, key: &str) -> Vec<(Guard, Located)> {
        let Some(item) = table.get(key) else {
            return Vec::new();
        };
        let inline = item
            .as_array()
            .map(|array| array.iter().map(Value::as_inline_table).collect::<Vec<_>>());
        let tables: Vec<Option<&dyn TableLike>> = match (inline, item.as_array_of_tables()) {
            (Some(inline), _) => inline
                .into_iter()
                .map(|table| table.map(|table| table as &dyn TableLike))
                .collect(),
            (None, Some(tables)) => tables.iter().map(|table| Some(table as &dyn TableLike)).collect(),
            (None, None) => vec![None],
        };
        let mut found = Vec::new();
        for table in tables {
            let Some(table) = table else {
                self.wrong(key, item, "a list of { guard = \"…\", process = \"…\" }");
                continue;
            };
            let (guard, process) = (self.guard(table, "guard"), self.located(table, "process"));
            match (guard, process) {
                (Some(guard), Some(process)) => found.push((guard, process)),
                _ if table.contains_key("guard") && table.contains_key("process") => {}
                _ => self.wrong(key, item, "a list of { guard = \"…\", process = \"…\" }"),
            }
        }
        found
    }
}
