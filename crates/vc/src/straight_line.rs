//! Procedures that are executed in place of their calls.
//!
//! A procedure of one block that calls only such procedures adds no choice to an execution: its
//! statements can stand in the caller's block. That costs its size once per call site and saves a
//! call site, its interface and its refinement.

use std::collections::hash_map::Entry;

use cranelift_entity::EntitySet;
use lariat_ir::{ProcId, ProcKind, Program, Stmt, StmtKind, Terminator};
use lariat_term::VarId;
use rustc_hash::FxHashMap;

/// A procedure is executed in place only if it has at most this many statements, those of the
/// procedures that it calls included.
const MAX_STATEMENTS: usize = 100;

/// The procedures of the program that are executed in place.
pub fn straight_line_procs(program: &Program, error: Option<VarId>) -> EntitySet<ProcId> {
    let mut sizes: FxHashMap<ProcId, Option<usize>> = FxHashMap::default();
    for root in program.procs.keys() {
        let mut stack = vec![(root, false)];
        while let Some((proc, expanded)) = stack.pop() {
            if expanded {
                let size = size(program, proc, &sizes).filter(|_| !may_fail(program, proc, error));
                sizes.insert(proc, size);
            } else if let Entry::Vacant(entry) = sizes.entry(proc) {
                // Until it is known, and so for a recursive call, the answer is no.
                entry.insert(None);
                stack.push((proc, true));
                if is_one_block(program, proc) {
                    stack.extend(callees(program, proc).map(|callee| (callee, false)));
                }
            }
        }
    }
    let mut set = EntitySet::new();
    for proc in program.procs.keys() {
        if sizes[&proc].is_some() {
            set.insert(proc);
        }
    }
    set
}

/// Loops are left out: in a trace they are no calls.
fn is_one_block(program: &Program, proc: ProcId) -> bool {
    let proc = &program.procs[proc];
    proc.kind == ProcKind::Source && proc.blocks[proc.entry].terminator == Terminator::Return
}

/// Whether the procedure itself sets the error flag: then it stays a call, which a trace shows.
fn may_fail(program: &Program, proc: ProcId, error: Option<VarId>) -> bool {
    let proc = &program.procs[proc];
    let sets_error = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Assign(assignments) => assignments.iter().any(|(var, _)| Some(*var) == error),
        _ => false,
    };
    error.is_some() && proc.blocks[proc.entry].stmts.iter().any(sets_error)
}

fn callees(program: &Program, proc: ProcId) -> impl Iterator<Item = ProcId> + '_ {
    let proc = &program.procs[proc];
    proc.blocks[proc.entry]
        .stmts
        .iter()
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::Call(call) => Some(call.callee),
            _ => None,
        })
}

fn size(program: &Program, proc: ProcId, sizes: &FxHashMap<ProcId, Option<usize>>) -> Option<usize> {
    if !is_one_block(program, proc) {
        return None;
    }
    let own = program.procs[proc].blocks[program.procs[proc].entry].stmts.len();
    let mut total = own;
    for callee in callees(program, proc) {
        total += sizes.get(&callee).copied().flatten()?;
    }
    (total <= MAX_STATEMENTS).then_some(total)
}
