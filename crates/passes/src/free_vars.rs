//! The free variables of terms, found once for each term.

use std::rc::Rc;

use lariat_ir::{Stmt, StmtKind};
use lariat_term::{TermId, TermPool, VarId, VarSet};
use rustc_hash::FxHashMap;

/// A memory of the free variables of terms, each list in ascending order.
#[derive(Default)]
pub(crate) struct FreeVars {
    memo: FxHashMap<TermId, Rc<[VarId]>>,
    none: Rc<[VarId]>,
}

impl FreeVars {
    pub(crate) fn of(&mut self, pool: &TermPool, term: TermId) -> Rc<[VarId]> {
        if pool.is_closed(term) {
            return self.none.clone();
        }
        let entry = self.memo.entry(term);
        let found = entry.or_insert_with(|| match pool.as_var(term) {
            Some(var) => Rc::from([var]),
            None => {
                let mut vars: Vec<VarId> = pool.free_vars(&[term]).into_iter().collect();
                vars.sort_unstable();
                vars.into()
            }
        });
        found.clone()
    }

    /// Calls `visit` for each variable that the statement itself reads, perhaps repeatedly.
    pub(crate) fn visit_reads(&mut self, pool: &TermPool, stmt: &Stmt, mut visit: impl FnMut(VarId)) {
        let mut visit_term = |term| self.of(pool, term).iter().for_each(|&var| visit(var));
        match &stmt.kind {
            StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => visit_term(*condition),
            StmtKind::Assign(assignments) => assignments.iter().for_each(|&(_, term)| visit_term(term)),
            StmtKind::Call(call) => call.ins.iter().for_each(|&term| visit_term(term)),
            StmtKind::Havoc(_) | StmtKind::Enter(_) => {}
        }
    }
}

/// All variables that the statements read or assign.
pub(crate) fn occurring_vars<'a>(pool: &TermPool, stmts: impl Iterator<Item = &'a Stmt>) -> VarSet {
    let mut terms: Vec<TermId> = Vec::new();
    let mut vars = VarSet::default();
    for stmt in stmts {
        terms.extend(stmt.terms());
        vars.extend(stmt.assigned());
    }
    pool.collect_free_vars(&terms, &mut vars);
    vars
}
