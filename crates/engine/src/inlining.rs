//! Which procedures are inlined together with their callers.

use cranelift_entity::EntitySet;
use lariat_ir::{ProcId, Program};
use lariat_passes::CallGraph;

/// The procedures whose whole tree of calls has at most `limit` statements; none that is recursive.
pub fn small_procs(program: &Program, calls: &CallGraph, limit: usize) -> EntitySet<ProcId> {
    let own = |proc: ProcId| {
        Some(
            program.procs[proc]
                .blocks
                .values()
                .map(|block| block.stmts.len())
                .sum(),
        )
    };
    let sizes = calls.tree_sizes(program, own);
    let mut small = EntitySet::new();
    small.extend(
        program
            .procs
            .keys()
            .filter(|&proc| sizes[proc].is_some_and(|size| size <= limit)),
    );
    small
}
