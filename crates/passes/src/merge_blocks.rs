//! Fewer blocks for the same paths.

use cranelift_entity::SecondaryMap;
use lariat_ir::{Block, BlockId, Proc, Program, Terminator};

use crate::compact_blocks::compact_blocks;

/// Skips blocks that only go on to another one, drops repeated targets of a `goto`, and joins
/// a block with its only successor where it is that one's only predecessor. A block with an
/// `enter` is not empty, so every branch that mattered can still be read off the trace.
pub fn merge_blocks(program: &mut Program) {
    for proc in program.procs.values_mut() {
        skip_empty_blocks(proc);
        compact_blocks(proc);
        join_chains(proc);
        compact_blocks(proc);
    }
}

fn forward_target(block: &Block) -> Option<BlockId> {
    match block.successors() {
        [target] if block.stmts.is_empty() => Some(*target),
        _ => None,
    }
}

fn skip_empty_blocks(proc: &mut Proc) {
    // Where each block leads to, with paths shortened as they are found.
    let mut leads_to: SecondaryMap<BlockId, Option<BlockId>> = SecondaryMap::new();
    for block in proc.blocks.keys() {
        let mut path = Vec::new();
        let mut end = block;
        // In a circle of empty blocks the path is no longer than the number of blocks.
        while path.len() <= proc.blocks.len() {
            let next = leads_to[end].or_else(|| forward_target(&proc.blocks[end]));
            match next {
                Some(next) if next != end => {
                    path.push(end);
                    end = next;
                }
                _ => break,
            }
        }
        if path.len() <= proc.blocks.len() {
            for member in path {
                leads_to[member] = Some(end);
            }
        }
    }
    for block in proc.blocks.values_mut() {
        if let Terminator::Goto(targets) = &mut block.terminator {
            for target in targets.iter_mut() {
                *target = leads_to[*target].unwrap_or(*target);
            }
            let mut seen = rustc_hash::FxHashSet::default();
            if targets.len() > 1 {
                targets.retain(|target| seen.insert(*target));
            }
        }
    }
}

fn join_chains(proc: &mut Proc) {
    let mut entered: SecondaryMap<BlockId, u32> = SecondaryMap::new();
    for block in proc.blocks.values() {
        for &successor in block.successors() {
            entered[successor] += 1;
        }
    }
    for block in proc.reverse_postorder() {
        loop {
            let next = match proc.blocks[block].successors() {
                [next] if *next != block && entered[*next] == 1 => *next,
                _ => break,
            };
            let joined = std::mem::replace(
                &mut proc.blocks[next],
                Block::new(Terminator::Goto(Default::default())),
            );
            let first = &mut proc.blocks[block];
            first.stmts.extend(joined.stmts);
            first.terminator = joined.terminator;
            first.span = joined.span.or(first.span);
            if first.label.is_none() {
                first.label = joined.label;
            }
        }
    }
}
