//! `modifies` clauses: what an implementation may assign, and their completion.
//!
//! Boogie demands that a clause lists every global that the procedure or a procedure it calls
//! assigns. Corral computes the clauses instead, and programs written for it leave them out.

use lariat_base::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::labels::BodyKind;
use super::{Checker, StateAccess};
use crate::ast;
use crate::typed::{ProcedureId, Stmt, StmtKind, VarId};

/// What is done about a global that is assigned but not in the `modifies` clause.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModifiesClauses {
    /// It is an error.
    Checked,
    /// It is added to the clause.
    Completed,
}

impl Checker<'_> {
    /// From here on the globals of the procedure's `modifies` clause may be assigned.
    pub(super) fn enter_frame(&mut self, procedure: ProcedureId) {
        self.frames += 1;
        for &var in &self.program.procedures[procedure].modifies {
            self.frame_of[var] = self.frames;
        }
        self.covered_callees.clear();
        self.assigned_assumptions.clear();
    }

    fn is_in_frame(&self, global: VarId) -> bool {
        self.body.kind != BodyKind::None && self.frame_of[global] == self.frames
    }

    /// Notes that the present implementation needs the global in its clause; false if that is an error.
    fn complete_frame(&mut self, global: VarId) -> bool {
        match self.body.kind {
            BodyKind::Implementation(procedure) if self.modifies_clauses == ModifiesClauses::Completed => {
                self.frame_of[global] = self.frames;
                self.missing_modifies.push((procedure, global));
                true
            }
            _ => false,
        }
    }

    pub(super) fn check_frame(&mut self, global: VarId, span: Span) {
        if self.state == StateAccess::None {
            let name = self.program.vars[global].name.clone();
            self.error(
                "global-not-allowed",
                span,
                format!("the global variable `{name}` cannot be used here"),
            );
        } else if !self.is_in_frame(global) && !self.complete_frame(global) {
            let name = self.program.vars[global].name.clone();
            self.report(
                Diagnostic::error(
                    "not-in-modifies",
                    span,
                    format!("the global variable `{name}` is assigned but not in the procedure's `modifies` clause"),
                )
                .hint(format!("add `modifies {name};` to the procedure")),
            );
        }
    }

    /// What the callee modifies the caller must be allowed to modify.
    pub(super) fn check_callee_frame(&mut self, procedure: ProcedureId, name: &ast::Ident) {
        if self.covered_callees.contains(&procedure) {
            return;
        }
        let outside: Vec<VarId> = self.program.procedures[procedure]
            .modifies
            .iter()
            .copied()
            .filter(|&global| !self.is_in_frame(global))
            .collect();
        let errors: Vec<VarId> = outside
            .into_iter()
            .filter(|&global| !self.complete_frame(global))
            .collect();
        if errors.is_empty() {
            if self.code_depth == 0 {
                self.covered_callees.insert(procedure);
            }
            return;
        }
        let declared = self.program.procedures[procedure].span;
        for global in errors {
            let global = self.program.vars[global].name.clone();
            self.report(
                Diagnostic::error(
                    "not-in-modifies",
                    name.span,
                    format!(
                        "the call of `{}` modifies `{global}`, which is not in the caller's `modifies` clause",
                        name.name
                    ),
                )
                .related(declared, "the called procedure")
                .hint(format!("add `modifies {global};` to the calling procedure")),
            );
        }
    }

    /// Adds the globals that were missing to the clauses, also to those of callers.
    pub(super) fn complete_modifies(&mut self) {
        let missing = std::mem::take(&mut self.missing_modifies);
        let Some(&(first, _)) = missing.first() else {
            return;
        };
        let mut callers: FxHashMap<ProcedureId, FxHashSet<ProcedureId>> = FxHashMap::default();
        for implementation in &self.program.implementations {
            visit_calls(&implementation.body.stmts, &mut |callee| {
                callers
                    .entry(callee)
                    .or_default()
                    .insert(implementation.procedure);
            });
        }
        let mut clauses: FxHashSet<(ProcedureId, VarId)> = self
            .program
            .procedures
            .iter()
            .flat_map(|(id, procedure)| procedure.modifies.iter().map(move |&global| (id, global)))
            .collect();
        let mut completed = FxHashSet::default();
        let mut pending = missing;
        while let Some((procedure, global)) = pending.pop() {
            if !clauses.insert((procedure, global)) {
                continue;
            }
            self.program.procedures[procedure].modifies.push(global);
            completed.insert(procedure);
            pending.extend(
                callers
                    .get(&procedure)
                    .into_iter()
                    .flatten()
                    .map(|&caller| (caller, global)),
            );
        }
        // The order of the clauses must not depend on that of the work.
        for &procedure in &completed {
            self.program.procedures[procedure].modifies.sort_unstable();
        }
        let first = &self.program.procedures[first];
        let diagnostic = Diagnostic::warning(
            "completed-modifies",
            first.span,
            match completed.len() {
                1 => format!("the `modifies` clause of `{}` was completed", first.name),
                several => format!(
                    "the `modifies` clauses of {several} procedures were completed, that of `{}` first",
                    first.name
                ),
            },
        )
        .hint("Boogie demands that all assigned globals are listed");
        self.report(diagnostic);
    }
}

/// Calls `visit` for each procedure that is called and waited for.
fn visit_calls(stmts: &[Stmt], visit: &mut dyn FnMut(ProcedureId)) {
    for stmt in stmts {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match &stmt.kind {
            StmtKind::Call(call) if !call.is_async => visit(call.procedure),
            StmtKind::If {
                then_branch,
                else_branch,
                ..
            } => {
                visit_calls(then_branch, visit);
                visit_calls(else_branch, visit);
            }
            StmtKind::While { body, .. } => visit_calls(body, visit),
            _ => {}
        });
    }
}
