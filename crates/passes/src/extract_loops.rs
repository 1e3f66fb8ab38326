//! Loops become tail-recursive procedures.
//!
//! A loop with head `h`, inner loops first, becomes a procedure. One activation
//! of it is one visit of `h`; an edge back to `h` is a tail call. The block `h` of the caller
//! calls it and goes on to where the loop was left to; if there are several such places, an
//! out parameter says which one. A block that returns is on no cycle, so it is outside of the
//! loop, and a `return` in a loop's source is one of these places.
//!
//! The loop procedure takes the caller's variables that are live at `h` and occur in the loop,
//! and gives back those that it modifies and that are live where it is left to. In parameters
//! do not change, so a variable that is both gets a copy at the start.
//!
//! After this pass the program is at [`lariat_ir::Stage::LoopFree`]. Statements keep their ids
//! and their order along every execution.

use std::sync::Arc;

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use lariat_base::Span;
use lariat_ir::{Block, BlockId, Call, Origin, Proc, ProcId, ProcKind, Program, Stmt, StmtKind, Terminator};
use lariat_term::{Substitution, TermId, VarId, VarSet};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::clone_procedure::rename_variables;
use crate::compact_blocks::compact_blocks;
use crate::free_vars::{FreeVars, occurring_vars};
use crate::liveness::{LiveBlocks, Occurrences};
use crate::loop_forest::{Loop, find_loops};

/// Makes every loop of every procedure a tail-recursive procedure. The result says of each
/// variable of a loop which variable of the procedure it stands for.
pub fn extract_loops(program: &mut Program) -> FxHashMap<VarId, VarId> {
    let mut origins = FxHashMap::default();
    let mut names: FxHashSet<Arc<str>> = program.procs.values().map(|proc| proc.name.clone()).collect();
    for proc in program.procs.keys().collect::<Vec<_>>() {
        compact_blocks(&mut program.procs[proc]);
        let mut loops = find_loops(program, proc);
        if loops.is_empty() {
            continue;
        }
        let live = live_at_loop_boundaries(program, proc, &loops);
        // Inner loops come after those around them.
        for index in (0..loops.len()).rev() {
            let added = extract_loop(program, proc, &loops[index], &live, &mut names, &mut origins);
            if let Some(parent) = loops[index].parent {
                loops[parent].own.extend(added);
            }
        }
        compact_blocks(&mut program.procs[proc]);
        let left = occurring_vars(
            &program.pool,
            program.procs[proc].blocks.values().flat_map(|block| &block.stmts),
        );
        program.procs[proc].locals.retain(|var| left.contains(var));
    }
    origins
}

/// For loop heads and blocks that an edge between different loops leads to: the variables of
/// the procedure that are live there.
type LiveAt = FxHashMap<BlockId, Vec<VarId>>;

fn live_at_loop_boundaries(program: &Program, id: ProcId, loops: &[Loop]) -> LiveAt {
    let proc = &program.procs[id];
    let mut innermost = SecondaryMap::<BlockId, Option<usize>>::new();
    for (index, found) in loops.iter().enumerate() {
        for &block in &found.own {
            innermost[block] = Some(index);
        }
    }
    let mut boundary: EntitySet<BlockId> = EntitySet::new();
    for found in loops {
        boundary.insert(found.head);
    }
    for (block, data) in proc.blocks.iter() {
        for &successor in data.successors() {
            if innermost[successor] != innermost[block] {
                boundary.insert(successor);
            }
        }
    }
    let own: VarSet = proc.vars().collect();
    let occurrences = Occurrences::new(&program.pool, proc, &mut FreeVars::default(), &proc.outs, |var| {
        own.contains(&var)
    });
    let predecessors = proc.predecessors();
    let mut live_blocks = LiveBlocks::new(&predecessors);
    let mut live = LiveAt::default();
    for var in proc.vars() {
        live_blocks.visit(occurrences.of(var), |block| {
            if boundary.contains(block) {
                live.entry(block).or_default().push(var);
            }
        });
    }
    live
}

/// Moves one loop whose inner loops have been moved already. The result are the blocks that
/// the caller has in its place.
fn extract_loop(
    program: &mut Program,
    caller: ProcId,
    found: &Loop,
    live: &LiveAt,
    names: &mut FxHashSet<Arc<str>>,
    origins: &mut FxHashMap<VarId, VarId>,
) -> Vec<BlockId> {
    let head = found.head;
    let mut body = found.own.clone();
    body.sort_unstable();
    body.dedup();
    let name = fresh_name(program, caller, head, names);
    let head_span = head_span(&program.procs[caller].blocks[head]);

    let inside: FxHashSet<BlockId> = body.iter().copied().collect();
    let exits = find_exits(&program.procs[caller], &body, &inside);
    let mut interface = LoopInterface::new(program, caller, &body, head, &exits, live);
    origins.extend(
        interface
            .renamed
            .iter()
            .map(|(&of_caller, &own)| (own, of_caller)),
    );
    let exit_vars = (exits.len() > 1).then(|| {
        let int = program.pool.int_sort();
        let own = program.pool.declare_var("loop_exit", int);
        let of_caller = program.pool.declare_var("loop_exit", int);
        program.procs[caller].locals.push(of_caller);
        (own, of_caller)
    });
    let mut outs = interface.outs.clone();
    let mut call_outs = interface.call_outs.clone();
    if let Some((own, of_caller)) = exit_vars {
        outs.push(own);
        call_outs.push(of_caller);
    }

    // The ids of the new blocks: the body with its head first, the exits, the tail call.
    let mut new_id: FxHashMap<BlockId, BlockId> = FxHashMap::default();
    let mut blocks = PrimaryMap::<BlockId, Block>::new();
    let order = std::iter::once(head).chain(body.iter().copied().filter(|&block| block != head));
    for block in order {
        let data = &mut program.procs[caller].blocks[block];
        let moved = std::mem::replace(data, Block::new(Terminator::Goto(smallvec![])));
        new_id.insert(block, blocks.push(moved));
    }
    let body_size = blocks.len();
    let mut exit_blocks: FxHashMap<BlockId, BlockId> = FxHashMap::default();
    for (number, &exit) in exits.iter().enumerate() {
        let mut block = Block::new(Terminator::Return);
        if let Some((own, _)) = exit_vars {
            let literal = program.pool.int(number);
            let kind = StmtKind::Assign(smallvec![(own, literal)]);
            block.stmts.push(program.stmt(kind, None, Origin::Internal));
        }
        exit_blocks.insert(exit, blocks.push(block));
    }
    let latch = blocks.push(Block::new(Terminator::Return));

    for index in 0..body_size {
        let block = &mut blocks[BlockId::from_u32(index as u32)];
        if let Terminator::Goto(targets) = &mut block.terminator {
            for target in targets {
                *target = match new_id.get(target) {
                    _ if *target == head => latch,
                    Some(&new) => new,
                    None => exit_blocks[target],
                };
            }
        }
        for stmt in &mut block.stmts {
            rename_variables(
                &mut program.pool,
                &interface.renamed,
                &mut interface.substitution,
                stmt,
            );
        }
    }

    let loop_id = program.procs.next_key();
    let tail_ins: Vec<TermId> = interface
        .current
        .iter()
        .map(|&var| program.pool.var(var))
        .collect();
    let call = StmtKind::Call(Call {
        callee: loop_id,
        ins: tail_ins,
        outs: outs.clone(),
    });
    blocks[latch]
        .stmts
        .push(program.stmt(call, head_span, Origin::Internal));
    let entry = new_id[&head];
    let head_label = blocks[entry].label.clone();
    if !interface.copies.is_empty() {
        let copies: SmallVec<[(VarId, TermId); 1]> = interface
            .copies
            .iter()
            .map(|&(var, param)| (var, program.pool.var(param)))
            .collect();
        let copy = program.stmt(StmtKind::Assign(copies), None, Origin::Internal);
        blocks[entry].stmts.insert(0, copy);
    }
    let parent = match program.procs[caller].kind {
        ProcKind::Loop { parent, .. } => parent,
        ProcKind::Source => caller,
    };
    let mut extracted = Proc {
        name,
        kind: ProcKind::Loop {
            parent,
            head: head_span,
        },
        span: head_span,
        entry_mark: None,
        extra_bound: 0,
        params: interface.params,
        outs,
        locals: interface.locals,
        blocks,
        entry,
    };
    compact_blocks(&mut extracted);
    program.procs.push(extracted);

    call_in_caller(
        program,
        caller,
        CallSite {
            head,
            label: head_label,
            span: head_span,
            call: Call {
                callee: loop_id,
                ins: interface.call_ins,
                outs: call_outs,
            },
            exits: &exits,
            exit_var: exit_vars.map(|(_, of_caller)| of_caller),
        },
    )
}

/// The blocks that the loop is left to, in the order of the edges.
fn find_exits(proc: &Proc, body: &[BlockId], inside: &FxHashSet<BlockId>) -> Vec<BlockId> {
    let mut exits = Vec::new();
    let mut seen = FxHashSet::default();
    for &block in body {
        for &successor in proc.blocks[block].successors() {
            if !inside.contains(&successor) && seen.insert(successor) {
                exits.push(successor);
            }
        }
    }
    exits
}

struct CallSite<'a> {
    head: BlockId,
    label: Option<Arc<str>>,
    span: Option<Span>,
    call: Call,
    exits: &'a [BlockId],
    exit_var: Option<VarId>,
}

/// Makes the head of the loop a call of its procedure, followed by a branch over the exits.
fn call_in_caller(program: &mut Program, caller: ProcId, site: CallSite<'_>) -> Vec<BlockId> {
    let mut added = vec![site.head];
    let terminator = match (site.exits, site.exit_var) {
        ([exit], _) => Terminator::goto(*exit),
        (exits, Some(exit_var)) => {
            let mut targets = SmallVec::new();
            for (number, &exit) in exits.iter().enumerate() {
                let (var, literal) = (program.pool.var(exit_var), program.pool.int(number));
                let condition = program.pool.eq(var, literal);
                let mut block = Block::new(Terminator::goto(exit));
                block
                    .stmts
                    .push(program.stmt(StmtKind::Assume(condition), None, Origin::Internal));
                targets.push(program.procs[caller].blocks.push(block));
            }
            added.extend(&targets);
            Terminator::Goto(targets)
        }
        _ => Terminator::Goto(smallvec![]),
    };
    let call = program.stmt(StmtKind::Call(site.call), site.span, Origin::Internal);
    program.procs[caller].blocks[site.head] = Block {
        label: site.label,
        stmts: vec![call],
        terminator,
        span: site.span,
    };
    added
}

/// The variables of a loop procedure and what they are in the caller.
struct LoopInterface {
    params: Vec<VarId>,
    /// For each parameter the caller's value.
    call_ins: Vec<TermId>,
    /// For each parameter the loop's variable that has its value at the next visit of the head.
    current: Vec<VarId>,
    outs: Vec<VarId>,
    call_outs: Vec<VarId>,
    locals: Vec<VarId>,
    /// Variables that start with the value of a parameter.
    copies: Vec<(VarId, VarId)>,
    /// From the caller's variables to the loop's.
    renamed: FxHashMap<VarId, VarId>,
    substitution: Substitution,
}

impl LoopInterface {
    fn new(
        program: &mut Program,
        caller: ProcId,
        body: &[BlockId],
        head: BlockId,
        exits: &[BlockId],
        live: &LiveAt,
    ) -> Self {
        let proc = &program.procs[caller];
        let stmts = || body.iter().flat_map(|&block| &proc.blocks[block].stmts);
        let own: VarSet = proc.vars().collect();
        let mut touched: Vec<VarId> = occurring_vars(&program.pool, stmts())
            .into_iter()
            .filter(|var| own.contains(var))
            .collect();
        touched.sort_unstable();
        let written: VarSet = stmts().flat_map(Stmt::assigned).collect();
        let live_before: VarSet = live.get(&head).into_iter().flatten().copied().collect();
        let mut live_after = VarSet::default();
        for exit in exits {
            live_after.extend(live.get(exit).into_iter().flatten());
        }
        let mut interface = LoopInterface {
            params: Vec::new(),
            call_ins: Vec::new(),
            current: Vec::new(),
            outs: Vec::new(),
            call_outs: Vec::new(),
            locals: Vec::new(),
            copies: Vec::new(),
            renamed: FxHashMap::default(),
            substitution: Substitution::new(),
        };
        for &var in &touched {
            interface.add(
                program,
                var,
                live_before.contains(&var),
                written.contains(&var),
                live_after.contains(&var),
            );
        }
        for var in touched {
            let renamed = program.pool.var(interface.renamed[&var]);
            interface.substitution.insert(var, renamed);
        }
        interface
    }

    fn add(&mut self, program: &mut Program, var: VarId, live_before: bool, written: bool, live_after: bool) {
        let name = program.pool.var_name(var).clone();
        let sort = program.pool.var_sort(var);
        let working = program.pool.declare_var(name.clone(), sort);
        self.renamed.insert(var, working);
        if live_before {
            self.call_ins.push(program.pool.var(var));
            self.current.push(working);
            if written {
                let param = program.pool.declare_var(format!("{name}_in"), sort);
                self.params.push(param);
                self.copies.push((working, param));
            } else {
                self.params.push(working);
                return;
            }
        }
        if written && live_after {
            self.outs.push(working);
            self.call_outs.push(var);
        } else {
            self.locals.push(working);
        }
    }
}

fn head_span(head: &Block) -> Option<Span> {
    let of_stmt = head.stmts.iter().find_map(|stmt| stmt.span);
    of_stmt.or(head.span)
}

/// `<procedure>_loop_<label of the head>`, with a number where that is taken.
fn fresh_name(program: &Program, caller: ProcId, head: BlockId, names: &mut FxHashSet<Arc<str>>) -> Arc<str> {
    let proc = &program.procs[caller];
    let base = match &proc.blocks[head].label {
        Some(label) => format!("{}_loop_{label}", proc.name),
        None => format!("{}_loop_{head}", proc.name),
    };
    let mut name: Arc<str> = base.as_str().into();
    let mut number = 2;
    while !names.insert(name.clone()) {
        name = format!("{base}_{number}").into();
        number += 1;
    }
    name
}
