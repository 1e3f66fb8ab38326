//! How variables, values and calls are called: the words of the source language.

use lariat_ir::{ProcId, Program, Stmt};
use lariat_term::{Value, VarId};
use rustc_hash::FxHashSet;

use crate::event::{Change, Read};
use crate::show::{ShowLimits, change_text, list_text, value_text};

/// The words of a source language. Names and values are pairs for one line of a trace.
pub trait Wording {
    /// What a statement changed; nothing for book-keeping.
    fn change(&self, program: &Program, stmt: Option<&Stmt>, change: &Change) -> Vec<(String, String)>;

    /// A variable with its value; `None` for book-keeping.
    fn variable(&self, program: &Program, var: VarId, value: &Value) -> Option<(String, String)>;

    /// What was read by a condition that failed.
    fn read(&self, program: &Program, read: &Read, value: &Value) -> Option<(String, String)>;

    /// A call: the statement as it is written, and the callee's name.
    fn call(&self, text: &str, callee: &str) -> String;

    /// Whether what happens inside a procedure is none of the user's business: library code.
    fn hides(&self, program: &Program, proc: ProcId) -> bool;
}

/// Variables by their names in the program, values by their sorts: the words of Boogie.
#[derive(Clone, Debug, Default)]
pub struct PlainWording {
    /// Book-keeping: variables that the user did not write.
    pub hidden: FxHashSet<VarId>,
}

impl Wording for PlainWording {
    fn change(&self, program: &Program, _: Option<&Stmt>, change: &Change) -> Vec<(String, String)> {
        if self.hidden.contains(&change.var) {
            return Vec::new();
        }
        change_text(&program.pool, change)
    }

    fn variable(&self, program: &Program, var: VarId, value: &Value) -> Option<(String, String)> {
        if self.hidden.contains(&var) {
            return None;
        }
        let pool = &program.pool;
        Some((pool.var_name(var).to_string(), value_text(pool, value)))
    }

    fn read(&self, program: &Program, read: &Read, value: &Value) -> Option<(String, String)> {
        if self.hidden.contains(&read.var) {
            return None;
        }
        let pool = &program.pool;
        let name = pool.var_name(read.var);
        let name = match &read.indices {
            Some(indices) => format!("{name}[{}]", list_text(pool, indices, ShowLimits::default())),
            None => name.to_string(),
        };
        Some((name, value_text(pool, value)))
    }

    fn call(&self, text: &str, callee: &str) -> String {
        if text.starts_with("call") {
            text.to_owned()
        } else {
            format!("call {callee}")
        }
    }

    fn hides(&self, _: &Program, _: ProcId) -> bool {
        false
    }
}
