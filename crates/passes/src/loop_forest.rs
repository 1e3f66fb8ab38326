//! The loops of a procedure, nested.
//!
//! A loop is a strongly connected region; its head is the one block through which it is
//! entered, and what is strongly connected in it without its head are the loops inside
//! (Steensgaard's nesting). A region with several entries is first given one: a dispatch
//! block through which all edges to its entries are led, with a variable that says which
//! entry is meant.

use cranelift_entity::SecondaryMap;
use lariat_base::strongly_connected_components;
use lariat_ir::{Block, BlockId, Origin, ProcId, Program, StmtKind, Terminator};
use lariat_term::VarId;
use smallvec::smallvec;

/// A loop with the blocks that belong to it and to no loop inside it; `head` is among them.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) head: BlockId,
    pub(crate) parent: Option<usize>,
    pub(crate) own: Vec<BlockId>,
}

/// A part of the graph whose loops are to be found: the blocks of a loop without its head,
/// or the whole procedure.
struct Region {
    blocks: Vec<BlockId>,
    parent: Option<usize>,
}

/// The loops of the procedure, each after the loop around it. Blocks may be added to the
/// procedure; all its blocks are reachable.
pub(crate) fn find_loops(program: &mut Program, proc: ProcId) -> Vec<Loop> {
    let mut loops: Vec<Loop> = Vec::new();
    let mut position = SecondaryMap::<BlockId, usize>::with_default(usize::MAX);
    let mut work = vec![Region {
        blocks: program.procs[proc].blocks.keys().collect(),
        parent: None,
    }];
    while let Some(Region { blocks, parent }) = work.pop() {
        for (index, &block) in blocks.iter().enumerate() {
            position[block] = index;
        }
        let graph = &program.procs[proc].blocks;
        // Neighbouring numbers may be of other regions: `blocks` has the last word.
        let index_of = |block: BlockId| {
            let index = position[block];
            (blocks.get(index) == Some(&block)).then_some(index)
        };
        let edges: Vec<Vec<usize>> = blocks
            .iter()
            .map(|&block| {
                graph[block]
                    .successors()
                    .iter()
                    .filter_map(|&s| index_of(s))
                    .collect()
            })
            .collect();
        let components = strongly_connected_components(blocks.len(), |node, k| edges[node].get(k).copied());
        let mut component_of = vec![0; blocks.len()];
        for (number, component) in components.iter().enumerate() {
            for &node in component {
                component_of[node] = number;
            }
        }
        let is_loop =
            |component: &[usize]| component.len() > 1 || edges[component[0]].contains(&component[0]);
        let entered = edges_into(
            program,
            proc,
            &blocks,
            parent.map(|p| loops[p].head),
            &components,
            &component_of,
            &index_of,
        );
        for (component, edges_in) in components.iter().zip(entered) {
            let mut members: Vec<BlockId> = component.iter().map(|&node| blocks[node]).collect();
            if !is_loop(component) {
                if let Some(parent) = parent {
                    loops[parent].own.extend(members);
                }
                continue;
            }
            let mut entries: Vec<BlockId> = edges_in.iter().map(|&(_, entry)| entry).collect();
            entries.sort_unstable();
            entries.dedup();
            let head = match entries[..] {
                [head] => head,
                _ => {
                    let outside: Vec<BlockId> = edges_in.iter().map(|&(source, _)| source).collect();
                    let dispatch = lead_through_dispatch(program, proc, &outside, &members, &entries);
                    if let Some(parent) = parent {
                        loops[parent].own.extend(dispatch.outside);
                    }
                    members.extend(dispatch.inside);
                    members.push(dispatch.head);
                    dispatch.head
                }
            };
            loops.push(Loop {
                head,
                parent,
                own: vec![head],
            });
            members.retain(|&block| block != head);
            work.push(Region {
                blocks: members,
                parent: Some(loops.len() - 1),
            });
        }
    }
    loops
}

/// For each component the edges that enter it.
fn edges_into(
    program: &Program,
    proc: ProcId,
    blocks: &[BlockId],
    outer_head: Option<BlockId>,
    components: &[Vec<usize>],
    component_of: &[usize],
    index_of: &impl Fn(BlockId) -> Option<usize>,
) -> Vec<Vec<(BlockId, BlockId)>> {
    let mut entered: Vec<Vec<(BlockId, BlockId)>> = vec![Vec::new(); components.len()];
    let sources = blocks
        .iter()
        .enumerate()
        .map(|(index, &block)| (Some(component_of[index]), block));
    for (from, block) in sources.chain(outer_head.map(|head| (None, head))) {
        for &successor in program.procs[proc].blocks[block].successors() {
            if let Some(index) = index_of(successor)
                && from != Some(component_of[index])
            {
                entered[component_of[index]].push((block, successor));
            }
        }
    }
    entered
}

struct Dispatch {
    head: BlockId,
    /// New blocks of the loop other than its head.
    inside: Vec<BlockId>,
    /// New blocks on the ways into the loop.
    outside: Vec<BlockId>,
}

/// Leads every edge from `outside` or from `members`, the blocks of the loop, to one of its
/// `entries` through one new block.
fn lead_through_dispatch(
    program: &mut Program,
    proc: ProcId,
    outside: &[BlockId],
    members: &[BlockId],
    entries: &[BlockId],
) -> Dispatch {
    let int = program.pool.int_sort();
    let which = program.pool.declare_var("loop_entry", int);
    program.procs[proc].locals.push(which);
    let head = program.procs[proc]
        .blocks
        .push(Block::new(Terminator::Goto(smallvec![])));
    let mut dispatch = Dispatch {
        head,
        inside: Vec::new(),
        outside: Vec::new(),
    };
    // For each entry the block that sets `which` on the way from outside and from inside.
    let mut ways: Vec<(BlockId, BlockId)> = Vec::new();
    for (number, &entry) in entries.iter().enumerate() {
        let guard = guard_block(program, proc, which, number, entry);
        if let Terminator::Goto(targets) = &mut program.procs[proc].blocks[head].terminator {
            targets.push(guard);
        }
        let from_outside = choice_block(program, proc, which, number, head);
        let from_inside = choice_block(program, proc, which, number, head);
        dispatch.inside.extend([guard, from_inside]);
        dispatch.outside.push(from_outside);
        ways.push((from_outside, from_inside));
    }
    let sources = outside
        .iter()
        .map(|&source| (source, false))
        .chain(members.iter().map(|&source| (source, true)));
    for (source, inside) in sources {
        if let Terminator::Goto(targets) = &mut program.procs[proc].blocks[source].terminator {
            for target in targets {
                if let Ok(number) = entries.binary_search(target) {
                    let (from_outside, from_inside) = ways[number];
                    *target = if inside { from_inside } else { from_outside };
                }
            }
        }
    }
    dispatch
}

/// `assume which == number; goto target`.
fn guard_block(program: &mut Program, proc: ProcId, which: VarId, number: usize, target: BlockId) -> BlockId {
    let (var, literal) = (program.pool.var(which), program.pool.int(number));
    let condition = program.pool.eq(var, literal);
    let mut block = Block::new(Terminator::goto(target));
    block
        .stmts
        .push(program.stmt(StmtKind::Assume(condition), None, Origin::Internal));
    program.procs[proc].blocks.push(block)
}

/// `which := number; goto head`.
fn choice_block(program: &mut Program, proc: ProcId, which: VarId, number: usize, head: BlockId) -> BlockId {
    let literal = program.pool.int(number);
    let mut block = Block::new(Terminator::goto(head));
    let kind = StmtKind::Assign(smallvec![(which, literal)]);
    block.stmts.push(program.stmt(kind, None, Origin::Internal));
    program.procs[proc].blocks.push(block)
}
