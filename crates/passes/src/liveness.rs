//! Liveness of the variables of one procedure.
//!
//! A variable is live at a point if some path from there reads it before writing it. It is
//! found variable by variable, backwards from the blocks that read it: the cost is the sum
//! of the live ranges, whatever the number of variables that a large procedure has.

use cranelift_entity::SecondaryMap;
use lariat_ir::{BlockId, Proc, Terminator};
use lariat_term::{TermPool, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::free_vars::FreeVars;

/// What one block does with one variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub(crate) block: BlockId,
    /// Reads it before any write of its own.
    pub(crate) exposed: bool,
    pub(crate) written: bool,
}

/// For each tracked variable the blocks that read or write it, in ascending order.
pub(crate) struct Occurrences {
    by_var: FxHashMap<VarId, Vec<Occurrence>>,
}

impl Occurrences {
    /// `returned` are the variables that a `return` reads.
    pub(crate) fn new(
        pool: &TermPool,
        proc: &Proc,
        free_vars: &mut FreeVars,
        returned: &[VarId],
        tracked: impl Fn(VarId) -> bool,
    ) -> Self {
        let mut by_var: FxHashMap<VarId, Vec<Occurrence>> = FxHashMap::default();
        for (block, data) in proc.blocks.iter() {
            let mut note = |var: VarId, write: bool| {
                if !tracked(var) {
                    return;
                }
                let list = by_var.entry(var).or_default();
                match list.last_mut() {
                    Some(last) if last.block == block => last.written |= write,
                    _ => list.push(Occurrence {
                        block,
                        exposed: !write,
                        written: write,
                    }),
                }
            };
            for stmt in &data.stmts {
                free_vars.visit_reads(pool, stmt, |var| note(var, false));
                for var in stmt.assigned() {
                    note(var, true);
                }
            }
            if data.terminator == Terminator::Return {
                for &var in returned {
                    note(var, false);
                }
            }
        }
        Occurrences { by_var }
    }

    pub(crate) fn of(&self, var: VarId) -> &[Occurrence] {
        self.by_var.get(&var).map_or(&[], Vec::as_slice)
    }
}

/// Finds the blocks at whose start a variable is live, one variable after the other.
pub(crate) struct LiveBlocks<'a> {
    predecessors: &'a SecondaryMap<BlockId, SmallVec<[BlockId; 2]>>,
    seen: SecondaryMap<BlockId, u32>,
    written: SecondaryMap<BlockId, u32>,
    round: u32,
    work: Vec<BlockId>,
}

impl<'a> LiveBlocks<'a> {
    pub(crate) fn new(predecessors: &'a SecondaryMap<BlockId, SmallVec<[BlockId; 2]>>) -> Self {
        LiveBlocks {
            predecessors,
            seen: SecondaryMap::new(),
            written: SecondaryMap::new(),
            round: 0,
            work: Vec::new(),
        }
    }

    /// Calls `visit` once for each block at whose start the variable is live.
    pub(crate) fn visit(&mut self, occurrences: &[Occurrence], mut visit: impl FnMut(BlockId)) {
        self.round += 1;
        for occurrence in occurrences {
            if occurrence.written {
                self.written[occurrence.block] = self.round;
            }
            if occurrence.exposed {
                self.seen[occurrence.block] = self.round;
                self.work.push(occurrence.block);
            }
        }
        while let Some(block) = self.work.pop() {
            visit(block);
            for &predecessor in &self.predecessors[block] {
                if self.seen[predecessor] != self.round && self.written[predecessor] != self.round {
                    self.seen[predecessor] = self.round;
                    self.work.push(predecessor);
                }
            }
        }
    }

    /// Whether the variable that was visited last is live at the start of the block.
    pub(crate) fn is_live(&self, block: BlockId) -> bool {
        self.round > 0 && self.seen[block] == self.round
    }
}
