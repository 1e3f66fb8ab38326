//! Loops are cut by the invariants that the user gave them (`--invariants check`).
//!
//! ```text
//!        │ ┌───────┐                    │
//!        ▼ ▼       │                    ▼
//!   head: I; rest  │      entry: assert I; goto head
//!        │ └─ … ───┘   ↦  head:  havoc what the loop changes; assume I; rest
//!        ▼                      │ └─ … ─> kept: assert I; stop
//!                               ▼
//! ```
//!
//! `I` is what the head starts with: assertions of kind [`AssertKind::LoopInvariant`], at least one, and
//! the assumptions among them (`free` invariants), which stay assumptions everywhere. Loops without
//! stay as they are. `havoc` knows no `where` clauses: what the proof needs of them must be in `I`.
//!
//! **It over-approximates.** Take an execution of the program, up to where it ends or first violates an
//! assertion. Whenever it is at the head `I` holds, or was just violated, which is a violation in `entry` or
//! `kept` too, since these are reached with the same state: `kept` from a head whose havoc chose
//! the state of the visit before. So an execution that leaves the loop is one that
//! enters it, has the havoc choose the state of the last visit, and leaves. The converse does not hold:
//! the havoc may choose a state that no execution has. A counterexample of a cut program is therefore none
//! of the program itself.

use std::sync::Arc;

use cranelift_entity::EntitySet;
use lariat_base::Span;
use lariat_ir::{AssertKind, Block, BlockId, Origin, ProcId, Program, Stmt, StmtKind, Terminator};
use lariat_term::VarId;

use crate::call_graph::CallGraph;
use crate::compact_blocks::compact_blocks;
use crate::loop_forest::{Loop, find_loops};
use crate::mod_ref::ModRef;

/// A loop that was cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutLoop {
    /// The name of its procedure.
    pub procedure: Arc<str>,
    /// Its first invariant.
    pub head: Option<Span>,
}

/// Cuts all loops that have invariants.
pub fn cut_loops(program: &mut Program) -> Vec<CutLoop> {
    let mod_ref = ModRef::new(program, &CallGraph::new(program));
    let mut cut = Vec::new();
    for proc in program.procs.keys().collect::<Vec<_>>() {
        if !program.procs[proc]
            .blocks
            .values()
            .any(|block| invariants(program, block) > 0)
        {
            continue;
        }
        compact_blocks(&mut program.procs[proc]);
        let loops = find_loops(program, proc);
        let bodies = bodies(&loops);
        let mut cuts = Vec::new();
        for (found, body) in loops.iter().zip(bodies) {
            let count = invariants(program, &program.procs[proc].blocks[found.head]);
            if count > 0 {
                cuts.push(Cut {
                    head: found.head,
                    changed: changed(program, &mod_ref, proc, &body),
                    body,
                    count,
                });
            }
        }
        for data in cuts {
            let span = cut_loop(program, proc, data);
            cut.push(CutLoop {
                procedure: program.procs[proc].name.clone(),
                head: span,
            });
        }
    }
    cut
}

struct Cut {
    head: BlockId,
    /// All its blocks, those of loops inside it too.
    body: EntitySet<BlockId>,
    /// In ascending order.
    changed: Vec<VarId>,
    /// How many statements at the start of the head are `I` (with marks).
    count: usize,
}

/// How many statements at the start of a block are invariants; none if only assumptions are.
fn invariants(program: &Program, block: &Block) -> usize {
    let is_invariant = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Assert { assert, .. } => program.asserts[*assert].kind == AssertKind::LoopInvariant,
        _ => false,
    };
    let is_part = |stmt: &&Stmt| {
        is_invariant(stmt)
            || matches!(stmt.kind, StmtKind::Enter(_))
            || (matches!(stmt.kind, StmtKind::Assume(_)) && stmt.origin == Origin::Source)
    };
    let prefix = block.stmts.iter().take_while(is_part).count();
    if block.stmts[..prefix].iter().any(is_invariant) {
        prefix
    } else {
        0
    }
}

/// For each loop all its blocks.
pub(crate) fn bodies(loops: &[Loop]) -> Vec<EntitySet<BlockId>> {
    let mut bodies = vec![EntitySet::new(); loops.len()];
    for (index, found) in loops.iter().enumerate() {
        // A loop comes after those around it.
        let mut around = Some(index);
        while let Some(position) = around {
            for &block in &found.own {
                bodies[position].insert(block);
            }
            around = loops[position].parent;
        }
    }
    bodies
}

/// What the statements of the blocks may change.
fn changed(program: &Program, mod_ref: &ModRef, proc: ProcId, body: &EntitySet<BlockId>) -> Vec<VarId> {
    let mut changed = Vec::new();
    for (block, data) in program.procs[proc].blocks.iter() {
        if !body.contains(block) {
            continue;
        }
        for stmt in &data.stmts {
            changed.extend(stmt.assigned());
            if let StmtKind::Call(call) = &stmt.kind {
                changed.extend(mod_ref.may_write(call.callee));
            }
        }
    }
    changed.sort_unstable();
    changed.dedup();
    changed
}

fn cut_loop(program: &mut Program, proc: ProcId, cut: Cut) -> Option<Span> {
    let Cut {
        head,
        body,
        changed,
        count,
    } = cut;
    let old: Vec<Stmt> = program.procs[proc].blocks[head].stmts.drain(..count).collect();
    let span = old.iter().find_map(|stmt| stmt.span);
    let is_mark = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Enter(_));
    let (marks, checks): (Vec<Stmt>, Vec<Stmt>) = old.into_iter().partition(|stmt| is_mark(&stmt));
    let mut start = marks.clone();
    if !changed.is_empty() {
        let havoc = StmtKind::Havoc(changed.into_iter().collect());
        start.push(program.stmt(havoc, span, Origin::Internal));
    }
    for check in &checks {
        let mut assumed = check.clone();
        if let StmtKind::Assert { condition, .. } = check.kind {
            assumed.kind = StmtKind::Assume(condition);
        }
        start.push(assumed);
    }
    let blocks = &mut program.procs[proc].blocks;
    blocks[head].stmts.splice(0..0, start);
    let mut entry_block = Block::new(Terminator::goto(head));
    entry_block.stmts = checks.clone();
    let mut kept_block = Block::new(Terminator::Goto(Default::default()));
    kept_block.stmts = checks;
    let entry = blocks.push(entry_block);
    let kept = blocks.push(kept_block);
    for (block, data) in blocks.iter_mut() {
        if block == entry {
            continue;
        }
        if let Terminator::Goto(targets) = &mut data.terminator {
            for target in targets.iter_mut().filter(|target| **target == head) {
                *target = if body.contains(block) { kept } else { entry };
            }
        }
    }
    span
}
