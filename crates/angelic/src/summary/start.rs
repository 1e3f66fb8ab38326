//! How an entry begins: the environment's values become those of a procedure that anybody may call.

use lariat_ir::{OpenEntry, Origin, ProcId, Program, StmtKind};
use lariat_term::{BvOp, Sort, Substitution, TermId, TermPool, VarId};

/// How an entry begins, in terms of the procedure that it is about.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// The procedure that callers call.
    pub(super) body: ProcId,
    /// Variables of the entry, and constants for what the environment has left, by the variables of the procedure.
    pub(super) names: Vec<(VarId, VarId)>,
    /// Numbers are within their types.
    pub(super) typed: Vec<TermId>,
    /// Globals that begin with a number: counters, which only grow.
    pub(super) counters: Vec<(VarId, TermId)>,
}

impl Start {
    pub(super) fn of(program: &Program, entry: &OpenEntry) -> Self {
        let proc = &program.procs[entry.proc];
        let mut start = Start {
            body: entry.proc,
            names: Vec::new(),
            typed: Vec::new(),
            counters: Vec::new(),
        };
        let stmts = || proc.blocks.values().flat_map(|block| &block.stmts);
        let called = stmts().find_map(|stmt| match &stmt.kind {
            StmtKind::Call(call) if call.callee != entry.proc => {
                (program.procs[call.callee].name == proc.name).then_some(call.callee)
            }
            _ => None,
        });
        let Some(body) = called else { return start };
        start.body = body;
        let params = program.procs[body].params.iter().copied();
        start.names.extend(proc.params.iter().copied().zip(params));
        for stmt in stmts() {
            match &stmt.kind {
                StmtKind::Assume(condition) if stmt.origin == Origin::Type => start.typed.push(*condition),
                StmtKind::Assign(assignments) => {
                    for &(var, value) in assignments {
                        match program.pool.as_var(value) {
                            Some(constant) if program.constants.contains(&constant) => {
                                start.names.push((constant, var));
                            }
                            _ if program.pool.is_value(value) => start.counters.push((var, value)),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        start
    }

    pub(super) fn renaming(&self, pool: &mut TermPool) -> Substitution {
        let mut names = Substitution::new();
        for &(var, own) in &self.names {
            let own = pool.var(own);
            names.insert(var, own);
        }
        names
    }

    /// What is true at the start, as far as it says something of other starts.
    pub(super) fn conditions(&self, pool: &mut TermPool) -> Vec<TermId> {
        let mut names = self.renaming(pool);
        let mut conditions: Vec<TermId> = Vec::new();
        for &typed in &self.typed {
            conditions.push(names.apply(pool, typed));
        }
        for &(var, first) in &self.counters {
            let now = pool.var(var);
            match pool.sort(pool.sort_of(first)) {
                Sort::Int => conditions.push(pool.le(first, now)),
                Sort::Bv(_) => conditions.push(pool.bv_op(BvOp::Ule, &[first, now])),
                _ => {}
            }
        }
        conditions
    }
}
