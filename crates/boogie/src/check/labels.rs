//! Labels of a body: which there are, and what `break` leaves.
//!
//! A `goto` may go to any label of its body. A `break` with a label leaves the enclosing `if` or
//! `while` that the label stands directly before; without one, the innermost `while`.

use lariat_base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::declare::duplicate;
use super::{Candidates, Checker};
use crate::ast;
use crate::typed::{Name, ProcedureId};

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum BodyKind {
    #[default]
    None,
    Implementation(ProcedureId),
    Code,
}

/// What statements need to know about the body they are in.
#[derive(Default)]
pub(super) struct BodyContext {
    pub kind: BodyKind,
    pub labels: FxHashMap<Name, Span>,
    enclosing: Vec<Enclosing>,
}

/// An `if` or `while` around the present statement.
struct Enclosing {
    label: Option<Name>,
    is_loop: bool,
}

impl BodyContext {
    pub fn new(kind: BodyKind) -> Self {
        BodyContext {
            kind,
            ..BodyContext::default()
        }
    }
}

impl Checker<'_> {
    /// Collects all labels of a body, nested ones too.
    pub(super) fn collect_labels(&mut self, stmts: &[ast::Stmt]) {
        for stmt in stmts {
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match &stmt.kind {
                ast::StmtKind::Label(label) => match self.body.labels.get(&label.name) {
                    Some(&first) => self.report(duplicate("label", label, first)),
                    None => {
                        self.body.labels.insert(label.name.clone(), label.span);
                    }
                },
                ast::StmtKind::If {
                    then_branch,
                    else_branch,
                    ..
                } => {
                    self.collect_labels(then_branch);
                    match else_branch {
                        Some(ast::Else::Block(stmts)) => self.collect_labels(stmts),
                        Some(ast::Else::If(stmt)) => self.collect_labels(std::slice::from_ref(stmt)),
                        None => {}
                    }
                }
                ast::StmtKind::While { body, .. } => self.collect_labels(body),
                _ => {}
            });
        }
    }

    pub(super) fn enter_enclosing(&mut self, label: Option<&Name>, is_loop: bool) {
        self.body.enclosing.push(Enclosing {
            label: label.cloned(),
            is_loop,
        });
    }

    pub(super) fn leave_enclosing(&mut self) {
        self.body.enclosing.pop();
    }

    pub(super) fn check_goto(&mut self, targets: &[ast::Ident]) {
        for target in targets {
            if !self.body.labels.contains_key(&target.name) {
                self.undeclared("undeclared-label", "label", target, Candidates::Labels);
            }
        }
    }

    pub(super) fn check_break(&mut self, label: Option<&ast::Ident>, span: Span) {
        let Some(label) = label else {
            if !self.body.enclosing.iter().any(|enclosing| enclosing.is_loop) {
                self.error("misplaced-break", span, "`break` is not inside a loop");
            }
            return;
        };
        let is_enclosing = self
            .body
            .enclosing
            .iter()
            .any(|enclosing| enclosing.label.as_ref() == Some(&label.name));
        if is_enclosing {
            return;
        }
        match self.body.labels.get(&label.name).copied() {
            None => self.undeclared("undeclared-label", "label", label, Candidates::Labels),
            Some(declared) => self.report(
                Diagnostic::error(
                    "misplaced-break",
                    label.span,
                    format!(
                        "the label `{}` does not stand before an enclosing `if` or `while`",
                        label.name
                    ),
                )
                .related(declared, "the label is here"),
            ),
        }
    }
}
