//! Known values are put in their variables' places, and what cannot be reached is cut.

use cranelift_entity::SecondaryMap;
use lariat_ir::{BlockId, ProcId, Program, Stmt, StmtKind, Terminator};
use smallvec::smallvec;

use crate::compact_blocks::compact_blocks;
use crate::constant_facts::{ConstantFacts, Facts, Flow, merge_into};

/// Puts known values (see [`crate::constant_facts`]) in place of variables, drops assumptions
/// that are then `true`, and ends blocks where one is `false`. The program is at
/// [`lariat_ir::Stage::Instrumented`].
pub fn propagate_constants(program: &mut Program, entry: ProcId) {
    let facts = ConstantFacts::new(program, entry);
    put_in_constants(program, facts);
}

/// The same with facts that were found in the program as it is.
pub(crate) fn put_in_constants(program: &mut Program, mut facts: ConstantFacts) {
    for proc in program.procs.keys().collect::<Vec<_>>() {
        if let Some(start) = facts.at_start(proc) {
            rewrite(program, proc, start, &mut facts);
            compact_blocks(&mut program.procs[proc]);
        }
    }
}

fn rewrite(program: &mut Program, proc: ProcId, start: Facts, facts: &mut ConstantFacts) {
    let mut pending = SecondaryMap::<BlockId, Option<Facts>>::new();
    pending[program.procs[proc].entry] = Some(start);
    for block in program.procs[proc].reverse_postorder() {
        let Some(mut state) = pending[block].take() else {
            stop(program, proc, block);
            continue;
        };
        let old = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
        let mut stmts = Vec::with_capacity(old.len());
        let mut flow = Flow::On;
        facts.start_block();
        for mut stmt in old {
            put_in(program, facts, &mut stmt, &state);
            flow = facts.step(program, proc, &stmt, &mut state);
            if flow == Flow::Stops {
                break;
            }
            let is_true =
                matches!(stmt.kind, StmtKind::Assume(term) if program.pool.as_bool(term) == Some(true));
            if !is_true {
                stmts.push(stmt);
            }
        }
        if flow == Flow::Stops {
            stop(program, proc, block);
            continue;
        }
        program.procs[proc].blocks[block].stmts = stmts;
        if let Terminator::Goto(targets) = &program.procs[proc].blocks[block].terminator {
            merge_into(&mut pending, targets, state);
        }
    }
}

/// No execution gets through the block.
fn stop(program: &mut Program, proc: ProcId, block: BlockId) {
    let data = &mut program.procs[proc].blocks[block];
    data.stmts.clear();
    data.terminator = Terminator::Goto(smallvec![]);
}

fn put_in(program: &mut Program, facts: &mut ConstantFacts, stmt: &mut Stmt, known: &Facts) {
    let pool = &mut program.pool;
    match &mut stmt.kind {
        StmtKind::Assume(condition) => {
            *condition = facts.evaluate(pool, *condition, known);
        }
        StmtKind::Assign(assignments) => {
            for (_, value) in assignments {
                *value = facts.evaluate(pool, *value, known);
            }
        }
        StmtKind::Call(call) => {
            for arg in &mut call.ins {
                *arg = facts.evaluate(pool, *arg, known);
            }
        }
        StmtKind::Assert { .. } | StmtKind::Havoc(_) | StmtKind::Enter(_) => {}
    }
}
