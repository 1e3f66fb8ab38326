//! Where executions come to an end of their own, for the question whether a success is an empty one.
//!
//! An execution is completed if the entry returns or if the program ends inside (`exit`, a jump to nowhere). An execution that
//! goes round a loop without a way out has been looked at as well, though it never ends. What is left are executions that
//! only an assumption ends: nothing is known of what comes after it.

use cranelift_entity::EntitySet;
use lariat_ir::{
    AssertId, AssertInfo, AssertKind, BlockId, Origin, Proc, ProcId, Program, StmtKind, Terminator,
};

/// What counts as an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// The program ends, or the entry returns.
    End,
    /// That, or a round of a loop that can never be left.
    EndOrEndless,
}

/// Puts an assertion that fails wherever an execution is completed. The program is at [`lariat_ir::Stage::Lowered`].
pub fn mark_completions(program: &mut Program, entry: ProcId, completion: Completion) -> AssertId {
    let assert = program.asserts.push(AssertInfo {
        kind: AssertKind::Assert,
        span: None,
        condition_span: None,
        id: None,
        message: None,
    });
    let condition = program.pool.bool(false);
    for id in program.procs.keys().collect::<Vec<_>>() {
        for block in ends(program, &program.procs[id], id == entry, completion) {
            let kind = StmtKind::Assert { condition, assert };
            let stmt = program.stmt(kind, None, Origin::Internal);
            program.procs[id].blocks[block].stmts.push(stmt);
        }
    }
    assert
}

/// The blocks at whose end an execution is completed.
fn ends(program: &Program, proc: &Proc, is_entry: bool, completion: Completion) -> Vec<BlockId> {
    let is_end = |block: BlockId| match &proc.blocks[block].terminator {
        Terminator::Return => is_entry,
        Terminator::Goto(targets) => targets.is_empty(),
    };
    let mut found: Vec<BlockId> = proc.blocks.keys().filter(|&block| is_end(block)).collect();
    if completion == Completion::EndOrEndless {
        found.extend(endless_rounds(program, proc));
    }
    found
}

/// Blocks that lead back to an earlier one, and from which no way leads out of the procedure.
fn endless_rounds(program: &Program, proc: &Proc) -> Vec<BlockId> {
    let is_blocked = |block: BlockId| {
        let mut stmts = proc.blocks[block].stmts.iter();
        stmts.any(|stmt| matches!(stmt.kind, StmtKind::Assume(condition) if program.pool.as_bool(condition) == Some(false)))
    };
    let predecessors = proc.predecessors();
    let mut leaving: EntitySet<BlockId> = EntitySet::new();
    let returns = |block: &BlockId| proc.blocks[*block].terminator == Terminator::Return;
    let mut work: Vec<BlockId> = proc.blocks.keys().filter(returns).collect();
    while let Some(block) = work.pop() {
        if !is_blocked(block) && leaving.insert(block) {
            work.extend(&predecessors[block]);
        }
    }
    let order = proc.reverse_postorder();
    let mut seen: EntitySet<BlockId> = EntitySet::new();
    let mut found = Vec::new();
    for block in order {
        seen.insert(block);
        let goes_back = proc.blocks[block]
            .successors()
            .iter()
            .any(|target| seen.contains(*target));
        if goes_back && !leaving.contains(block) {
            found.push(block);
        }
    }
    found
}
