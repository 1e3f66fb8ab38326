//! The part of a program that a procedure reaches: what one entry costs must not depend on how large the module is.
//!
//! Procedures that are not reached stay as empty ones, so that all keep their numbers.

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use lariat_ir::{Block, Proc, ProcId, Program, Stmt, Terminator};
use lariat_passes::CallGraph;
use lariat_term::VarId;
use rustc_hash::FxHashSet;

/// Which constants each procedure mentions.
pub struct Cones {
    of_procs: SecondaryMap<ProcId, Vec<VarId>>,
    of_axioms: Vec<VarId>,
}

impl Cones {
    pub fn new(program: &Program) -> Self {
        let constants: FxHashSet<VarId> = program.constants.iter().copied().collect();
        let mut of_procs: SecondaryMap<ProcId, Vec<VarId>> = SecondaryMap::new();
        for (id, proc) in &program.procs {
            let stmts = proc.blocks.values().flat_map(|block| &block.stmts);
            let terms: Vec<_> = stmts.flat_map(Stmt::terms).collect();
            let free = program.pool.free_vars(&terms);
            of_procs[id] = free
                .iter()
                .copied()
                .filter(|var| constants.contains(var))
                .collect();
        }
        let axioms = program.axioms.iter().map(|axiom| axiom.term);
        let axioms: Vec<_> = axioms.chain(program.initial.iter().copied()).collect();
        let free = program.pool.free_vars(&axioms);
        Cones {
            of_procs,
            of_axioms: free
                .iter()
                .copied()
                .filter(|var| constants.contains(var))
                .collect(),
        }
    }

    /// A copy of the program with the procedures that `from` reaches, and the constants that they mention.
    pub fn cut(&self, program: &Program, calls: &CallGraph, from: ProcId) -> Program {
        let reachable: EntitySet<ProcId> = calls.reachable_from(from);
        let mut known: FxHashSet<VarId> = self.of_axioms.iter().copied().collect();
        let mut procs = PrimaryMap::with_capacity(program.procs.len());
        for (id, proc) in &program.procs {
            if reachable.contains(id) {
                known.extend(&self.of_procs[id]);
                procs.push(proc.clone());
                continue;
            }
            let mut blocks = PrimaryMap::new();
            let entry = blocks.push(Block::new(Terminator::Return));
            procs.push(Proc::new(proc.name.clone(), proc.kind.clone(), blocks, entry));
        }
        let mut cut = program.without_procs();
        cut.procs = procs;
        cut.constants.retain(|var| known.contains(var));
        cut
    }
}
