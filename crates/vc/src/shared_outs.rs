//! Calls of one procedure that exclude each other put their results into the same variables.
//!
//! Of two blocks of which neither reaches the other an execution takes at most one, so nothing ever
//! needs both results; and where the ways meet again the value is the same on both, which saves a
//! merge. What is said of the variables is guarded by the Booleans of the blocks.

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_ir::{BlockId, Proc, ProcId, StmtKind, Terminator};
use lariat_term::VarId;
use rustc_hash::FxHashMap;

/// The results of the calls that were met so far.
pub struct SharedOuts {
    /// A number for each block with calls, and for each block the numbers that it reaches.
    number: SecondaryMap<BlockId, Option<usize>>,
    reached: SecondaryMap<BlockId, Box<[u64]>>,
    groups: FxHashMap<ProcId, Vec<Group>>,
}

struct Group {
    blocks: Vec<BlockId>,
    outs: Vec<VarId>,
}

impl SharedOuts {
    /// For a procedure whose blocks are in this order, each before those that it reaches.
    pub fn new(proc: &Proc, order: &[BlockId], in_place: &EntitySet<ProcId>) -> Self {
        let mut callees: Vec<ProcId> = Vec::new();
        let mut number = SecondaryMap::<BlockId, Option<usize>>::new();
        let mut count = 0;
        for &block in order {
            for stmt in &proc.blocks[block].stmts {
                if let StmtKind::Call(call) = &stmt.kind {
                    callees.push(call.callee);
                    if number[block].is_none() {
                        number[block] = Some(count);
                        count += 1;
                    }
                }
            }
        }
        let mut reached: SecondaryMap<BlockId, Box<[u64]>> = SecondaryMap::with_default(vec![].into());
        let called = callees.len();
        callees.sort_unstable();
        callees.dedup();
        // Calls inside procedures that are executed in place may repeat as well.
        if called > callees.len() || callees.iter().any(|&callee| in_place.contains(callee)) {
            for &block in order.iter().rev() {
                let mut set = vec![0u64; count.div_ceil(64)].into_boxed_slice();
                if let Some(number) = number[block] {
                    set[number / 64] |= 1 << (number % 64);
                }
                if let Terminator::Goto(targets) = &proc.blocks[block].terminator {
                    for &target in targets {
                        for (word, &more) in set.iter_mut().zip(&reached[target]) {
                            *word |= more;
                        }
                    }
                }
                reached[block] = set;
            }
        }
        SharedOuts {
            number,
            reached,
            groups: FxHashMap::default(),
        }
    }

    /// The results of a call that excludes this one, if there is any; this one then shares them.
    pub fn share(&mut self, block: BlockId, callee: ProcId) -> Option<Vec<VarId>> {
        let groups = self.groups.get(&callee)?;
        let excludes = |group: &Group| {
            group
                .blocks
                .iter()
                .all(|&other| !self.reaches(block, other) && !self.reaches(other, block))
        };
        let position = groups.iter().position(excludes)?;
        let group = &mut self.groups.get_mut(&callee)?[position];
        group.blocks.push(block);
        Some(group.outs.clone())
    }

    /// Notes the results of a call that shares none.
    pub fn note(&mut self, block: BlockId, callee: ProcId, outs: &[VarId]) {
        self.groups.entry(callee).or_default().push(Group {
            blocks: vec![block],
            outs: outs.to_vec(),
        });
    }

    fn reaches(&self, from: BlockId, to: BlockId) -> bool {
        match self.number[to] {
            Some(number) => self.reached[from]
                .get(number / 64)
                .is_none_or(|word| word >> (number % 64) & 1 == 1),
            None => true,
        }
    }
}
