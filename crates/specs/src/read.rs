//! Reading a file of specifications: tolerant of hand editing, strict where a decision could get lost.
//!
//! Errors: what is no TOML, a `[[spec]]` without `entry` or `spec`, a status that does not exist, an edited text that
//! is no expression, two different decisions about one specification. Warnings: keys that nobody reads, repetitions.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use lariat_base::{Diagnostic, SourceId, Span};
use lariat_report::{Specification, SpecificationStatus};
use toml_edit::{Document, Item, Table, Value};

use crate::expr::SpecExpr;
use crate::file::{Messages, SpecsFile, WrittenSpec, canonical, specification_id, status_name};
use crate::suggest::closest;

const STATUSES: [SpecificationStatus; 4] = [
    SpecificationStatus::Inferred,
    SpecificationStatus::Accepted,
    SpecificationStatus::Rejected,
    SpecificationStatus::Edited,
];

const KEYS: [&str; 9] = [
    "id",
    "entry",
    "spec",
    "status",
    "suppresses",
    "unnecessary",
    "problem",
    "inferred",
    "formal",
];

impl SpecsFile {
    /// Reads the text of a file; the path is for messages only.
    pub fn parse(path: impl Into<PathBuf>, text: &str) -> Result<SpecsFile, Messages> {
        let mut messages = Messages::default();
        let source = messages.sources.add(path, text);
        let mut reader = Reader {
            text,
            source,
            messages,
            specs: Vec::new(),
        };
        reader.document();
        if reader.messages.diagnostics.has_errors() {
            return Err(reader.messages);
        }
        Ok(SpecsFile {
            text: text.to_owned(),
            specs: reader.specs,
            warnings: reader.messages,
        })
    }
}

struct Reader<'t> {
    text: &'t str,
    source: SourceId,
    messages: Messages,
    specs: Vec<WrittenSpec>,
}

impl Reader<'_> {
    fn span(&self, range: Option<Range<usize>>) -> Span {
        let range = range.unwrap_or(0..0);
        Span::new(self.source, range.start, range.end)
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.messages.diagnostics.push(diagnostic);
    }

    fn document(&mut self) {
        let document = match Document::parse(self.text) {
            Ok(document) => document,
            Err(error) => {
                let span = self.span(error.span());
                self.push(
                    Diagnostic::error("specs-toml", span, error.message().replace('\n', ", "))
                        .hint("texts are in quotes: '…' takes everything literally, \"…\" needs \\ before \" and \\"),
                );
                return;
            }
        };
        let mut first: BTreeMap<(String, String), (SpecificationStatus, Span)> = BTreeMap::new();
        for (key, item) in document.iter() {
            let span = self.span(
                document
                    .get_key_value(key)
                    .and_then(|(key, _)| key.span())
                    .or_else(|| item.span()),
            );
            if key != "spec" {
                self.unknown_key(key, span, &["spec"]);
                continue;
            }
            let Some(tables) = item.as_array_of_tables() else {
                self.push(
                    Diagnostic::error("specs-table", span, "each specification is a table of its own")
                        .hint("write [[spec]] in double brackets"),
                );
                continue;
            };
            for table in tables {
                if let Some(written) = self.table(table) {
                    let span = self.span(table.span());
                    self.compare_with_earlier(&written.spec, span, &mut first);
                    self.specs.push(written);
                }
            }
        }
    }

    fn unknown_key(&mut self, key: &str, span: Span, known: &[&str]) {
        let hint = match closest(key, known) {
            Some(meant) if known.len() == 1 => format!("did you mean [[{meant}]]?"),
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "notes belong into comments, which are kept too".to_owned(),
        };
        self.push(
            Diagnostic::warning("specs-key", span, format!("the key `{key}` has no effect")).hint(hint),
        );
    }

    /// One decision for each specification.
    fn compare_with_earlier(
        &mut self,
        spec: &Specification,
        span: Span,
        first: &mut BTreeMap<(String, String), (SpecificationStatus, Span)>,
    ) {
        let key = (spec.entry.clone(), canonical(&spec.text));
        match first.get(&key) {
            None => {
                first.insert(key, (spec.status, span));
            }
            Some(&(status, earlier)) if status == spec.status => self.push(
                Diagnostic::warning(
                    "specs-repeated",
                    span,
                    format!("this specification of `{}` is there already", spec.entry),
                )
                .related(earlier, "here")
                .hint("remove one of them"),
            ),
            Some(&(status, earlier)) => self.push(
                Diagnostic::error(
                    "specs-contradiction",
                    span,
                    format!(
                        "`{}` is {} here, but {} before",
                        spec.text,
                        status_name(spec.status),
                        status_name(status)
                    ),
                )
                .related(earlier, "here")
                .hint("remove one of them"),
            ),
        }
    }

    fn table(&mut self, table: &Table) -> Option<WrittenSpec> {
        let here = self.span(table.span());
        for (key, item) in table.iter() {
            let key_span = self.span(table.key(key).and_then(|key| key.span()));
            if !item.is_value() {
                self.push(
                    Diagnostic::error("specs-table", key_span, format!("`{key}` cannot be a table"))
                        .hint("write `key = value`"),
                );
            } else if !KEYS.contains(&key) {
                self.unknown_key(key, key_span, &KEYS);
            }
        }
        let id = self.string(table, "id");
        let entry = self.required(table, here, "entry", "the procedure whose inputs it speaks of");
        let text = self.required(table, here, "spec", "what is assumed");
        let written = self.status(table);
        let inferred = self.string(table, "inferred");
        let formal = self.string(table, "formal");
        let problem = self.string(table, "problem");
        let unnecessary = self.boolean(table, "unnecessary");
        self.strings(table, "suppresses");
        let (entry, text) = (entry?, text?);

        let own_id = specification_id(&entry, &text);
        let by_hand = match (&id, &inferred) {
            (Some(id), _) => *id != own_id,
            (None, Some(inferred)) => canonical(inferred) != canonical(&text),
            (None, None) => written.is_none() || written == Some(SpecificationStatus::Edited),
        };
        let status = match written {
            Some(SpecificationStatus::Rejected) => SpecificationStatus::Rejected,
            _ if by_hand => SpecificationStatus::Edited,
            written => written.unwrap_or_default(),
        };
        if id.as_ref() != Some(&own_id) {
            self.check_syntax(table, &text);
        }
        let spec = Specification {
            id: own_id,
            entry,
            text,
            formal: formal.unwrap_or_default(),
            status,
            locations: Vec::new(),
            suppresses: Vec::new(),
            unnecessary: unnecessary.unwrap_or(false),
            problem,
            inferred,
        };
        Some(WrittenSpec { spec, written_id: id })
    }

    fn status(&mut self, table: &Table) -> Option<SpecificationStatus> {
        let text = self.string(table, "status")?;
        let found = STATUSES.into_iter().find(|&status| status_name(status) == text);
        if found.is_none() {
            let span = self.span(table.get("status").and_then(Item::span));
            let names = STATUSES.map(status_name);
            let hint = match closest(&text, &names) {
                Some(meant) => format!("did you mean \"{meant}\"?"),
                None => format!("write one of \"{}\"", names.join("\", \"")),
            };
            self.push(
                Diagnostic::error("specs-status", span, format!("there is no status `{text}`")).hint(hint),
            );
        }
        found
    }

    fn check_syntax(&mut self, table: &Table, text: &str) {
        let Err(error) = SpecExpr::parse(text) else {
            return;
        };
        let whole = table.get("spec").and_then(Item::span).unwrap_or(0..0);
        // The place is known exactly if the text stands in the file as it is.
        let raw = self.text.get(whole.clone()).unwrap_or("");
        let span = match raw.find(text).filter(|_| !text.is_empty()) {
            Some(offset) => {
                let start = whole.start + offset;
                self.span(Some(start + error.range.start..start + error.range.end))
            }
            None => self.span(Some(whole)),
        };
        let mut diagnostic = Diagnostic::error("specs-syntax", span, error.message);
        if let Some(hint) = error.hint {
            diagnostic = diagnostic.hint(hint);
        }
        self.push(diagnostic);
    }

    fn required(&mut self, table: &Table, here: Span, key: &str, meaning: &str) -> Option<String> {
        if !table.contains_key(key) {
            self.push(
                Diagnostic::error(
                    "specs-missing",
                    here,
                    format!("this specification has no `{key}`"),
                )
                .hint(format!("add {key} = \"…\": {meaning}")),
            );
        }
        self.string(table, key)
    }

    fn typed<T>(
        &mut self,
        table: &Table,
        key: &str,
        what: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = table.get(key)?.as_value()?;
        let found = read(value);
        if found.is_none() {
            let span = self.span(value.span());
            self.push(Diagnostic::error(
                "specs-value",
                span,
                format!("`{key}` is {what}, not {}", value.type_name()),
            ));
        }
        found
    }

    fn string(&mut self, table: &Table, key: &str) -> Option<String> {
        self.typed(table, key, "a text in quotes", |value| {
            value.as_str().map(str::to_owned)
        })
    }

    fn boolean(&mut self, table: &Table, key: &str) -> Option<bool> {
        self.typed(table, key, "`true` or `false`", Value::as_bool)
    }

    fn strings(&mut self, table: &Table, key: &str) {
        self.typed(table, key, "a list of texts", |value| {
            value.as_array()?.iter().all(Value::is_str).then_some(())
        });
    }
}
