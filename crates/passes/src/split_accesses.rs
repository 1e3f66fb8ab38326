//! Each access of a shared global becomes a statement of its own: in C, a statement is many steps.
//!
//! `x := x + y` becomes `a := x; b := y; x := a + b`. Elements of maps are read one by one, those whose index is read from
//! shared memory after it. This belongs to the meaning of the program, so it is done to the lowered one.

use lariat_ir::{Origin, ProcId, Program, Stmt, StmtKind};
use lariat_term::{Op, Rewriting, TermId, TermPool, VarId, VarSet};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

use crate::thread_analysis::{ThreadAnalysis, starts_threads};

/// Splits the statements that the entry reaches while other threads may run.
pub fn split_accesses(program: &mut Program, entry: ProcId) {
    if !starts_threads(program, entry) {
        return;
    }
    let analysis = ThreadAnalysis::new(program, entry);
    for proc in analysis.reachable.keys().collect::<Vec<_>>() {
        for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            let Some(mut point) = analysis.point(program, proc, block) else {
                continue;
            };
            let old = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
            let mut stmts = Vec::with_capacity(old.len());
            for stmt in old {
                let after = analysis.after(&stmt, point);
                if point.others && point.depth.may_be_zero() {
                    split(program, proc, &analysis.visible, stmt, &mut stmts);
                } else {
                    stmts.push(stmt);
                }
                point = after;
            }
            program.procs[proc].blocks[block].stmts = stmts;
        }
    }
}

fn split(program: &mut Program, proc: ProcId, visible: &VarSet, mut stmt: Stmt, stmts: &mut Vec<Stmt>) {
    let reads = reads(program, visible, &stmt);
    let writes = stmt.assigned().iter().filter(|var| visible.contains(var)).count();
    if reads.len() + writes <= 1 {
        stmts.push(stmt);
        return;
    }
    // What was read already is in a local.
    let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
    for read in reads {
        let value = with_values(&mut program.pool, &known, read);
        let sort = program.pool.sort_of(read);
        let local = program.pool.declare_var("read", sort);
        program.procs[proc].locals.push(local);
        let kind = StmtKind::Assign(smallvec![(local, value)]);
        stmts.push(Stmt {
            location: stmt.location.clone(),
            ..program.stmt(kind, stmt.span, Origin::Internal)
        });
        known.insert(read, program.pool.var(local));
    }
    let pool = &mut program.pool;
    match &mut stmt.kind {
        StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => {
            *condition = with_values(pool, &known, *condition);
        }
        StmtKind::Assign(assignments) => {
            for (target, value) in assignments {
                // The rest of a map that is updated is what it is then.
                let mut known = known.clone();
                let own = pool.var(*target);
                if pool.op(*value) == Op::Store {
                    known.remove(&own);
                }
                *value = with_values(pool, &known, *value);
            }
        }
        StmtKind::Call(call) => {
            for term in &mut call.ins {
                *term = with_values(pool, &known, *term);
            }
        }
        StmtKind::Havoc(_) | StmtKind::Enter(_) => {}
    }
    stmts.push(stmt);
}

/// The term with what is known in place of what was read.
fn with_values(pool: &mut TermPool, known: &FxHashMap<TermId, TermId>, root: TermId) -> TermId {
    Rewriting::default().replace(pool, root, |_, term| known.get(&term).copied())
}

/// The shared variables and elements of shared maps that a statement reads, inner ones first. A map that an update is made of is
/// not read; one that is used as a whole is.
pub(crate) fn reads(program: &Program, visible: &VarSet, stmt: &Stmt) -> Vec<TermId> {
    let pool = &program.pool;
    let targets: Vec<(Option<VarId>, TermId)> = match &stmt.kind {
        StmtKind::Assign(assignments) => assignments.iter().map(|&(var, term)| (Some(var), term)).collect(),
        _ => stmt.terms().into_iter().map(|term| (None, term)).collect(),
    };
    let mut found = Vec::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    // A term is left behind after its parts.
    let mut stack: Vec<(TermId, bool)> = Vec::new();
    for (target, term) in targets.into_iter().rev() {
        let mut base = term;
        while target.is_some() && pool.op(base) == Op::Store {
            stack.extend(pool.args(base)[1..].iter().map(|&arg| (arg, false)));
            base = pool.args(base)[0];
        }
        if target.is_none() || pool.as_var(base) != target {
            stack.push((base, false));
        }
    }
    while let Some((term, is_done)) = stack.pop() {
        if pool.is_closed(term) {
            continue;
        }
        let is_read = match pool.op(term) {
            Op::Var(var) => visible.contains(&var),
            Op::Select => pool
                .as_var(pool.args(term)[0])
                .is_some_and(|map| visible.contains(&map)),
            _ => false,
        };
        if is_done {
            found.push(term);
            continue;
        }
        if !seen.insert(term) {
            continue;
        }
        if is_read {
            stack.push((term, true));
        }
        match pool.op(term) {
            Op::Select if is_read => stack.extend(pool.args(term)[1..].iter().map(|&arg| (arg, false))),
            // What depends on bound variables cannot be read before.
            Op::Quantifier(_) => {}
            _ => stack.extend(pool.args(term).iter().map(|&arg| (arg, false))),
        }
    }
    found
}
