//! Dropping blocks that the entry of their procedure does not reach.

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap, packed_option::PackedOption};
use lariat_ir::{Block, BlockId, Proc, Terminator};

/// Drops unreachable blocks; the others keep their order and are numbered anew.
pub(crate) fn compact_blocks(proc: &mut Proc) {
    let order = proc.reverse_postorder();
    if order.len() == proc.blocks.len() {
        return;
    }
    let mut reachable = EntitySet::new();
    for block in order {
        reachable.insert(block);
    }
    let mut new_id = SecondaryMap::<BlockId, PackedOption<BlockId>>::new();
    let mut blocks = PrimaryMap::<BlockId, Block>::new();
    for old in proc.blocks.keys().collect::<Vec<_>>() {
        if reachable.contains(old) {
            let block = std::mem::replace(
                &mut proc.blocks[old],
                Block::new(Terminator::Goto(Default::default())),
            );
            new_id[old] = blocks.push(block).into();
        }
    }
    let renamed = |old: BlockId| new_id[old].expect("a successor of a reachable block is reachable");
    for block in blocks.values_mut() {
        if let Terminator::Goto(targets) = &mut block.terminator {
            for target in targets {
                *target = renamed(*target);
            }
        }
    }
    proc.entry = renamed(proc.entry);
    proc.blocks = blocks;
}
