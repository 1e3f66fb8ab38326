//! The value of a variable at a point of an acyclic procedure.
//!
//! This is the construction of static single assignment form by reading on demand: a block without
//! a definition asks its predecessors; if they disagree, a new incarnation is made for the join.
//! Blocks are processed after their predecessors, so an answer never changes.

use cranelift_entity::SecondaryMap;
use lariat_ir::{BlockId, Proc};
use lariat_term::{TermId, TermPool, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::passive::{Phi, fresh_incarnation};

/// The values a join merges, in the order of the block's predecessors.
#[derive(Clone)]
struct Join {
    incarnation: VarId,
    values: SmallVec<[TermId; 2]>,
}

pub(crate) struct ValueReader {
    entry: BlockId,
    predecessors: SecondaryMap<BlockId, SmallVec<[BlockId; 2]>>,
    /// Blocks that no execution gets through: they have nothing to say at joins.
    infeasible: SecondaryMap<BlockId, bool>,
    /// The value at the end of the block, as far as it was written or asked for.
    values: SecondaryMap<BlockId, FxHashMap<VarId, TermId>>,
    joins: SecondaryMap<BlockId, Vec<Join>>,
}

impl ValueReader {
    pub(crate) fn new(proc: &Proc, order: &[BlockId]) -> Self {
        let mut predecessors = SecondaryMap::<BlockId, SmallVec<[BlockId; 2]>>::new();
        for &block in order {
            for &successor in proc.blocks[block].successors() {
                if !predecessors[successor].contains(&block) {
                    predecessors[successor].push(block);
                }
            }
        }
        ValueReader {
            entry: proc.entry,
            predecessors,
            infeasible: SecondaryMap::new(),
            values: SecondaryMap::new(),
            joins: SecondaryMap::new(),
        }
    }

    pub(crate) fn write(&mut self, block: BlockId, var: VarId, value: TermId) {
        self.values[block].insert(var, value);
    }

    /// The value that the block itself gave to the variable, if it did.
    pub(crate) fn written(&self, block: BlockId, var: VarId) -> Option<TermId> {
        self.values[block].get(&var).copied()
    }

    pub(crate) fn mark_infeasible(&mut self, block: BlockId) {
        self.infeasible[block] = true;
    }

    /// The value at the current end of a block.
    pub(crate) fn read(&mut self, pool: &mut TermPool, block: BlockId, var: VarId) -> TermId {
        let mut stack = vec![block];
        while let Some(&top) = stack.last() {
            if self.values[top].contains_key(&var) {
                stack.pop();
                continue;
            }
            if top == self.entry || self.predecessors[top].is_empty() {
                let initial = pool.var(var);
                self.values[top].insert(var, initial);
                stack.pop();
                continue;
            }
            let missing: SmallVec<[BlockId; 2]> = self.predecessors[top]
                .iter()
                .copied()
                .filter(|&p| !self.values[p].contains_key(&var))
                .collect();
            if missing.is_empty() {
                let value = self.merge(pool, top, var);
                self.values[top].insert(var, value);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        self.values[block][&var]
    }

    fn merge(&mut self, pool: &mut TermPool, block: BlockId, var: VarId) -> TermId {
        let values: SmallVec<[TermId; 2]> = self.predecessors[block]
            .iter()
            .map(|&p| self.values[p][&var])
            .collect();
        let mut relevant = self.predecessors[block]
            .iter()
            .zip(&values)
            .filter(|&(&p, _)| !self.infeasible[p])
            .map(|(_, &v)| v);
        let first = relevant.next().unwrap_or(values[0]);
        if relevant.all(|value| value == first) {
            return first;
        }
        let incarnation = fresh_incarnation(pool, var);
        self.joins[block].push(Join { incarnation, values });
        pool.var(incarnation)
    }

    /// What the edge from `block` to `successor` says about the incarnations of the join there.
    pub(crate) fn phis(&self, block: BlockId, successor: BlockId) -> Vec<Phi> {
        let Some(position) = self.predecessors[successor].iter().position(|&p| p == block) else {
            return Vec::new();
        };
        self.joins[successor]
            .iter()
            .map(|join| Phi {
                incarnation: join.incarnation,
                value: join.values[position],
            })
            .collect()
    }
}
