//! Marks that let a trace of the transformed program be replayed on the lowered one.

use cranelift_entity::EntitySet;
use lariat_ir::{BlockId, Origin, Program, StmtKind};

/// Puts `enter b` at the start of every block that is one of several targets of a `goto`.
/// Runs before any other pass, so that `b` is the id that the block has as lowered.
pub fn mark_blocks(program: &mut Program) {
    for id in program.procs.keys().collect::<Vec<_>>() {
        let mut chosen = EntitySet::<BlockId>::new();
        for block in program.procs[id].blocks.values() {
            if let targets @ [_, _, ..] = block.successors() {
                for &target in targets {
                    chosen.insert(target);
                }
            }
        }
        for block in program.procs[id].blocks.keys().collect::<Vec<_>>() {
            if chosen.contains(block) {
                let span = program.procs[id].blocks[block]
                    .stmts
                    .first()
                    .and_then(|stmt| stmt.span);
                let mark = program.stmt(StmtKind::Enter(block), span, Origin::Internal);
                program.procs[id].blocks[block].stmts.insert(0, mark);
            }
        }
    }
}
