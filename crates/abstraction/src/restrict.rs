//! The concrete program with the blocks of one path only.

use lariat_ir::{BlockId, ProcId, Terminator};
use lariat_smt::Stop;
use lariat_vc::Problem;
use rustc_hash::FxHashSet;

use crate::path_program::{PathEvent, walk_path};

/// The problem in which each procedure has only the blocks that some activation of it visits on the
/// path. Its executions are executions of the problem, and those along the path are among them: an engine
/// that is given it finds a feasible path again quickly, with all it needs for a trace. `in_place` as in
/// [`crate::PathProgram::new`].
pub fn restrict_to_path(problem: &Problem, blocks: &[BlockId], in_place: bool) -> Result<Problem, Stop> {
    let mut taken: FxHashSet<(ProcId, BlockId)> = FxHashSet::default();
    walk_path(problem, blocks, in_place, |event| {
        if let PathEvent::Block(proc, block) = event {
            taken.insert((proc, block));
        }
    })?;
    let mut result = problem.clone();
    for (id, proc) in result.program.procs.iter_mut() {
        for block in proc.blocks.values_mut() {
            if let Terminator::Goto(targets) = &mut block.terminator {
                targets.retain(|target| taken.contains(&(id, *target)));
            }
        }
    }
    Ok(result)
}
