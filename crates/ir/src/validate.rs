//! The rules that every program obeys, checked after each pass in debug builds and by tests.
//!
//! 1. The entry block exists and has no predecessors; every successor exists.
//! 2. Assumed and asserted conditions are `Bool`; assigned terms have the variable's sort.
//! 3. A variable that occurs free in a statement is a constant, a global, or the procedure's own.
//! 4. Assigned, havocked and out-argument variables are globals, outs or locals; those of one
//!    statement are distinct. Parameters and constants never change.
//! 5. A call's arguments match the callee's parameters in number and sort.
//! 6. No variable belongs to two procedures or occurs twice in one.
//! 7. A candidate is `Bool` and of a procedure that exists; what stands for an old value has the sort of
//!    its global. As long as no pass has moved variables ([`Stage::Lowered`]) rule 3 holds of it too.
//! 8. After [`Stage::LoopFree`] the graph of each procedure has no cycle; after
//!    [`Stage::Instrumented`] there is no assertion left.

use lariat_term::{Sort, VarId, VarSet};

use crate::program::{BlockId, CandidateClause, Proc, ProcId, Program, Stmt, StmtKind};

/// What the passes so far have established. Later stages include earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    Lowered,
    LoopFree,
    Instrumented,
}

/// A broken rule: a bug of Lariat, never of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation(pub String);

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks all rules; the first broken one is returned.
pub fn validate(program: &Program, stage: Stage) -> Result<(), Violation> {
    let shared: VarSet = program
        .constants
        .iter()
        .chain(&program.globals)
        .copied()
        .collect();
    let mut owned = shared.clone();
    for (id, proc) in program.procs.iter() {
        for var in proc.vars() {
            if !owned.insert(var) {
                return violation(
                    program,
                    id,
                    format!("variable {} has two owners", program.pool.var_name(var)),
                );
            }
        }
        validate_proc(program, id, proc, &shared, stage)?;
    }
    for candidate in &program.candidates {
        validate_candidate(program, candidate, &shared, stage).map_err(|text| {
            let term = program.pool.term_text(candidate.term);
            Violation(format!("candidate `{term}`: {text}"))
        })?;
    }
    Ok(())
}

fn validate_candidate(
    program: &Program,
    candidate: &CandidateClause,
    shared: &VarSet,
    stage: Stage,
) -> Result<(), String> {
    let pool = &program.pool;
    let proc = match candidate.proc {
        Some(id) => Some(program.procs.get(id).ok_or("its procedure does not exist")?),
        None => None,
    };
    if *pool.sort(pool.sort_of(candidate.term)) != Sort::Bool {
        return Err("it is not Bool".into());
    }
    for &(old, var) in &candidate.old {
        if pool.var_sort(old) != pool.var_sort(var) {
            return Err(format!(
                "{} has another sort than its old value",
                pool.var_name(var)
            ));
        }
        if stage == Stage::Lowered && !program.globals.contains(&var) {
            return Err(format!(
                "{} is not a global and has no old value",
                pool.var_name(var)
            ));
        }
    }
    if stage == Stage::Lowered {
        let mut known: VarSet = proc.into_iter().flat_map(Proc::vars).collect();
        known.extend(candidate.old.iter().map(|&(old, _)| old));
        for var in pool.free_vars(&[candidate.term]) {
            if !known.contains(&var) && !shared.contains(&var) {
                return Err(format!("variable {} is not in scope", pool.var_name(var)));
            }
        }
    }
    Ok(())
}

fn violation<T>(program: &Program, proc: ProcId, text: String) -> Result<T, Violation> {
    Err(Violation(format!(
        "procedure {}: {text}",
        program.procs[proc].name
    )))
}

fn validate_proc(
    program: &Program,
    id: ProcId,
    proc: &Proc,
    shared: &VarSet,
    stage: Stage,
) -> Result<(), Violation> {
    let own: VarSet = proc.vars().collect();
    let constants: VarSet = program.constants.iter().copied().collect();
    if !proc.blocks.is_valid(proc.entry) {
        return violation(program, id, "the entry block does not exist".into());
    }
    for (block, data) in proc.blocks.iter() {
        for &successor in data.successors() {
            if !proc.blocks.is_valid(successor) {
                return violation(
                    program,
                    id,
                    format!("{block} goes to {successor}, which does not exist"),
                );
            }
            if successor == proc.entry {
                return violation(program, id, format!("{block} goes to the entry block"));
            }
        }
        for stmt in &data.stmts {
            let complain = |text: &str| {
                violation(
                    program,
                    id,
                    format!("{block}: `{}`: {text}", program.stmt_text(stmt)),
                )
            };
            check_sorts(program, stmt).or_else(|text| complain(&text))?;
            for var in program.pool.free_vars(&stmt.terms()) {
                if !own.contains(&var) && !shared.contains(&var) {
                    return complain(&format!(
                        "variable {} is not in scope",
                        program.pool.var_name(var)
                    ));
                }
            }
            let assigned = stmt.assigned();
            for (index, var) in assigned.iter().enumerate() {
                let mutable = !proc.params.contains(var)
                    && !constants.contains(var)
                    && (own.contains(var) || shared.contains(var));
                if !mutable {
                    return complain(&format!("{} must not change here", program.pool.var_name(*var)));
                }
                if assigned[..index].contains(var) {
                    return complain(&format!("{} is assigned twice", program.pool.var_name(*var)));
                }
            }
            if stage >= Stage::Instrumented && matches!(stmt.kind, StmtKind::Assert { .. }) {
                return complain("an assertion is left after instrumentation");
            }
        }
    }
    if stage >= Stage::LoopFree {
        let order = proc.reverse_postorder();
        let mut position = cranelift_entity::SecondaryMap::<BlockId, usize>::new();
        for (index, &block) in order.iter().enumerate() {
            position[block] = index;
        }
        for &block in &order {
            for &successor in proc.blocks[block].successors() {
                if position[successor] <= position[block] {
                    return violation(program, id, format!("a loop goes from {block} to {successor}"));
                }
            }
        }
    }
    Ok(())
}

fn check_sorts(program: &Program, stmt: &Stmt) -> Result<(), String> {
    let pool = &program.pool;
    let same = |var: &VarId, term| {
        if pool.var_sort(*var) == pool.sort_of(term) {
            Ok(())
        } else {
            Err(format!(
                "{} has another sort than what it is given",
                pool.var_name(*var)
            ))
        }
    };
    match &stmt.kind {
        StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => {
            if *pool.sort(pool.sort_of(*condition)) != Sort::Bool {
                return Err("the condition is not Bool".into());
            }
        }
        StmtKind::Assign(assignments) => {
            for (var, term) in assignments {
                same(var, *term)?;
            }
        }
        StmtKind::Call(call) => {
            let Some(callee) = program.procs.get(call.callee) else {
                return Err("the callee does not exist".into());
            };
            if callee.params.len() != call.ins.len() || callee.outs.len() != call.outs.len() {
                return Err("the number of arguments is wrong".into());
            }
            for (param, &arg) in callee.params.iter().zip(&call.ins) {
                same(param, arg)?;
            }
            for (param, &out) in callee.outs.iter().zip(&call.outs) {
                if pool.var_sort(*param) != pool.var_sort(out) {
                    return Err(format!(
                        "{} has another sort than the out parameter",
                        pool.var_name(out)
                    ));
                }
            }
        }
        StmtKind::Havoc(_) | StmtKind::Enter(_) => {}
    }
    Ok(())
}
