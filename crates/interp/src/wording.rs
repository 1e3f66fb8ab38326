//! How variables, values and calls are called: the words of the source language.

use lariat_base::SourceMap;
use lariat_ir::{ProcId, Program, Stmt, StmtKind};
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

    /// A call that has returned: how it is written, the callee's name, and its result if there is one.
    fn returned(&self, text: &str, callee: &str, result: Option<&str>) -> String;

    /// The case of a `switch` that a guard goes to, such as `case 3`; `None` for conditions.
    fn case(&self, stmt: &Stmt, sources: &SourceMap) -> Option<String>;

    /// Whether the text of a guard is the negation of its condition.
    fn is_negated(&self, stmt: &Stmt) -> bool;

    /// Whether the statement takes a value from outside the program.
    fn is_input(&self, stmt: &Stmt) -> bool;

    /// Whether a procedure is library code, which the user did not write.
    fn is_library(&self, program: &Program, proc: ProcId) -> bool;
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

    fn returned(&self, _: &str, callee: &str, _: Option<&str>) -> String {
        format!("return from {callee}")
    }

    fn case(&self, _: &Stmt, _: &SourceMap) -> Option<String> {
        None
    }

    fn is_negated(&self, _: &Stmt) -> bool {
        false
    }

    fn is_input(&self, stmt: &Stmt) -> bool {
        matches!(stmt.kind, StmtKind::Havoc(_))
    }

    fn is_library(&self, _: &Program, _: ProcId) -> bool {
        false
    }
}
