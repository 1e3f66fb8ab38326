//! Post-dominators: which blocks every way to the end of a procedure goes through.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use lariat_ir::{BlockId, Proc};

/// The post-dominator tree of a procedure. Ends are returns and blocks without successors; a block
/// that reaches no end is post-dominated by itself only.
#[derive(Clone, Debug)]
pub struct PostDominators {
    /// `None` for blocks that only the virtual end post-dominates, and for those that reach no end.
    immediate: SecondaryMap<BlockId, PackedOption<BlockId>>,
    /// The interval of a depth-first walk over the tree: a block post-dominates what lies inside.
    intervals: SecondaryMap<BlockId, (u32, u32)>,
}

/// The virtual block after all ends comes first in all orders.
const END: usize = 0;

impl PostDominators {
    pub fn of(proc: &Proc) -> Self {
        let predecessors = proc.predecessors();
        let mut order: Vec<Option<BlockId>> = Vec::new();
        let mut position: SecondaryMap<BlockId, usize> = SecondaryMap::new();
        reverse_postorder_from_end(proc, &predecessors, &mut order);
        for (index, block) in order.iter().enumerate() {
            if let Some(block) = block {
                position[*block] = index;
            }
        }
        let parents = immediate(proc, &order, &position);
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        let mut nearest = SecondaryMap::new();
        for (index, parent) in parents.iter().enumerate().skip(1) {
            if let Some(parent) = *parent {
                children[parent].push(index);
                if let Some(block) = order[index] {
                    nearest[block] = order[parent].into();
                }
            }
        }
        let mut intervals = SecondaryMap::new();
        let mut clock = 0;
        let mut stack = vec![(END, false)];
        while let Some((node, leaving)) = stack.pop() {
            clock += 1;
            if let Some(block) = order[node] {
                let interval: &mut (u32, u32) = &mut intervals[block];
                if leaving {
                    interval.1 = clock;
                } else {
                    interval.0 = clock;
                }
            }
            if !leaving {
                stack.push((node, true));
                stack.extend(children[node].iter().map(|&child| (child, false)));
            }
        }
        PostDominators {
            immediate: nearest,
            intervals,
        }
    }

    /// The first block that every way from `block` to an end goes through.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate[block].expand()
    }

    /// Whether every way from `block` to an end goes through `other`; so for the block itself.
    pub fn post_dominates(&self, other: BlockId, block: BlockId) -> bool {
        let ((start, end), (inner_start, inner_end)) = (self.intervals[other], self.intervals[block]);
        other == block || (start != 0 && inner_start != 0 && start < inner_start && inner_end < end)
    }
}

/// The end first, then blocks from which it is reached, each before its predecessors except along
/// back edges.
fn reverse_postorder_from_end(
    proc: &Proc,
    predecessors: &SecondaryMap<BlockId, smallvec::SmallVec<[BlockId; 2]>>,
    order: &mut Vec<Option<BlockId>>,
) {
    let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    for (end, block) in proc.blocks.iter() {
        if !block.successors().is_empty() || seen[end] {
            continue;
        }
        seen[end] = true;
        let mut stack = vec![(end, 0)];
        while let Some((block, next)) = stack.last_mut() {
            match predecessors[*block].get(*next) {
                Some(&predecessor) => {
                    *next += 1;
                    if !seen[predecessor] {
                        seen[predecessor] = true;
                        stack.push((predecessor, 0));
                    }
                }
                None => {
                    order.push(Some(*block));
                    stack.pop();
                }
            }
        }
    }
    order.push(None);
    order.reverse();
}

/// Immediate post-dominators by iteration over the order (Cooper, Harvey, Kennedy: "A Simple, Fast
/// Dominance Algorithm", Fig. 3, on the reversed graph).
fn immediate(
    proc: &Proc,
    order: &[Option<BlockId>],
    position: &SecondaryMap<BlockId, usize>,
) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; order.len()];
    parents[END] = Some(END);
    let mut changed = true;
    while changed {
        changed = false;
        for index in 1..order.len() {
            let Some(block) = order[index] else { continue };
            let successors = proc.blocks[block].successors();
            let mut parent = successors.is_empty().then_some(END);
            for &successor in successors {
                let successor = position[successor];
                // A successor that reaches no end has no position, like the virtual end.
                if successor == END || parents[successor].is_none() {
                    continue;
                }
                parent = Some(match parent {
                    None => successor,
                    Some(other) => intersect(&parents, other, successor),
                });
            }
            if parent.is_some() && parents[index] != parent {
                parents[index] = parent;
                changed = true;
            }
        }
    }
    parents
}

fn intersect(parents: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = parents[a].unwrap_or(END);
        } else {
            b = parents[b].unwrap_or(END);
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::PrimaryMap;
    use lariat_ir::{Block, ProcKind, Terminator};

    /// A procedure with these edges; a block without any returns.
    fn proc(edges: &[&[u32]]) -> Proc {
        let mut blocks = PrimaryMap::new();
        for targets in edges {
            blocks.push(Block {
                label: None,
                stmts: Vec::new(),
                terminator: match targets {
                    [] => Terminator::Return,
                    _ => Terminator::Goto(targets.iter().map(|&target| block(target)).collect()),
                },
                span: None,
            });
        }
        Proc::new("p".into(), ProcKind::Source, blocks, block(0))
    }

    fn block(index: u32) -> BlockId {
        BlockId::from_u32(index)
    }

    #[test]
    fn joins_post_dominate_and_arms_do_not() {
        let tree = PostDominators::of(&proc(&[&[1, 2], &[3], &[3], &[4, 5], &[3], &[]]));
        for (other, inner, expected) in [
            (3, 0, true),
            (5, 0, true),
            (5, 4, true),
            (3, 4, true),
            (1, 0, false),
            (4, 3, false),
            (0, 3, false),
            (2, 2, true),
        ] {
            assert_eq!(
                tree.post_dominates(block(other), block(inner)),
                expected,
                "{other} after {inner}"
            );
        }
        for (inner, expected) in [(0, Some(3)), (1, Some(3)), (3, Some(5)), (4, Some(3)), (5, None)] {
            assert_eq!(tree.immediate(block(inner)), expected.map(block), "after {inner}");
        }
    }

    #[test]
    fn blocks_that_reach_no_end_have_none_after_them() {
        let tree = PostDominators::of(&proc(&[&[1, 2], &[1], &[]]));
        assert!(!tree.post_dominates(block(2), block(1)));
        assert!(!tree.post_dominates(block(1), block(0)));
        assert_eq!(tree.immediate(block(1)), None);
    }
}
