//! What inlining needs to know of a procedure's control flow: its call sites, and which of them can
//! never be on the same execution of the procedure.
//!
//! Invariant: [`Shape::disjoint`] is `Disj_blk` of [Dag15] §3.3, restricted to blocks with calls:
//! neither block can reach the other. A block is not disjoint from itself.

use cranelift_entity::SecondaryMap;
use lariat_ir::ProcId;
use lariat_vc::{PassiveBlockId, ProcVc};
use rustc_hash::FxHashMap;

/// The call sites of one procedure, in the order of [`ProcVc::call_sites`].
#[derive(Debug)]
pub struct Shape {
    pub callees: Vec<ProcId>,
    /// The block of each call site.
    pub blocks: Vec<PassiveBlockId>,
    /// Call sites of which every execution of the procedure that returns takes exactly one, all of one
    /// callee: the callee is inlined with the procedure.
    pub unavoidable: Vec<usize>,
    /// For each call site the bits of those that its block reaches or that reach it.
    connected: Vec<Box<[u64]>>,
}

impl Shape {
    pub fn new(vc: &ProcVc) -> Self {
        let block_of: FxHashMap<_, _> = vc.blocks.iter().map(|(id, block)| (block.control, id)).collect();
        let blocks: Vec<PassiveBlockId> = vc.call_sites.iter().map(|site| block_of[&site.control]).collect();
        let edges = vc.blocks.iter().map(|(id, block)| {
            let targets: Vec<PassiveBlockId> = block.successors.iter().map(|edge| edge.target).collect();
            (id, targets)
        });
        Self::from_blocks(
            vc.call_sites.iter().map(|site| site.callee).collect(),
            blocks,
            &edges.collect::<Vec<_>>(),
        )
    }

    /// From the call sites' callees and blocks, and the blocks in topological order with their successors.
    pub fn from_blocks(
        callees: Vec<ProcId>,
        blocks: Vec<PassiveBlockId>,
        edges: &[(PassiveBlockId, Vec<PassiveBlockId>)],
    ) -> Self {
        let words = callees.len().div_ceil(64);
        let mut in_block = SecondaryMap::<PassiveBlockId, Vec<usize>>::new();
        for (index, &block) in blocks.iter().enumerate() {
            in_block[block].push(index);
        }
        // For each block the call sites in it and in what it reaches.
        let mut reached: SecondaryMap<PassiveBlockId, Box<[u64]>> = SecondaryMap::with_default(vec![].into());
        for (block, targets) in edges.iter().rev() {
            let mut set = vec![0u64; words].into_boxed_slice();
            for &index in &in_block[*block] {
                set[index / 64] |= 1 << (index % 64);
            }
            for &target in targets {
                for (word, &more) in set.iter_mut().zip(&reached[target]) {
                    *word |= more;
                }
            }
            reached[*block] = set;
        }
        let mut connected: Vec<Box<[u64]>> = blocks.iter().map(|&block| reached[block].clone()).collect();
        for from in 0..callees.len() {
            for to in 0..callees.len() {
                if reached[blocks[from]][to / 64] >> (to % 64) & 1 == 1 {
                    connected[to][from / 64] |= 1 << (from % 64);
                }
            }
        }
        let mut shape = Shape {
            callees,
            blocks,
            unavoidable: Vec::new(),
            connected,
        };
        shape.unavoidable = shape.find_unavoidable(edges, &in_block);
        shape
    }

    fn find_unavoidable(
        &self,
        edges: &[(PassiveBlockId, Vec<PassiveBlockId>)],
        in_block: &SecondaryMap<PassiveBlockId, Vec<usize>>,
    ) -> Vec<usize> {
        let mut callees: Vec<ProcId> = self.callees.clone();
        callees.sort_unstable();
        callees.dedup();
        let words = callees.len().div_ceil(64);
        let bit = |callee: ProcId| callees.binary_search(&callee).unwrap_or(0);
        // For each block the callees that are called on every way from it to the end.
        let mut called: SecondaryMap<PassiveBlockId, Box<[u64]>> = SecondaryMap::with_default(vec![].into());
        for (block, targets) in edges.iter().rev() {
            let mut set: Box<[u64]> = match targets.split_first() {
                None => vec![0; words].into(),
                Some((first, rest)) => {
                    let mut common = called[*first].clone();
                    for &target in rest {
                        for (word, &other) in common.iter_mut().zip(&called[target]) {
                            *word &= other;
                        }
                    }
                    common
                }
            };
            for &index in &in_block[*block] {
                let bit = bit(self.callees[index]);
                set[bit / 64] |= 1 << (bit % 64);
            }
            called[*block] = set;
        }
        let Some((entry, _)) = edges.first() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for &callee in &callees {
            let bit = bit(callee);
            let sites: Vec<usize> = (0..self.callees.len())
                .filter(|&index| self.callees[index] == callee)
                .collect();
            let once = sites.iter().enumerate().all(|(position, &one)| {
                sites[position + 1..]
                    .iter()
                    .all(|&other| self.disjoint(one, other))
            });
            if called[*entry][bit / 64] >> (bit % 64) & 1 == 1 && once {
                found.extend(sites);
            }
        }
        found
    }

    /// Whether no execution of the procedure goes through both call sites.
    pub fn disjoint(&self, one: usize, other: usize) -> bool {
        self.connected[one][other / 64] >> (other % 64) & 1 == 0
    }
}
