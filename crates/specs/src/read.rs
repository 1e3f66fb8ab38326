//! Reading a file of specifications: tolerant of hand editing, strict where a decision could get lost.
//!
//! Errors: text that is not TOML, a `[[spec]]` without `entry` or `spec`, an unknown status, an edited text that is not an
//! expression, two different decisions about one specification. Warnings: unknown keys, repetitions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lariat_base::{Diagnostic, Severity, Span};
use lariat_report::{Specification, SpecificationStatus};
use lariat_toml_file::{FileKind, Located, Section};

use crate::expr::SpecExpr;
use crate::file::{Messages, SpecsFile, WrittenSpec, canonical, specification_id, status_name};

const KIND: FileKind = FileKind {
    syntax: "specs-toml",
    syntax_hint: "texts are in quotes: '…' takes everything literally, \"…\" needs \\ before \" and \\",
    key: "specs-key",
    key_severity: Severity::Warning,
    value: "specs-value",
    missing: "specs-missing",
};

const STATUSES: [SpecificationStatus; 4] = [
    SpecificationStatus::Inferred,
    SpecificationStatus::Accepted,
    SpecificationStatus::Rejected,
    SpecificationStatus::Edited,
];

impl SpecsFile {
    /// Reads the text of a file; the path is for messages only.
    pub fn parse(path: impl Into<PathBuf>, text: &str) -> Result<SpecsFile, Messages> {
        let mut messages = Messages::default();
        let source = messages.sources.add(path, text);
        let mut earlier = Earlier::default();
        let specs = lariat_toml_file::read(KIND, source, text, &mut messages.diagnostics, |file| {
            file.repeated("spec", |table| {
                let written = read_spec(table)?;
                earlier.compare(&written.spec, table);
                Some(written)
            })
        });
        if messages.diagnostics.has_errors() {
            return Err(messages);
        }
        Ok(SpecsFile {
            text: text.to_owned(),
            specs: specs.unwrap_or_default(),
            warnings: messages,
        })
    }
}

/// The first decision about each specification: its status and where it is.
#[derive(Default)]
struct Earlier {
    first: BTreeMap<(String, String), (SpecificationStatus, Span)>,
}

impl Earlier {
    /// There is one decision for each specification.
    fn compare(&mut self, spec: &Specification, table: &mut Section<'_, '_>) {
        let key = (spec.entry.clone(), canonical(&spec.text));
        let span = table.span();
        let &mut (status, earlier) = self.first.entry(key).or_insert((spec.status, span));
        if earlier == span {
            return;
        }
        let diagnostic = match status == spec.status {
            true => {
                let message = format!("this specification of `{}` is there already", spec.entry);
                Diagnostic::warning("specs-repeated", span, message)
            }
            false => {
                let (here, before) = (status_name(spec.status), status_name(status));
                let message = format!("`{}` is {here} here, but {before} before", spec.text);
                Diagnostic::error("specs-contradiction", span, message)
            }
        };
        table.push(diagnostic.related(earlier, "here").hint("remove one of them"));
    }
}

fn read_spec(table: &mut Section<'_, '_>) -> Option<WrittenSpec> {
    table.refuse_tables();
    let id = table.text("id");
    let entry = table.required("entry", "the procedure whose inputs it is about");
    let text = table.required("spec", "what is assumed");
    let written = table.choice("status", &STATUSES.map(|status| (status_name(status), status)));
    let inferred = table.text("inferred");
    let formal = table.text("formal");
    let problem = table.text("problem");
    let unnecessary = table.boolean("unnecessary");
    table.texts("suppresses");
    let (entry, located) = (entry?.text, text?);
    let text = located.text.clone();

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
        check_syntax(table, &located);
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

fn check_syntax(table: &mut Section<'_, '_>, located: &Located) {
    if let Err(error) = SpecExpr::parse(&located.text) {
        let span = table.span_in(located, error.range);
        let diagnostic = Diagnostic::error("specs-syntax", span, error.message);
        table.push(Diagnostic {
            hint: error.hint,
            ..diagnostic
        });
    }
}
