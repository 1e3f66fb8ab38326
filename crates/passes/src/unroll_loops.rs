//! Loops are unrolled a fixed number of times (`-loopUnroll:n`).
//!
//! The blocks of a loop are copied `n` times; an edge back to the head goes to the head of the next copy, and from the
//! last copy nowhere, or to a failing assertion if the caller wants to hear of executions that are left out.
//! Invariants become plain assertions.

use lariat_ir::{AssertId, AssertKind, Block, BlockId, Origin, ProcId, Program, StmtKind, Terminator};
use rustc_hash::FxHashMap;

use crate::compact_blocks::compact_blocks;
use crate::cut_loops::bodies;
use crate::loop_forest::find_loops;

/// The procedure has become too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// More blocks are not made.
const MOST_BLOCKS: usize = 400_000;

/// Unrolls all loops of a procedure so that each edge back to a head is followed at most `count` times. `beyond` is
/// the assertion that fails where executions are left out.
pub fn unroll_loops(
    program: &mut Program,
    proc: ProcId,
    count: u32,
    beyond: Option<AssertId>,
) -> Result<(), TooLarge> {
    compact_blocks(&mut program.procs[proc]);
    loop {
        let loops = find_loops(program, proc);
        let is_innermost = |index: usize| loops.iter().all(|found| found.parent != Some(index));
        let Some(index) = (0..loops.len()).find(|&index| is_innermost(index)) else {
            break;
        };
        let body = bodies(&loops).swap_remove(index);
        let head = loops[index].head;
        let members: Vec<BlockId> = program.procs[proc]
            .blocks
            .keys()
            .filter(|&block| body.contains(block))
            .collect();
        let copies = (count as usize).saturating_mul(members.len());
        if program.procs[proc].blocks.len().saturating_add(copies) > MOST_BLOCKS {
            return Err(TooLarge);
        }
        let stop = stop_block(program, proc, beyond);
        // The last copy is made first; the original is the first iteration.
        let mut next_head = stop;
        for _ in 0..count {
            next_head = copy_body(program, proc, &members, head, next_head);
        }
        for &block in &members {
            if let Terminator::Goto(targets) = &mut program.procs[proc].blocks[block].terminator {
                for target in targets.iter_mut().filter(|target| **target == head) {
                    *target = next_head;
                }
            }
        }
        compact_blocks(&mut program.procs[proc]);
    }
    for info in program.asserts.values_mut() {
        if info.kind == AssertKind::LoopInvariant {
            info.kind = AssertKind::Assert;
        }
    }
    Ok(())
}

fn stop_block(program: &mut Program, proc: ProcId, beyond: Option<AssertId>) -> BlockId {
    let mut block = Block::new(Terminator::Goto(Default::default()));
    if let Some(assert) = beyond {
        let condition = program.pool.bool(false);
        let span = program.asserts[assert].span;
        let kind = StmtKind::Assert { condition, assert };
        block.stmts.push(program.stmt(kind, span, Origin::Internal));
    }
    program.procs[proc].blocks.push(block)
}

/// A copy of the loop whose edges back go to `next_head`; the result is its own head.
fn copy_body(
    program: &mut Program,
    proc: ProcId,
    members: &[BlockId],
    head: BlockId,
    next_head: BlockId,
) -> BlockId {
    let blocks = &mut program.procs[proc].blocks;
    let mut copy_of: FxHashMap<BlockId, BlockId> = FxHashMap::default();
    for &block in members {
        let copy = blocks[block].clone();
        copy_of.insert(block, blocks.push(copy));
    }
    for &block in members {
        let copy = copy_of[&block];
        if let Terminator::Goto(targets) = &mut blocks[copy].terminator {
            for target in targets {
                *target = match copy_of.get(target) {
                    Some(_) if *target == head => next_head,
                    Some(&inside) => inside,
                    None => *target,
                };
            }
        }
    }
    copy_of[&head]
}
