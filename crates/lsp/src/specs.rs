//! Specifications of the environment, as `lariat angelic` keeps them in `NAME.specs.toml`: quick fixes that decide about them.
//!
//! The file is read line by line, as far as it goes: it may be half written. Only the value of `status` is ever changed.

use std::collections::HashMap;
use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic, DiagnosticSeverity, NumberOrString,
    Position, Range, TextEdit, Uri, WorkspaceEdit,
};

use crate::convert;

/// What can be decided: the title of the fix, and the word in the file.
const DECISIONS: [(&str, &str); 3] = [
    ("Accept", "accepted"),
    ("Reject", "rejected"),
    ("Leave open", "inferred"),
];

const CODE: &str = "specification";

/// One `[[spec]]` of the file.
#[derive(Debug, Default, PartialEq)]
struct Table {
    /// From its header up to the next one.
    first_line: u32,
    last_line: u32,
    spec: String,
    status: String,
    /// The line of `status` and the characters of its value, quotes and all.
    status_place: Option<(u32, u32, u32)>,
    /// What it is about: files and lines.
    places: Vec<(String, u32)>,
}

pub fn is_specs_file(path: &str) -> bool {
    path.ends_with(".specs.toml")
}

/// The file that keeps the specifications of a program.
pub fn specs_path(program: &str) -> String {
    let path = Path::new(program);
    path.with_extension("specs.toml").display().to_string()
}

/// The fixes for a place of the specs file itself.
pub fn actions_in_file(uri: &Uri, text: &str, range: Range) -> Vec<CodeActionOrCommand> {
    let tables = tables(text);
    let at_place = tables
        .iter()
        .filter(|table| table.first_line <= range.end.line && range.start.line <= table.last_line);
    at_place.flat_map(|table| fixes(table, uri, None)).collect()
}

/// The fixes for a place of the program that specifications are about.
pub fn actions_in_program(uri: &Uri, text: &str, path: &str, range: Range) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    for table in tables(text) {
        for hint in hints_of(&table, path) {
            let line = hint.range.start.line;
            if range.start.line <= line && line <= range.end.line {
                actions.extend(fixes(&table, uri, Some(&hint)));
            }
        }
    }
    actions
}

/// What is assumed for the sake of places in a program.
pub fn hints(text: &str, path: &str) -> Vec<Diagnostic> {
    tables(text)
        .iter()
        .flat_map(|table| hints_of(table, path))
        .collect()
}

fn hints_of(table: &Table, path: &str) -> Vec<Diagnostic> {
    let name = Path::new(path).file_name();
    let here = table
        .places
        .iter()
        .filter(|(file, _)| Path::new(file).file_name() == name);
    let mut lines: Vec<u32> = here.map(|(_, line)| *line).collect();
    lines.dedup();
    let hint = |line: u32| Diagnostic {
        range: Range::new(Position::new(line, 0), Position::new(line, u32::MAX)),
        severity: Some(DiagnosticSeverity::HINT),
        code: Some(NumberOrString::String(CODE.to_owned())),
        source: Some("lariat".to_owned()),
        message: match table.status.as_str() {
            "rejected" => format!("not assumed (rejected): {}", table.spec),
            status => format!("assumed ({status}): {}", table.spec),
        },
        ..Diagnostic::default()
    };
    lines.into_iter().map(hint).collect()
}

fn fixes(table: &Table, uri: &Uri, hint: Option<&Diagnostic>) -> Vec<CodeActionOrCommand> {
    let mut fixes = Vec::new();
    for (word, status) in DECISIONS {
        if status == table.status {
            continue;
        }
        let edit = match table.status_place {
            Some((line, start, end)) => TextEdit {
                range: Range::new(Position::new(line, start), Position::new(line, end)),
                new_text: format!("\"{status}\""),
            },
            None => TextEdit {
                range: Range::new(
                    Position::new(table.first_line + 1, 0),
                    Position::new(table.first_line + 1, 0),
                ),
                new_text: format!("status = \"{status}\"\n"),
            },
        };
        #[allow(clippy::mutable_key_type, reason = "the protocol's own type")]
        let changes = HashMap::from([(uri.clone(), vec![edit])]);
        fixes.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: format!("{word}: {}", table.spec),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: hint.map(|hint| vec![hint.clone()]),
            edit: Some(WorkspaceEdit {
                changes: Some(changes),
                ..WorkspaceEdit::default()
            }),
            ..CodeAction::default()
        }));
    }
    fixes
}

/// The `[[spec]]` tables of a file.
fn tables(text: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut is_open = false;
    for (number, line) in (0..).zip(text.lines()) {
        let trimmed = line.trim_start();
        if trimmed.starts_with('[') {
            is_open = trimmed.trim_end() == "[[spec]]";
            if is_open {
                tables.push(Table {
                    first_line: number,
                    last_line: number,
                    status: "inferred".to_owned(),
                    ..Table::default()
                });
            }
            continue;
        }
        let Some(table) = tables.last_mut().filter(|_| is_open) else {
            continue;
        };
        table.last_line = number;
        let Some((key, value)) = trimmed.split_once('=') else {
            continue;
        };
        let value = value.trim();
        match key.trim() {
            "spec" => table.spec = unquoted(value).unwrap_or_default(),
            "status" => {
                let Some(status) = unquoted(value) else { continue };
                // Quotes and words of this line are all of one byte and one unit.
                let start = line.find(value).unwrap_or_default();
                let end = start + status.len() + 2;
                let unit = |offset: usize| convert::position(line, offset.min(line.len())).character;
                table.status_place = Some((number, unit(start), unit(end)));
                table.status = status;
            }
            "suppresses" => table.places = strings(value).iter().filter_map(|it| place(it)).collect(),
            _ => {}
        }
    }
    tables
}

/// The text of a TOML string, without escapes other than those of quotes and backslashes.
fn unquoted(value: &str) -> Option<String> {
    strings(value).into_iter().next()
}

/// All strings of a line.
fn strings(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(char, String)> = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match open.as_mut() {
            None if matches!(character, '"' | '\'') => open = Some((character, String::new())),
            None if character == '#' => break,
            None => {}
            Some(('"', text)) if character == '\\' => text.extend(characters.next()),
            Some((quote, _)) if character == *quote => found.extend(open.take().map(|(_, text)| text)),
            Some((_, text)) => text.push(character),
        }
    }
    found
}

/// `file.c:30:33: words`, with the line counted from 0.
fn place(text: &str) -> Option<(String, u32)> {
    let mut parts = text.split(':');
    let file = parts.next()?;
    let line: u32 = parts.next()?.parse().ok()?;
    Some((file.to_owned(), line.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# head\n\n[[spec]]\nid = \"s1\"\nentry = \"f\"\nspec = \"p->\\\"q\\\" != NULL\"\nstatus = 'rejected' # mine\n\
                        suppresses = [\"a.c:30:33: x in f\", \"b.c:2:1: y\"]\n\n[[spec]]\nentry = \"g\"\nspec = \"n > 0\"\n\n[other]\nstatus = \"x\"\n";

    #[test]
    fn tables_are_found_with_their_places() {
        let tables = tables(FILE);
        assert_eq!(tables.len(), 2);
        assert_eq!((tables[0].first_line, tables[0].last_line), (2, 8));
        assert_eq!(tables[0].spec, "p->\"q\" != NULL");
        assert_eq!(tables[0].status, "rejected");
        assert_eq!(tables[0].status_place, Some((6, 9, 19)));
        assert_eq!(tables[0].places, [("a.c".to_owned(), 29), ("b.c".to_owned(), 1)]);
        assert_eq!(
            (tables[1].status.as_str(), tables[1].status_place),
            ("inferred", None)
        );
    }

    #[test]
    fn half_a_file_is_no_problem() {
        for end in 0..FILE.len() {
            tables(&FILE[..end]);
        }
        assert!(
            hints(FILE, "/x/a.c")[0]
                .message
                .starts_with("not assumed (rejected)")
        );
        assert!(hints(FILE, "/x/c.c").is_empty());
    }

    #[test]
    fn the_file_is_named_after_the_program() {
        assert_eq!(specs_path("/x/registry.c"), "/x/registry.specs.toml");
        assert!(is_specs_file("/x/registry.specs.toml") && !is_specs_file("/x/lariat.toml"));
    }
}
