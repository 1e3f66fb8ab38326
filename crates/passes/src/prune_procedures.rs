//! Dropping procedures that the entry does not reach.

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap, packed_option::PackedOption};
use lariat_ir::{Proc, ProcId, ProcKind, Program, StmtKind};

use crate::call_graph::CallGraph;
use crate::compact_blocks::compact_blocks;

/// What is left, and what it was called before.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The entry under its new id.
    pub entry: ProcId,
    /// For each procedure the id that it had.
    pub originals: PrimaryMap<ProcId, ProcId>,
}

/// Drops blocks that their procedure's entry does not reach and procedures that `entry` does
/// not reach through the rest, and their candidates. The procedure that a loop was taken from stays with the loop.
pub fn prune_procedures(program: &mut Program, entry: ProcId) -> Pruned {
    for proc in program.procs.values_mut() {
        compact_blocks(proc);
    }
    let calls = CallGraph::new(program);
    let mut kept = EntitySet::<ProcId>::new();
    let mut work = vec![entry];
    while let Some(proc) = work.pop() {
        if kept.insert(proc) {
            work.extend(calls.callees(proc));
            if let ProcKind::Loop { parent, .. } = program.procs[proc].kind {
                work.push(parent);
            }
        }
    }
    let mut new_id = SecondaryMap::<ProcId, PackedOption<ProcId>>::new();
    let mut originals = PrimaryMap::new();
    let mut procs = PrimaryMap::<ProcId, Proc>::new();
    for (old, proc) in std::mem::take(&mut program.procs).into_iter() {
        if kept.contains(old) {
            new_id[old] = procs.push(proc).into();
            originals.push(old);
        }
    }
    let renamed = |old: ProcId| new_id[old].expect("a callee of a kept procedure is kept");
    for proc in procs.values_mut() {
        if let ProcKind::Loop { parent, .. } = &mut proc.kind {
            *parent = renamed(*parent);
        }
        for stmt in proc.blocks.values_mut().flat_map(|block| &mut block.stmts) {
            if let StmtKind::Call(call) = &mut stmt.kind {
                call.callee = renamed(call.callee);
            }
        }
    }
    program.procs = procs;
    program
        .candidates
        .retain_mut(|candidate| match &mut candidate.proc {
            Some(proc) => {
                let renamed = new_id[*proc].expand();
                *proc = renamed.unwrap_or(*proc);
                renamed.is_some()
            }
            None => true,
        });
    Pruned {
        entry: renamed(entry),
        originals,
    }
}
