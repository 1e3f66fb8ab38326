//! Which procedures are inlined together with their callers.

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_ir::{ProcId, Program, StmtKind};
use lariat_passes::CallGraph;

/// The procedures whose whole tree of calls has at most `limit` statements; none that is recursive.
pub fn small_procs(program: &Program, calls: &CallGraph, limit: usize) -> EntitySet<ProcId> {
    let mut sizes = SecondaryMap::<ProcId, usize>::new();
    let mut small = EntitySet::new();
    // Callees come before callers.
    for &proc in calls.components().iter().flatten() {
        let mut size = 0usize;
        for stmt in program.procs[proc].blocks.values().flat_map(|block| &block.stmts) {
            size = size.saturating_add(1);
            if let StmtKind::Call(call) = &stmt.kind {
                size = size.saturating_add(sizes[call.callee]);
            }
        }
        sizes[proc] = if calls.is_recursive(proc) {
            usize::MAX
        } else {
            size
        };
        if sizes[proc] <= limit {
            small.insert(proc);
        }
    }
    small
}
