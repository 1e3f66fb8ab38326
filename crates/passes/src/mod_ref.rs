//! The globals that a procedure may write or read, with all that it calls.

use cranelift_entity::SecondaryMap;
use lariat_ir::{ProcId, Program};
use lariat_term::{VarId, VarSet};
use rustc_hash::FxHashMap;

use crate::bit_set::BitSet;
use crate::call_graph::CallGraph;
use crate::free_vars::FreeVars;

/// The globals of a program, numbered in ascending order of their ids.
#[derive(Clone, Debug)]
pub(crate) struct Globals {
    vars: Vec<VarId>,
    numbers: FxHashMap<VarId, usize>,
}

impl Globals {
    pub(crate) fn new(program: &Program) -> Self {
        let mut vars = program.globals.clone();
        vars.sort_unstable();
        vars.dedup();
        let numbers = vars
            .iter()
            .enumerate()
            .map(|(number, &var)| (var, number))
            .collect();
        Globals { vars, numbers }
    }

    pub(crate) fn len(&self) -> usize {
        self.vars.len()
    }

    pub(crate) fn number(&self, var: VarId) -> Option<usize> {
        self.numbers.get(&var).copied()
    }

    pub(crate) fn vars(&self, set: &BitSet) -> Vec<VarId> {
        set.iter().map(|number| self.vars[number]).collect()
    }
}

/// For each procedure the globals that it or its callees may write, and may read. A global
/// whose value before the call can matter is among those read or, if it is also needed
/// after the call, not written on some path; [`lariat_ir::Interface`] distinguishes this.
#[derive(Clone, Debug)]
pub struct ModRef {
    globals: Globals,
    writes: SecondaryMap<ProcId, BitSet>,
    reads: SecondaryMap<ProcId, BitSet>,
}

impl ModRef {
    pub fn new(program: &Program, calls: &CallGraph) -> Self {
        let globals = Globals::new(program);
        let empty = BitSet::with_capacity(globals.len());
        let mut writes = SecondaryMap::with_default(empty.clone());
        let mut reads = SecondaryMap::with_default(empty);
        let mut free_vars = FreeVars::default();
        for component in calls.components() {
            let (mut written, mut read) = (
                BitSet::with_capacity(globals.len()),
                BitSet::with_capacity(globals.len()),
            );
            for &proc in component {
                for callee in calls.callees(proc) {
                    written.union_with(&writes[*callee]);
                    read.union_with(&reads[*callee]);
                }
                for stmt in program.procs[proc].blocks.values().flat_map(|block| &block.stmts) {
                    free_vars.visit_reads(&program.pool, stmt, |var| {
                        if let Some(number) = globals.number(var) {
                            read.insert(number);
                        }
                    });
                    for number in stmt.assigned().into_iter().filter_map(|var| globals.number(var)) {
                        written.insert(number);
                    }
                }
            }
            for &proc in component {
                writes[proc] = written.clone();
                reads[proc] = read.clone();
            }
        }
        ModRef {
            globals,
            writes,
            reads,
        }
    }

    /// The globals that the procedure may write, in ascending order.
    pub fn may_write(&self, proc: ProcId) -> Vec<VarId> {
        self.globals.vars(&self.writes[proc])
    }

    /// The globals that the procedure may read, in ascending order.
    pub fn may_read(&self, proc: ProcId) -> Vec<VarId> {
        self.globals.vars(&self.reads[proc])
    }

    pub(crate) fn globals(&self) -> &Globals {
        &self.globals
    }

    pub(crate) fn written(&self, proc: ProcId) -> &BitSet {
        &self.writes[proc]
    }

    /// Whether calling the procedure may change the variable, which may be of any kind.
    pub fn writes(&self, proc: ProcId, var: VarId) -> bool {
        let number = self.globals.number(var);
        number.is_some_and(|number| self.writes[proc].contains(number))
    }
}

/// The globals of the program as a set.
pub(crate) fn global_set(program: &Program) -> VarSet {
    program.globals.iter().copied().collect()
}
