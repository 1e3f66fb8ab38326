//! The free variables of terms, found once for each term.

use cranelift_entity::SecondaryMap;
use lariat_ir::{Stmt, StmtKind};
use lariat_term::{Op, TermId, TermPool, VarId, VarSet};

/// A memory of the free variables of terms, each list in ascending order.
#[derive(Default)]
pub(crate) struct FreeVars {
    /// Where the list of a term is in `vars`: its start plus one, and its end plus one.
    spans: SecondaryMap<TermId, (u32, u32)>,
    vars: Vec<VarId>,
    stack: Vec<TermId>,
}

/// Terms of so many nodes are walked through without a record of what has been seen.
const SMALL: usize = 64;

impl FreeVars {
    pub(crate) fn of(&mut self, pool: &TermPool, term: TermId) -> &[VarId] {
        if pool.is_closed(term) {
            return &[];
        }
        let (mut start, mut end) = self.spans[term];
        if start == 0 {
            start = self.vars.len() as u32 + 1;
            self.collect(pool, term);
            end = self.vars.len() as u32 + 1;
            self.spans[term] = (start, end);
        }
        &self.vars[start as usize - 1..end as usize - 1]
    }

    /// Appends the free variables of the term to `vars`.
    fn collect(&mut self, pool: &TermPool, term: TermId) {
        let start = self.vars.len();
        let mut visited = 0;
        self.stack.clear();
        self.stack.push(term);
        while let Some(part) = self.stack.pop() {
            visited += 1;
            match pool.op(part) {
                Op::Var(var) => self.vars.push(var),
                Op::Quantifier(_) => visited = SMALL,
                _ => self
                    .stack
                    .extend(pool.args(part).iter().filter(|&&arg| !pool.is_closed(arg))),
            }
            if visited >= SMALL {
                self.vars.truncate(start);
                self.vars.extend(pool.free_vars(&[term]));
                break;
            }
        }
        self.vars[start..].sort_unstable();
        // Sorted, so that equal ones are neighbours.
        let mut kept = start;
        for index in start..self.vars.len() {
            if kept == start || self.vars[kept - 1] != self.vars[index] {
                self.vars[kept] = self.vars[index];
                kept += 1;
            }
        }
        self.vars.truncate(kept);
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
