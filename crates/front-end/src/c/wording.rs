//! Traces in the words of C.

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

    fn hides(&self, program: &Program, proc: ProcId) -> bool {
        self.is_model(&program.procs[proc].name)
    }
}
