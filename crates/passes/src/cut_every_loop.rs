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
//! takes, become *cut points*: what comes to one is checked and stops, and executions start from each with what the
//! region changes forgotten, where they left the block through which all ways into the region go.

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_base::strongly_connected_components;
use lariat_ir::{
    AssertInfo, AssertKind, Block, BlockId, Origin, Proc, ProcId, Program, Stmt, StmtKind, Terminator,
};
use lariat_term::{TermId, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::compact_blocks::compact_blocks;
use crate::cut_loops::bodies;
use crate::loop_forest::find_loops;

/// How loops are cut.
#[derive(Clone, Copy, Debug)]
pub struct CutOptions<'a> {
    /// What holds of a variable that got any value.
    pub where_clauses: &'a FxHashMap<VarId, TermId>,
    /// `free` invariants are assumed where invariants are checked, too.
    pub assume_free: bool,
}

/// Cuts all loops of a procedure without calls. Afterwards it has no cycle.
pub fn cut_every_loop(program: &mut Program, proc: ProcId, options: CutOptions<'_>) {
    compact_blocks(&mut program.procs[proc]);
    while let Some(region) = irreducible_region(&program.procs[proc]) {
        cut_region(program, proc, &region, options);
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
        let start = start_of_loop(program, &invariant, &changed, options);
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
    invariant: &[Stmt],
    changed: &[VarId],
    options: CutOptions<'_>,
) -> Vec<Stmt> {
    let mut start = Vec::new();
    if !changed.is_empty() {
        let havoc = StmtKind::Havoc(changed.iter().copied().collect());
        start.push(program.stmt(havoc, None, Origin::Internal));
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

/// Cuts a region with several entries at enough points.
fn cut_region(program: &mut Program, proc: ProcId, region: &EntitySet<BlockId>, options: CutOptions<'_>) {
    let members: Vec<BlockId> = program.procs[proc]
        .blocks
        .keys()
        .filter(|&block| region.contains(block))
        .collect();
    let mut points: Vec<BlockId> = Vec::new();
    for &block in &members {
        let data = &program.procs[proc].blocks[block];
        let prefix = invariant_length(program, data);
        let is_check = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Assert { .. });
        if data.stmts[..prefix].iter().any(is_check) {
            points.push(block);
        }
    }
    loop {
        let rest: Vec<BlockId> = members
            .iter()
            .copied()
            .filter(|block| !points.contains(block))
            .collect();
        match cycles(&program.procs[proc], &rest)
            .first()
            .and_then(|cycle| cycle.first())
        {
            Some(&block) => points.push(block),
            None => break,
        }
    }
    let entries = entries(&program.procs[proc], region);
    let gate = common_dominator(&program.procs[proc], &entries, region);
    let between = between(&program.procs[proc], gate, region);
    let changed = changed(&program.procs[proc], |block| {
        region.contains(block) || between.contains(block)
    });
    for point in points {
        let edges = edges_to(&program.procs[proc], point);
        let invariant = take_invariant(program, proc, point);
        let start = start_of_loop(program, &invariant, &changed, options);
        program.procs[proc].blocks[point].stmts.splice(0..0, start);
        for (source, position) in edges {
            let kind = match region.contains(source) {
                true => AssertKind::LoopInvariant,
                false => AssertKind::LoopInvariantOnEntry,
            };
            let check = check_block(program, proc, &invariant, kind, None, options);
            set_target(&mut program.procs[proc], source, position, check);
        }
        if let Terminator::Goto(targets) = &mut program.procs[proc].blocks[gate].terminator {
            targets.push(point);
        }
    }
}

/// The last block outside of the region that all ways to its entries pass.
fn common_dominator(proc: &Proc, entries: &[BlockId], region: &EntitySet<BlockId>) -> BlockId {
    let order = proc.reverse_postorder();
    // A block dominates the entries if they cannot be reached without it.
    let reaches_without = |avoided: BlockId| {
        let mut seen = EntitySet::new();
        let mut stack: SmallVec<[BlockId; 8]> = SmallVec::new();
        if avoided != proc.entry {
            stack.push(proc.entry);
        }
        while let Some(block) = stack.pop() {
            if !seen.insert(block) {
                continue;
            }
            let targets = proc.blocks[block].successors().iter().copied();
            stack.extend(targets.filter(|&target| target != avoided));
        }
        entries.iter().any(|&entry| seen.contains(entry))
    };
    order
        .into_iter()
        .rev()
        .filter(|&block| !region.contains(block))
        .find(|&block| !reaches_without(block))
        .unwrap_or(proc.entry)
}

/// The blocks on the ways from the gate into the region, without the gate.
fn between(proc: &Proc, gate: BlockId, region: &EntitySet<BlockId>) -> EntitySet<BlockId> {
    let mut forward = EntitySet::new();
    let mut stack: Vec<BlockId> = proc.blocks[gate].successors().to_vec();
    while let Some(block) = stack.pop() {
        if block != gate && forward.insert(block) {
            stack.extend_from_slice(proc.blocks[block].successors());
        }
    }
    let predecessors = proc.predecessors();
    let mut between = EntitySet::new();
    let mut stack: Vec<BlockId> = proc
        .blocks
        .keys()
        .filter(|&block| region.contains(block))
        .collect();
    while let Some(block) = stack.pop() {
        if block != gate && forward.contains(block) && between.insert(block) {
            stack.extend_from_slice(&predecessors[block]);
        }
    }
    between
}
