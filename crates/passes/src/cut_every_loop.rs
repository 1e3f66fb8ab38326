//! Every loop is cut, as modular verification wants it: Boogie's way.
//!
//! ```text
//!        │ ┌───────┐                    │
//!        ▼ ▼       │                    ▼
//!   head: I; rest  │      entry: assert I; goto head
//!        │ └─ … ───┘   ↦  head:  havoc what the loop changes; assume where, I; rest
//!        ▼                      │ └─ … ─> kept: assert I; stop
//!                               ▼
//! ```
//!
//! `I` are the assertions and assumptions that the head starts with, from `invariant` clauses or not; a loop without
//! any is cut too. Assumptions among them (`free` invariants) are assumed at the head and nowhere else, unless the
//! options say so. There is one block `entry` and one `kept` for each edge, as an error is reported for each.
//!
//! A region with several entries has no head. There the blocks that start with an assertion, and as many others as it
//! takes, are *cut points*: what comes to one is checked and stops, and every way into the region goes on at each of
//! them, with what the region changes forgotten. Any state at a cut point is among these, since it agrees with that of
//! the way in on everything else.

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_base::strongly_connected_components;
use lariat_ir::{
    AssertInfo, AssertKind, Block, BlockId, Origin, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Terminator,
};
use lariat_term::{TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::compact_blocks::compact_blocks;
use crate::cut_loops::bodies;
use crate::loop_forest::find_loops;
use crate::unroll_loops::TooLarge;

/// More blocks are not made of regions without a head.
const MOST_BLOCKS: usize = 100_000;

/// How loops are cut.
#[derive(Clone, Copy, Debug)]
pub struct CutOptions<'a> {
    /// What holds of a variable that got any value.
    pub where_clauses: &'a FxHashMap<VarId, TermId>,
    /// Variables that never become true again.
    pub monotone: &'a FxHashSet<VarId>,
    /// `free` invariants are assumed where invariants are checked, too.
    pub assume_free: bool,
}

/// Cuts all loops of a procedure without calls. Afterwards it has no cycle. Returned are the statements that stand for
/// any number of rounds of a loop: what passes none of them is an execution of the procedure as it was.
pub fn cut_every_loop(
    program: &mut Program,
    proc: ProcId,
    options: CutOptions<'_>,
) -> Result<Vec<StmtId>, TooLarge> {
    let mut forgetting = Vec::new();
    compact_blocks(&mut program.procs[proc]);
    coalesce(&mut program.procs[proc]);
    compact_blocks(&mut program.procs[proc]);
    while let Some(region) = irreducible_region(&program.procs[proc]) {
        if program.procs[proc].blocks.len() > MOST_BLOCKS {
            return Err(TooLarge);
        }
        forgetting.extend(cut_region(program, proc, &region, options));
        compact_blocks(&mut program.procs[proc]);
    }
    let loops = find_loops(program, proc);
    let bodies = bodies(&loops);
    let heads: Vec<BlockId> = loops.iter().map(|found| found.head).collect();
    let changed: Vec<Vec<VarId>> = bodies
        .iter()
        .map(|body| changed(&program.procs[proc], |block| body.contains(block)))
        .collect();
    for ((head, body), changed) in heads.into_iter().zip(bodies).zip(changed) {
        let edges = edges_to(&program.procs[proc], head);
        let invariant = take_invariant(program, proc, head);
        let start = start_of_loop(program, proc, &invariant, &changed, options);
        forgetting.extend(havocs(&start));
        program.procs[proc].blocks[head].stmts.splice(0..0, start);
        for (source, position) in edges {
            let kind = match body.contains(source) {
                true => AssertKind::LoopInvariant,
                false => AssertKind::LoopInvariantOnEntry,
            };
            let target = match kind {
                AssertKind::LoopInvariant => None,
                _ => Some(head),
            };
            let check = check_block(program, proc, &invariant, kind, target, options);
            set_target(&mut program.procs[proc], source, position, check);
        }
    }
    compact_blocks(&mut program.procs[proc]);
    Ok(forgetting)
}

fn havocs(stmts: &[Stmt]) -> impl Iterator<Item = StmtId> {
    let havocs = stmts
        .iter()
        .filter(|stmt| matches!(stmt.kind, StmtKind::Havoc(_)));
    havocs.map(|stmt| stmt.id)
}

/// The edges to a block: where they come from and which of its targets they are.
fn edges_to(proc: &Proc, head: BlockId) -> Vec<(BlockId, usize)> {
    let mut edges = Vec::new();
    for (block, data) in proc.blocks.iter() {
        for (position, &target) in data.successors().iter().enumerate() {
            if target == head {
                edges.push((block, position));
            }
        }
    }
    edges
}

fn set_target(proc: &mut Proc, source: BlockId, position: usize, target: BlockId) {
    if let Terminator::Goto(targets) = &mut proc.blocks[source].terminator {
        targets[position] = target;
    }
}

/// Takes away what the block starts with.
fn take_invariant(program: &mut Program, proc: ProcId, head: BlockId) -> Vec<Stmt> {
    let count = invariant_length(program, &program.procs[proc].blocks[head]);
    program.procs[proc].blocks[head].stmts.drain(..count).collect()
}

fn invariant_length(program: &Program, block: &Block) -> usize {
    let is_part = |stmt: &&Stmt| match &stmt.kind {
        StmtKind::Assert { assert, .. } => {
            !matches!(program.asserts[*assert].kind, AssertKind::Unsupported(_))
        }
        StmtKind::Assume(_) => stmt.origin == Origin::Source,
        _ => false,
    };
    block.stmts.iter().take_while(is_part).count()
}

/// `havoc changed; assume where; assume I`
fn start_of_loop(
    program: &mut Program,
    proc: ProcId,
    invariant: &[Stmt],
    changed: &[VarId],
    options: CutOptions<'_>,
) -> Vec<Stmt> {
    let mut start = Vec::new();
    let mut kept = Vec::new();
    for &var in changed.iter().filter(|var| options.monotone.contains(var)) {
        let data = program.pool.var_data(var).clone();
        let before = program.pool.declare_var(data.name, data.sort);
        program.procs[proc].locals.push(before);
        let value = program.pool.var(var);
        let assign = StmtKind::Assign(SmallVec::from_elem((before, value), 1));
        start.push(program.stmt(assign, None, Origin::Internal));
        kept.push((value, program.pool.var(before)));
    }
    if !changed.is_empty() {
        let havoc = StmtKind::Havoc(changed.iter().copied().collect());
        start.push(program.stmt(havoc, None, Origin::Internal));
    }
    for (value, before) in kept {
        let condition = program.pool.implies(value, before);
        start.push(program.stmt(StmtKind::Assume(condition), None, Origin::Where));
    }
    for var in changed {
        if let Some(&clause) = options.where_clauses.get(var) {
            start.push(program.stmt(StmtKind::Assume(clause), None, Origin::Where));
        }
    }
    for stmt in invariant {
        let mut assumed = stmt.clone();
        if let StmtKind::Assert { condition, .. } = stmt.kind {
            assumed.kind = StmtKind::Assume(condition);
        }
        start.push(assumed);
    }
    start
}

/// A block that checks the invariant and goes to the target, or nowhere.
fn check_block(
    program: &mut Program,
    proc: ProcId,
    invariant: &[Stmt],
    kind: AssertKind,
    target: Option<BlockId>,
    options: CutOptions<'_>,
) -> BlockId {
    let mut block = Block::new(Terminator::Goto(target.into_iter().collect()));
    for stmt in invariant {
        let mut check = stmt.clone();
        match &mut check.kind {
            StmtKind::Assert { assert, .. } => {
                let info = AssertInfo {
                    kind: kind.clone(),
                    ..program.asserts[*assert].clone()
                };
                *assert = program.asserts.push(info);
            }
            _ if options.assume_free => {}
            _ => continue,
        }
        block.stmts.push(check);
    }
    program.procs[proc].blocks.push(block)
}

/// What the statements of some blocks assign, in ascending order.
fn changed(proc: &Proc, is_in: impl Fn(BlockId) -> bool) -> Vec<VarId> {
    let blocks = proc.blocks.iter().filter(|&(block, _)| is_in(block));
    let mut changed: Vec<VarId> = blocks
        .flat_map(|(_, data)| data.stmts.iter().flat_map(Stmt::assigned))
        .collect();
    changed.sort_unstable();
    changed.dedup();
    changed
}

/// A strongly connected part of the graph that is entered at several blocks.
fn irreducible_region(proc: &Proc) -> Option<EntitySet<BlockId>> {
    let mut work: Vec<Vec<BlockId>> = vec![proc.blocks.keys().collect()];
    while let Some(blocks) = work.pop() {
        for component in cycles(proc, &blocks) {
            let mut members = EntitySet::new();
            for &block in &component {
                members.insert(block);
            }
            let entries = entries(proc, &members);
            match entries[..] {
                [head] => work.push(component.into_iter().filter(|&block| block != head).collect()),
                _ => return Some(members),
            }
        }
    }
    None
}

/// The components of a part of the graph that have a cycle.
fn cycles(proc: &Proc, blocks: &[BlockId]) -> Vec<Vec<BlockId>> {
    let mut position = SecondaryMap::<BlockId, usize>::with_default(usize::MAX);
    for (index, &block) in blocks.iter().enumerate() {
        position[block] = index;
    }
    let edges: Vec<Vec<usize>> = blocks
        .iter()
        .map(|&block| {
            let targets = proc.blocks[block].successors().iter();
            targets
                .map(|&target| position[target])
                .filter(|&index| index != usize::MAX)
                .collect()
        })
        .collect();
    let components = strongly_connected_components(blocks.len(), |node, k| edges[node].get(k).copied());
    let is_cycle =
        |component: &&Vec<usize>| component.len() > 1 || edges[component[0]].contains(&component[0]);
    let mut cycles: Vec<Vec<BlockId>> = components
        .iter()
        .filter(is_cycle)
        .map(|component| component.iter().map(|&node| blocks[node]).collect())
        .collect();
    for cycle in &mut cycles {
        cycle.sort_unstable();
    }
    cycles
}

/// The blocks of a part of the graph that others go to, in ascending order.
fn entries(proc: &Proc, members: &EntitySet<BlockId>) -> Vec<BlockId> {
    let mut entries = Vec::new();
    for (block, data) in proc.blocks.iter() {
        if !members.contains(block) {
            entries.extend(
                data.successors()
                    .iter()
                    .copied()
                    .filter(|&target| members.contains(target)),
            );
        }
    }
    entries.sort_unstable();
    entries.dedup();
    entries
}

/// Cuts a region with several entries at enough points. Ways into the region are checked where they come to a point,
/// through copies of blocks that are none; from each way in, executions go on at every point, with what the region
/// changes forgotten.
/// Returns the statements that stand for any way to a cut point.
fn cut_region(
    program: &mut Program,
    proc: ProcId,
    region: &EntitySet<BlockId>,
    options: CutOptions<'_>,
) -> Vec<StmtId> {
    let points = cut_points(program, proc, region);
    let changed = changed(&program.procs[proc], |block| region.contains(block));
    let mut start = start_of_loop(program, proc, &[], &changed, options);
    if changed.is_empty() {
        // The way to the cut point is forgotten all the same.
        start.push(program.stmt(StmtKind::Havoc(SmallVec::new()), None, Origin::Internal));
    }
    let forgetting = havocs(&start).collect();
    let invariants: FxHashMap<BlockId, Vec<Stmt>> = points
        .iter()
        .map(|&point| (point, take_invariant(program, proc, point)))
        .collect();
    let sources: Vec<BlockId> = program.procs[proc].blocks.keys().collect();
    let mut anywhere = Block::new(Terminator::Goto(points.iter().copied().collect()));
    anywhere.stmts = start;
    let anywhere = program.procs[proc].blocks.push(anywhere);
    let mut copy_of: FxHashMap<BlockId, BlockId> = FxHashMap::default();
    for &block in &sources {
        if region.contains(block) && !invariants.contains_key(&block) {
            let copy = program.procs[proc].blocks[block].clone();
            copy_of.insert(block, program.procs[proc].blocks.push(copy));
        }
    }
    let originals = sources
        .into_iter()
        .map(|block| (block, region.contains(block), !region.contains(block)));
    let copies = copy_of.values().map(|&copy| (copy, false, false));
    let mut all: Vec<(BlockId, bool, bool)> = originals.chain(copies).collect();
    all.sort_unstable();
    for (source, is_inside, may_enter) in all {
        let targets: Vec<BlockId> = program.procs[proc].blocks[source].successors().to_vec();
        let mut enters = false;
        for (position, target) in targets.into_iter().enumerate() {
            if !region.contains(target) {
                continue;
            }
            enters |= may_enter;
            if let Some(invariant) = invariants.get(&target) {
                let kind = match is_inside {
                    true => AssertKind::LoopInvariant,
                    false => AssertKind::LoopInvariantOnEntry,
                };
                let check = check_block(program, proc, invariant, kind, None, options);
                set_target(&mut program.procs[proc], source, position, check);
            } else if !is_inside {
                set_target(&mut program.procs[proc], source, position, copy_of[&target]);
            }
        }
        if let (true, Terminator::Goto(targets)) =
            (enters, &mut program.procs[proc].blocks[source].terminator)
        {
            targets.push(anywhere);
        }
    }
    for (point, invariant) in invariants {
        let assumed = start_of_loop(program, proc, &invariant, &[], options);
        program.procs[proc].blocks[point].stmts.splice(0..0, assumed);
    }
    forgetting
}

/// The blocks that start with an assertion, and as many others as it takes to have no cycle without them.
fn cut_points(program: &Program, proc: ProcId, region: &EntitySet<BlockId>) -> Vec<BlockId> {
    let data = &program.procs[proc];
    let members: Vec<BlockId> = data
        .blocks
        .keys()
        .filter(|&block| region.contains(block))
        .collect();
    let has_check = |block: &BlockId| {
        let prefix = invariant_length(program, &data.blocks[*block]);
        let is_check = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Assert { .. });
        data.blocks[*block].stmts[..prefix].iter().any(is_check)
    };
    let mut points: Vec<BlockId> = members.iter().copied().filter(has_check).collect();
    let entries = entries(data, region);
    loop {
        let rest: Vec<BlockId> = members
            .iter()
            .copied()
            .filter(|block| !points.contains(block))
            .collect();
        let left = cycles(data, &rest);
        let Some(cycle) = left.first() else {
            return points;
        };
        let is_enough = |block: &&BlockId| {
            let without: Vec<BlockId> = rest.iter().copied().filter(|other| other != *block).collect();
            cycles(data, &without).is_empty()
        };
        let found = entries
            .iter()
            .filter(|entry| rest.contains(entry))
            .find(is_enough);
        let found = found.or_else(|| rest.iter().find(is_enough));
        points.push(*found.unwrap_or(&cycle[0]));
    }
}

/// Blocks with one successor that has no other predecessor become one with it, as Boogie does it before it looks for
/// loops.
fn coalesce(proc: &mut Proc) {
    let predecessors = proc.predecessors();
    let mut merged = FxHashSet::default();
    for block in proc.blocks.keys().collect::<Vec<_>>() {
        if merged.contains(&block) {
            continue;
        }
        while let &[next] = proc.blocks[block].successors() {
            if next == block || next == proc.entry || predecessors[next].len() != 1 {
                break;
            }
            merged.insert(next);
            let stop = Terminator::Goto(Default::default());
            let terminator = std::mem::replace(&mut proc.blocks[next].terminator, stop);
            let stmts = std::mem::take(&mut proc.blocks[next].stmts);
            proc.blocks[block].stmts.extend(stmts);
            proc.blocks[block].terminator = terminator;
        }
    }
}
