//! Cutting away what no returning execution passes.
//!
//! The question about an instrumented program is whether its entry returns. So a block from
//! which no `return` can be reached is irrelevant, and so is a call of a procedure that never
//! returns: nothing after it is ever executed.

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_ir::{BlockId, Proc, ProcId, Program, StmtKind, Terminator};

use crate::call_graph::CallGraph;
use crate::compact_blocks::compact_blocks;

/// Removes blocks that cannot lead to a return of their procedure. The program is at
/// [`lariat_ir::Stage::Instrumented`].
pub fn remove_dead_ends(program: &mut Program) {
    let returning = returning_procedures(program);
    for proc in program.procs.values_mut() {
        for block in proc.blocks.values_mut() {
            let blocked = block.stmts.iter().any(|stmt| match &stmt.kind {
                StmtKind::Call(call) => !returning.contains(call.callee),
                StmtKind::Assume(condition) => program.pool.as_bool(*condition) == Some(false),
                _ => false,
            });
            if blocked {
                block.stmts.clear();
                block.terminator = Terminator::Goto(Default::default());
            }
        }
        let useful = blocks_that_return(proc);
        for (id, block) in proc.blocks.iter_mut() {
            if !useful.contains(id) {
                block.stmts.clear();
            }
            if let Terminator::Goto(targets) = &mut block.terminator {
                targets.retain(|target| useful.contains(*target));
            }
        }
        compact_blocks(proc);
    }
}

fn blocks_that_return(proc: &Proc) -> EntitySet<BlockId> {
    let predecessors = proc.predecessors();
    let mut useful = EntitySet::new();
    let mut work: Vec<BlockId> = proc
        .blocks
        .iter()
        .filter(|(_, block)| block.terminator == Terminator::Return)
        .map(|(id, _)| id)
        .collect();
    while let Some(block) = work.pop() {
        if useful.insert(block) {
            work.extend(&predecessors[block]);
        }
    }
    useful
}

/// The procedures that some path leads through to a `return`, with calls of such procedures
/// only. What is assumed on the path is not looked at, except for `false`.
fn returning_procedures(program: &Program) -> EntitySet<ProcId> {
    let calls = CallGraph::new(program);
    let mut returning = EntitySet::new();
    for component in calls.components() {
        let mut waiting: SecondaryMap<ProcId, bool> = SecondaryMap::new();
        let mut work: Vec<ProcId> = component.clone();
        component.iter().for_each(|&proc| waiting[proc] = true);
        while let Some(proc) = work.pop() {
            waiting[proc] = false;
            if !returning.contains(proc) && has_returning_path(program, proc, &returning) {
                returning.insert(proc);
                for &caller in calls.callers(proc) {
                    let same = component.binary_search(&caller).is_ok();
                    if same && !returning.contains(caller) && !std::mem::replace(&mut waiting[caller], true) {
                        work.push(caller);
                    }
                }
            }
        }
    }
    returning
}

fn has_returning_path(program: &Program, id: ProcId, returning: &EntitySet<ProcId>) -> bool {
    let proc = &program.procs[id];
    let mut seen = EntitySet::new();
    let mut work = vec![proc.entry];
    while let Some(block) = work.pop() {
        if !seen.insert(block) {
            continue;
        }
        let data = &proc.blocks[block];
        let passes = data.stmts.iter().all(|stmt| match &stmt.kind {
            StmtKind::Call(call) => returning.contains(call.callee),
            StmtKind::Assume(condition) => program.pool.as_bool(*condition) != Some(false),
            _ => true,
        });
        if passes {
            if data.terminator == Terminator::Return {
                return true;
            }
            work.extend(data.successors());
        }
    }
    false
}
