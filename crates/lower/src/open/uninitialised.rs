//! Variables that may be read before anything was assigned to them: their values are the environment's
//! choice too ([Angelic15] §4, internal non-determinism), so a havoc at the start of the body says so.

use cranelift_entity::SecondaryMap;
use lariat_base::Span;
use lariat_ir::{Block, BlockId, OpenInfo, Origin, Proc, Program, StmtKind, Terminator, Unknown};
use lariat_term::{TermPool, VarId, VarSet};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// `declared` has the variables of the user's procedures: locals and results.
pub(super) fn havoc_uninitialised(
    program: &mut Program,
    declared: &FxHashMap<VarId, Span>,
    info: &mut OpenInfo,
) {
    let ids: Vec<_> = program.procs.keys().collect();
    for id in ids {
        let proc = &program.procs[id];
        let live = live_at_start(&program.pool, proc, declared);
        let vars: SmallVec<[VarId; 2]> = proc
            .outs
            .iter()
            .chain(&proc.locals)
            .copied()
            .filter(|var| declared.contains_key(var) && live.contains(var))
            .collect();
        if vars.is_empty() {
            continue;
        }
        let span = proc.span;
        let havoc = program.stmt(StmtKind::Havoc(vars.clone()), span, Origin::Internal);
        info.unknowns.extend(vars.iter().map(|&var| Unknown {
            stmt: havoc.id,
            var,
            callee: None,
            text: program.pool.var_name(var).clone(),
            span: declared.get(&var).copied(),
        }));
        let proc = &mut program.procs[id];
        let entry = proc.entry;
        proc.blocks[entry].stmts.insert(0, havoc);
    }
}

/// What a block does to the variables that matter.
#[derive(Clone, Default)]
struct Effect {
    /// Read before the block assigns them.
    read: VarSet,
    assigned: VarSet,
}

fn effect(pool: &TermPool, block: &Block, proc: &Proc, declared: &FxHashMap<VarId, Span>) -> Effect {
    let mut effect = Effect::default();
    let note_read = |effect: &mut Effect, var: VarId| {
        if declared.contains_key(&var) && !effect.assigned.contains(&var) {
            effect.read.insert(var);
        }
    };
    for stmt in &block.stmts {
        for var in pool.free_vars(&stmt.terms()) {
            note_read(&mut effect, var);
        }
        effect.assigned.extend(stmt.assigned());
    }
    if block.terminator == Terminator::Return {
        for &out in &proc.outs {
            note_read(&mut effect, out);
        }
    }
    effect
}

/// The declared variables that an execution of the procedure may read before it assigns them.
fn live_at_start(pool: &TermPool, proc: &Proc, declared: &FxHashMap<VarId, Span>) -> VarSet {
    let predecessors = proc.predecessors();
    let mut order = proc.reverse_postorder();
    let mut queued: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    let mut effects: SecondaryMap<BlockId, Effect> = SecondaryMap::new();
    let mut live: SecondaryMap<BlockId, VarSet> = SecondaryMap::new();
    for &block in &order {
        queued[block] = true;
        effects[block] = effect(pool, &proc.blocks[block], proc, declared);
    }
    // From the end: the last block in reverse postorder comes first.
    while let Some(id) = order.pop() {
        queued[id] = false;
        let mut before = effects[id].read.clone();
        for &successor in proc.blocks[id].successors() {
            let needed = live[successor].iter().copied();
            before.extend(needed.filter(|var| !effects[id].assigned.contains(var)));
        }
        // Sets only grow.
        if before.len() != live[id].len() {
            live[id] = before;
            for &predecessor in &predecessors[id] {
                if !queued[predecessor] {
                    queued[predecessor] = true;
                    order.push(predecessor);
                }
            }
        }
    }
    std::mem::take(&mut live[proc.entry])
}
