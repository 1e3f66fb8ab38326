//! Procedures that always return: no assumption can block them and no recursion can go on
//! forever.
//!
//! That a value is of its type blocks nothing. A branch blocks nothing if the assumptions that its targets start with cover all cases,
//! like `c` and `!c`.

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_ir::{BlockId, Origin, ProcId, Program, StmtKind, Terminator};
use lariat_term::TermId;

use crate::call_graph::CallGraph;

/// The procedures that return from every state. The program is at
/// [`lariat_ir::Stage::Instrumented`].
pub(crate) fn total_procedures(program: &mut Program, calls: &CallGraph) -> EntitySet<ProcId> {
    let mut total = EntitySet::new();
    for component in calls.components() {
        let &[proc] = component.as_slice() else { continue };
        if !calls.is_recursive(proc) && is_total(program, proc, &total) {
            total.insert(proc);
        }
    }
    total
}

/// What a block needs in order to return.
#[derive(Clone, Copy, Default)]
struct BlockNeeds {
    /// It returns from every state in which `guard` holds; if not set, nothing is known.
    returns: bool,
    guard: Option<TermId>,
}

fn is_total(program: &mut Program, proc: ProcId, total: &EntitySet<ProcId>) -> bool {
    let mut needs = SecondaryMap::<BlockId, BlockNeeds>::new();
    let yes = program.pool.bool(true);
    let mut order = program.procs[proc].reverse_postorder();
    order.reverse();
    for block in order {
        let data = &program.procs[proc].blocks[block];
        let mut guards: Vec<TermId> = Vec::new();
        let mut at_start = true;
        let mut returns = true;
        for stmt in &data.stmts {
            match &stmt.kind {
                StmtKind::Enter(_) => {}
                StmtKind::Assume(_) if stmt.origin == Origin::Type => {}
                StmtKind::Assume(condition) if at_start => guards.push(*condition),
                StmtKind::Assume(condition) => returns &= *condition == yes,
                StmtKind::Assert { .. } => returns = false,
                StmtKind::Call(call) => {
                    at_start = false;
                    returns &= total.contains(call.callee);
                }
                StmtKind::Assign(_) | StmtKind::Havoc(_) => at_start = false,
            }
        }
        if let Terminator::Goto(targets) = &data.terminator {
            let cases: Vec<TermId> = targets
                .iter()
                .filter(|&&target| needs[target].returns)
                .map(|&target| needs[target].guard.unwrap_or(yes))
                .collect();
            returns &= !cases.is_empty() && program.pool.or(&cases) == yes;
        }
        needs[block] = BlockNeeds {
            returns,
            guard: Some(program.pool.and(&guards)),
        };
    }
    let start = needs[program.procs[proc].entry];
    start.returns && start.guard == Some(yes)
}
