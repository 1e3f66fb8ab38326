//! What is known of an open file, and what the editor is told of a place in it.

use std::collections::HashMap;

use lariat_report::{EntryReport, VerifyReport};
use lsp_types::{
    CodeLens, Command, DocumentSymbol, DocumentSymbolResponse, GotoDefinitionResponse, Hover, HoverContents,
    Location, MarkupContent, MarkupKind, Range, SymbolKind, Uri,
};
use serde_json::json;

use crate::convert;
use crate::server::{SHOW, VERIFY};
use crate::text::{self, Kind, Language, Symbol};

/// A file that is open in the editor.
pub struct Document {
    pub path: String,
    pub language: Option<Language>,
    pub text: String,
    pub version: i32,
    /// What is known of functions of this text.
    pub entries: HashMap<String, EntryReport>,
    /// The last result, for its page.
    pub report: Option<Box<VerifyReport>>,
}

impl Document {
    pub fn hover(&self, place: lsp_types::Position) -> Option<Hover> {
        let language = self.language?;
        let offset = convert::offset(&self.text, place);
        let word = text::word_at(&self.text, offset, language)?;
        let mut parts = Vec::new();
        let symbols = text::symbols(&self.text, language);
        if let Some(symbol) = text::definition(&symbols, &word, offset) {
            let line = self.text[..symbol.range.start].rfind('\n').map_or(0, |at| at + 1);
            let declared = self.text[line..].lines().next().unwrap_or("").trim();
            parts.push(format!("```\n{declared}\n```"));
        }
        if let Some(entry) = self.entries.get(&word) {
            parts.push(convert::entry_words(entry));
            if !entry.cut.is_empty() {
                let names: Vec<&str> = entry.cut.iter().map(|site| site.name.as_str()).collect();
                parts.push(format!("not searched further: {}", names.join(", ")));
            }
        }
        if parts.is_empty() {
            return None;
        }
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: parts.join("\n\n"),
            }),
            range: None,
        })
    }

    pub fn definition(&self, uri: &Uri, place: lsp_types::Position) -> Option<GotoDefinitionResponse> {
        let language = self.language?;
        let offset = convert::offset(&self.text, place);
        let word = text::word_at(&self.text, offset, language)?;
        let symbols = text::symbols(&self.text, language);
        let symbol = text::definition(&symbols, &word, offset)?;
        let range = range_of(&self.text, &symbol.range);
        Some(GotoDefinitionResponse::Scalar(Location::new(uri.clone(), range)))
    }

    pub fn symbols(&self) -> Option<DocumentSymbolResponse> {
        let symbols = text::symbols(&self.text, self.language?);
        let globals = symbols.into_iter().filter(|symbol| !symbol.is_local);
        Some(DocumentSymbolResponse::Nested(
            globals
                .map(|symbol| document_symbol(&self.text, &symbol))
                .collect(),
        ))
    }

    pub fn lenses(&self, uri: &Uri) -> Vec<CodeLens> {
        let mut lenses = Vec::new();
        for symbol in self.functions() {
            let range = range_of(&self.text, &symbol.range);
            let mut add = |title: String, command: &str| {
                lenses.push(CodeLens {
                    range,
                    command: Some(Command {
                        title,
                        command: command.to_owned(),
                        arguments: Some(vec![json!(uri), json!(symbol.name)]),
                    }),
                    data: None,
                });
            };
            match self.entries.get(&symbol.name) {
                Some(entry) => {
                    add(convert::entry_words(entry), VERIFY);
                    if !entry.failures.is_empty() {
                        add("show execution".to_owned(), SHOW);
                    }
                }
                None => add("verify this function".to_owned(), VERIFY),
            }
        }
        lenses
    }

    /// What can be verified.
    pub fn functions(&self) -> Vec<Symbol> {
        let symbols = self.language.map(|language| text::symbols(&self.text, language));
        let mut symbols = symbols.unwrap_or_default();
        symbols.retain(|symbol| symbol.has_body && !symbol.is_local);
        symbols
    }
}

fn range_of(text: &str, range: &std::ops::Range<usize>) -> Range {
    Range::new(
        convert::position(text, range.start),
        convert::position(text, range.end),
    )
}

fn document_symbol(text: &str, symbol: &Symbol) -> DocumentSymbol {
    let range = range_of(text, &symbol.range);
    #[allow(deprecated, reason = "the field must be given")]
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: None,
        kind: match symbol.kind {
            Kind::Procedure | Kind::Function => SymbolKind::FUNCTION,
            Kind::Type => SymbolKind::STRUCT,
            Kind::Constant => SymbolKind::CONSTANT,
            Kind::Variable => SymbolKind::VARIABLE,
            Kind::Process => SymbolKind::CLASS,
        },
        tags: None,
        deprecated: None,
        range,
        selection_range: range,
        children: None,
    }
}
