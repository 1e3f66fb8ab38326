//! Procedures that are executed in place of their calls.
//!
//! A procedure of one block that calls only such procedures adds no choice to an execution: its
//! statements can stand in the caller's block. That costs its size once per call site and saves a
//! call site, its interface and its refinement.

use cranelift_entity::EntitySet;
use lariat_ir::{ProcId, ProcKind, Program, Stmt, StmtKind, Terminator};
use lariat_passes::CallGraph;
use lariat_term::VarId;

/// A procedure is executed in place only if it has at most this many statements, those of the
/// procedures that it calls included.
const MAX_STATEMENTS: usize = 100;

/// The procedures of the program that are executed in place.
pub fn straight_line_procs(program: &Program, error: Option<VarId>) -> EntitySet<ProcId> {
    let own = |proc: ProcId| {
        let stays = !is_one_block(program, proc) || may_fail(program, proc, error);
        (!stays).then(|| program.procs[proc].blocks[program.procs[proc].entry].stmts.len())
    };
    let sizes = CallGraph::new(program).tree_sizes(program, own);
    let mut set = EntitySet::new();
    set.extend(
        program
            .procs
            .keys()
            .filter(|&proc| sizes[proc].is_some_and(|size| size <= MAX_STATEMENTS)),
    );
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
