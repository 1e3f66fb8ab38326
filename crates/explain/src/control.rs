//! Which jumps decide what: post-dominators, and what happens between a jump and its join.
//!
//! An end is a return, a block without successors, and a block from which no execution goes on because it assumes
//! `false` or calls a procedure that never returns.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use lariat_ir::{Block, BlockId, Proc, ProcId, Program, StmtKind, Terminator};
use lariat_passes::{CallGraph, ModRef, PostDominators};
use lariat_term::VarId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// What explanations need to know of a program; the same for all its traces.
pub struct ProgramFacts {
    mod_ref: ModRef,
    returns: SecondaryMap<ProcId, bool>,
}

impl ProgramFacts {
    pub fn of(program: &Program) -> Self {
        let calls = CallGraph::new(program);
        let mod_ref = ModRef::new(program, &calls);
        let mut facts = ProgramFacts {
            mod_ref,
            returns: SecondaryMap::new(),
        };
        for component in calls.components() {
            let mut changed = true;
            while changed {
                changed = false;
                for &proc in component {
                    if !facts.returns[proc] && facts.can_return(program, proc) {
                        facts.returns[proc] = true;
                        changed = true;
                    }
                }
            }
        }
        facts
    }

    fn can_return(&self, program: &Program, proc: ProcId) -> bool {
        let data = &program.procs[proc];
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        let mut work = vec![data.entry];
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut seen[id], true) {
                continue;
            }
            let block = &data.blocks[id];
            if self.is_dead_end(program, block) {
                continue;
            }
            match &block.terminator {
                Terminator::Return => return true,
                Terminator::Goto(targets) => work.extend(targets),
            }
        }
        false
    }

    /// Whether no execution goes on from the block.
    fn is_dead_end(&self, program: &Program, block: &Block) -> bool {
        let stops = |kind: &StmtKind| match kind {
            StmtKind::Assume(condition) => program.pool.as_bool(*condition) == Some(false),
            StmtKind::Call(call) => !self.returns[call.callee],
            _ => false,
        };
        block.terminator == Terminator::Goto(SmallVec::new()) || block.stmts.iter().any(|s| stops(&s.kind))
    }
}

/// What can happen between a jump and the block where its ways meet again.
#[derive(Default)]
pub(crate) struct Region {
    /// Variables of the procedure and globals that may be written.
    pub writes: FxHashSet<VarId>,
    /// Some way never gets to the join.
    pub has_dead_end: bool,
}

/// The jumps of the procedures on a trace.
pub(crate) struct Jumps<'a> {
    program: &'a Program,
    facts: &'a ProgramFacts,
    trees: FxHashMap<ProcId, PostDominators>,
    regions: FxHashMap<(ProcId, BlockId), Region>,
}

impl<'a> Jumps<'a> {
    pub fn new(program: &'a Program, facts: &'a ProgramFacts) -> Self {
        Jumps {
            program,
            facts,
            trees: FxHashMap::default(),
            regions: FxHashMap::default(),
        }
    }

    /// Where the ways from a jump meet again; `None`: at the end of the procedure, if at all.
    pub fn join(&mut self, proc: ProcId, block: BlockId) -> Option<BlockId> {
        let (program, facts) = (self.program, self.facts);
        self.trees
            .entry(proc)
            .or_insert_with(|| PostDominators::of(&skeleton(program, facts, &program.procs[proc])))
            .immediate(block)
    }

    pub fn region(&mut self, proc: ProcId, block: BlockId) -> &Region {
        let join = self.join(proc, block);
        let (program, facts) = (self.program, self.facts);
        self.regions
            .entry((proc, block))
            .or_insert_with(|| region(program, facts, &program.procs[proc], block, join))
    }
}

/// The graph of a procedure, without statements; dead ends have no successors.
fn skeleton(program: &Program, facts: &ProgramFacts, proc: &Proc) -> Proc {
    let mut blocks = PrimaryMap::with_capacity(proc.blocks.len());
    for block in proc.blocks.values() {
        blocks.push(Block::new(if facts.is_dead_end(program, block) {
            Terminator::Goto(SmallVec::new())
        } else {
            block.terminator.clone()
        }));
    }
    Proc::new(proc.name.clone(), proc.kind.clone(), blocks, proc.entry)
}

fn region(
    program: &Program,
    facts: &ProgramFacts,
    proc: &Proc,
    from: BlockId,
    join: Option<BlockId>,
) -> Region {
    let mut region = Region::default();
    let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    let mut work: Vec<BlockId> = proc.blocks[from].successors().to_vec();
    while let Some(id) = work.pop() {
        if Some(id) == join || std::mem::replace(&mut seen[id], true) {
            continue;
        }
        let block = &proc.blocks[id];
        if facts.is_dead_end(program, block) {
            region.has_dead_end = true;
            continue;
        }
        for stmt in &block.stmts {
            region.writes.extend(stmt.assigned());
            if let StmtKind::Call(call) = &stmt.kind {
                region.writes.extend(facts.mod_ref.may_write(call.callee));
            }
        }
        work.extend(block.successors());
    }
    region
}
