//! `measure` clauses of procedures that call each other in a circle must have the same number of components.

use lariat_base::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Checker;
use crate::typed::{Measure, ProcedureId, Stmt, StmtKind};

impl Checker<'_> {
    pub(super) fn check_measures(&mut self) {
        let has_measure = |procedure: ProcedureId| self.program.procedures[procedure].measure.is_some();
        if !self.program.procedures.keys().any(has_measure) {
            return;
        }
        let mut calls: FxHashMap<ProcedureId, Vec<(ProcedureId, Span)>> = FxHashMap::default();
        for implementation in &self.program.implementations {
            let found = calls.entry(implementation.procedure).or_default();
            collect_calls(&implementation.body.stmts, found);
        }
        let size = |procedure: ProcedureId| {
            let measure = self.program.procedures[procedure].measure.as_ref();
            measure.map_or((0, 0), |measure: &Measure| (measure.clauses, measure.exprs.len()))
        };
        let mut wrong = Vec::new();
        for (&caller, called) in &calls {
            if !has_measure(caller) {
                continue;
            }
            for &(callee, span) in called {
                if size(callee) != size(caller) && comes_back(&calls, callee, caller) {
                    wrong.push((span, callee));
                }
            }
        }
        wrong.sort_unstable();
        for (span, callee) in wrong {
            let name = self.program.procedures[callee].name.clone();
            self.error(
                "measure-mismatch",
                span,
                format!("`{name}`, which calls its caller again, must have as many measures as it"),
            );
        }
    }
}

/// Whether a procedure may call another one, directly or not.
fn comes_back(
    calls: &FxHashMap<ProcedureId, Vec<(ProcedureId, Span)>>,
    from: ProcedureId,
    to: ProcedureId,
) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![from];
    while let Some(next) = stack.pop() {
        if next == to {
            return true;
        }
        if seen.insert(next) {
            let called = calls.get(&next).into_iter().flatten();
            stack.extend(called.map(|&(callee, _)| callee));
        }
    }
    false
}

fn collect_calls(stmts: &[Stmt], found: &mut Vec<(ProcedureId, Span)>) {
    for stmt in stmts {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match &stmt.kind {
            StmtKind::Call(call) => found.push((call.procedure, stmt.span)),
            StmtKind::If {
                then_branch,
                else_branch,
                ..
            } => {
                collect_calls(then_branch, found);
                collect_calls(else_branch, found);
            }
            StmtKind::While { body, .. } => collect_calls(body, found),
            _ => {}
        });
    }
}
