//! Traces in the words of C.

use lariat_base::SourceMap;
use lariat_c_lower::CaseLabel;
use lariat_interp::{Change, ChangeKind, Read, Wording};
use lariat_ir::{ProcId, Program, Stmt};
use lariat_term::{Value, VarId};

use super::CSide;
use super::values::shown;

impl Wording for CSide {
    fn change(&self, _: &Program, stmt: Option<&Stmt>, change: &Change) -> Vec<(String, String)> {
        let types = &self.program.types;
        match &change.kind {
            ChangeKind::Whole { new, .. } => {
                let Some(variable) = self.names.vars.get(&change.var) else {
                    return Vec::new();
                };
                let value = match new {
                    Some(value) => shown(types, variable.ty, value),
                    None => "any value".into(),
                };
                vec![(variable.text.clone(), value)]
            }
            ChangeKind::Elements(elements) => {
                // A store changes one scalar, which may be several bytes: the place as it is written says which.
                let store = stmt.and_then(|stmt| self.names.stores.get(&stmt.id));
                match (store, elements.as_slice()) {
                    (Some(store), [element]) => {
                        vec![(store.text.clone(), shown(types, store.ty, &element.new))]
                    }
                    _ => Vec::new(),
                }
            }
        }
    }

    fn variable(&self, _: &Program, var: VarId, value: &Value) -> Option<(String, String)> {
        let variable = self.names.vars.get(&var)?;
        Some((
            variable.text.clone(),
            shown(&self.program.types, variable.ty, value),
        ))
    }

    fn read(&self, program: &Program, read: &Read, value: &Value) -> Option<(String, String)> {
        match read.indices {
            None => self.variable(program, read.var, value),
            Some(_) => None,
        }
    }

    fn call(&self, text: &str, callee: &str) -> String {
        match text {
            "" => callee.to_owned(),
            text => text.to_owned(),
        }
    }

    fn returned(&self, text: &str, callee: &str, result: Option<&str>) -> String {
        match (text, result) {
            ("", Some(result)) => format!("{callee}(…) = {result}"),
            (text, Some(result)) => format!("{text} = {result}"),
            (_, None) => format!("return from {callee}"),
        }
    }

    fn case(&self, stmt: &Stmt, sources: &SourceMap) -> Option<String> {
        Some(match self.names.cases.get(&stmt.id)? {
            CaseLabel::Case(span) => label_text(sources.snippet(*span)),
            CaseLabel::Default => "default".into(),
            CaseLabel::Missing => "no case".into(),
        })
    }

    fn is_negated(&self, stmt: &Stmt) -> bool {
        self.names.negated.contains(&stmt.id)
    }

    fn is_input(&self, stmt: &Stmt) -> bool {
        self.names.inputs.contains_key(&stmt.id)
    }

    fn is_library(&self, program: &Program, proc: ProcId) -> bool {
        self.is_model(&program.procs[proc].name)
    }
}

/// `case 'a'` of a labelled statement, on one line.
fn label_text(statement: &str) -> String {
    let (mut quote, mut is_escaped) = (None, false);
    let end = statement.char_indices().find(|&(_, character)| {
        match (quote, character) {
            _ if is_escaped => {}
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
        quote.is_none() && character == ':'
    });
    let label = end.map_or(statement, |(end, _)| &statement[..end]);
    label.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::label_text;

    #[test]
    fn a_label_ends_at_its_colon() {
        assert_eq!(label_text("case  STATE_A : x = y ? 1 : 2;"), "case STATE_A");
        assert_eq!(label_text("case ':': break;"), "case ':'");
        assert_eq!(label_text("case '\\'': break;"), "case '\\''");
    }
}
