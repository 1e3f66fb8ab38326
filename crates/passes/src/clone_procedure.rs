//! A second copy of a procedure.

use lariat_ir::{Proc, ProcId, Program, Stmt, StmtKind};
use lariat_term::{Substitution, TermId, TermPool, VarId};
use rustc_hash::FxHashMap;

/// Adds a copy of the procedure with variables of its own; statements keep their ids. The
/// result is its id and what each variable is called in it.
pub(crate) fn clone_procedure(program: &mut Program, original: ProcId) -> (ProcId, FxHashMap<VarId, VarId>) {
    let mut copy: Proc = program.procs[original].clone();
    let mut renamed = FxHashMap::default();
    let mut substitution = Substitution::new();
    for vars in [&mut copy.params, &mut copy.outs, &mut copy.locals] {
        for var in vars {
            let data = program.pool.var_data(*var).clone();
            let new = program.pool.declare_var(data.name, data.sort);
            renamed.insert(*var, new);
            substitution.insert(*var, program.pool.var(new));
            *var = new;
        }
    }
    for stmt in copy.blocks.values_mut().flat_map(|block| &mut block.stmts) {
        rename_variables(&mut program.pool, &renamed, &mut substitution, stmt);
    }
    (program.procs.push(copy), renamed)
}

/// Replaces variables of a statement, those it assigns by `renamed` and those it reads by
/// `substitution`, which says the same.
pub(crate) fn rename_variables(
    pool: &mut TermPool,
    renamed: &FxHashMap<VarId, VarId>,
    substitution: &mut Substitution,
    stmt: &mut Stmt,
) {
    let var = |var: &mut VarId| {
        if let Some(&new) = renamed.get(var) {
            *var = new;
        }
    };
    let mut term = |term: &mut TermId| *term = substitution.apply(pool, *term);
    match &mut stmt.kind {
        StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => term(condition),
        StmtKind::Assign(assignments) => assignments.iter_mut().for_each(|(target, value)| {
            var(target);
            term(value);
        }),
        StmtKind::Havoc(vars) => vars.iter_mut().for_each(var),
        StmtKind::Call(call) => {
            call.ins.iter_mut().for_each(term);
            call.outs.iter_mut().for_each(var);
        }
        StmtKind::Enter(_) => {}
    }
}
