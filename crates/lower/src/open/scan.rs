//! What the finished program says about null.

use lariat_ir::{BlockId, OpenInfo, Origin, Proc, Program, StmtKind};
use lariat_term::{Op, TermId, TermPool};

/// Tests of branches that find a pointer to be null, and assertions that a pointer is not.
pub(super) fn note_null(program: &Program, info: &mut OpenInfo) {
    let Some(null) = info.null else { return };
    let pool = &program.pool;
    for proc in program.procs.values() {
        let branches = branch_blocks(proc);
        for (id, block) in proc.blocks.iter() {
            // The assumptions at the start of a block that another one could have been taken for.
            let mut at_start = branches[id];
            for stmt in &block.stmts {
                match stmt.kind {
                    StmtKind::Assume(condition) => {
                        let is_branch =
                            stmt.origin == Origin::Guard || (at_start && stmt.origin == Origin::Source);
                        if is_branch && says_null(pool, condition, null) {
                            info.null_tests.push(stmt.id);
                        }
                    }
                    StmtKind::Assert { condition, assert } => {
                        at_start = false;
                        let says_not_null =
                            pool.op(condition) == Op::Not && is_null(pool, pool.args(condition)[0], null);
                        if says_not_null && !info.angelic.contains(&assert) {
                            info.dereferences.push(assert);
                        }
                    }
                    _ => at_start = false,
                }
            }
        }
    }
    info.dereferences.sort_unstable();
    info.dereferences.dedup();
}

/// The targets of jumps that have several.
fn branch_blocks(proc: &Proc) -> cranelift_entity::SecondaryMap<BlockId, bool> {
    let mut branches = cranelift_entity::SecondaryMap::new();
    for block in proc.blocks.values() {
        if let targets @ [_, _, ..] = block.successors() {
            for &target in targets {
                branches[target] = true;
            }
        }
    }
    branches
}

/// `e == NULL`
fn is_null(pool: &TermPool, term: TermId, null: TermId) -> bool {
    pool.op(term) == Op::Eq && pool.args(term).contains(&null)
}

/// Whether the condition holds only if some pointer is null: a conjunct says so, or all disjuncts do.
fn says_null(pool: &TermPool, condition: TermId, null: TermId) -> bool {
    // The parts of one conjunction (or negated disjunction), and whether they are negated.
    let mut parts = vec![(condition, true)];
    while let Some((term, positive)) = parts.pop() {
        match (pool.op(term), positive) {
            (Op::Eq, true) if is_null(pool, term, null) => return true,
            (Op::Not, _) => parts.push((pool.args(term)[0], !positive)),
            (Op::And, true) | (Op::Or, false) => {
                parts.extend(pool.args(term).iter().map(|&part| (part, positive)));
            }
            (Op::Or, true) if pool.args(term).iter().all(|&part| is_null(pool, part, null)) => return true,
            (Op::And, false)
                if pool
                    .args(term)
                    .iter()
                    .all(|&part| pool.op(part) == Op::Not && is_null(pool, pool.args(part)[0], null)) =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}
