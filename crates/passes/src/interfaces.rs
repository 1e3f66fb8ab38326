//! What a procedure must be given and what its callers take from it.
//!
//! Liveness over the whole program, without regard to the calling context. Nothing is read
//! after a procedure without callers, such as the entry:
//! - a global is an out of a procedure if the procedure may write it and it is live after
//!   some call;
//! - a global is an in if it is live at the start of the procedure, where its outs are live
//!   at the end. So an out that is not written on all paths is an in as well.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use lariat_ir::{BlockId, Interface, Proc, ProcId, Program, StmtKind, Terminator};
use lariat_term::{VarId, VarSet};
use rustc_hash::FxHashMap;

use crate::bit_set::BitSet;
use crate::call_graph::CallGraph;
use crate::free_vars::{FreeVars, occurring_vars};
use crate::liveness::{LiveBlocks, Occurrence};
use crate::mod_ref::{ModRef, global_set};

/// The interfaces of all procedures of the program.
pub fn compute_interfaces(program: &Program) -> PrimaryMap<ProcId, Interface> {
    let calls = CallGraph::new(program);
    let mod_ref = ModRef::new(program, &calls);
    let mut free_vars = FreeVars::default();
    let mut globals = GlobalLiveness::new(program, &calls, &mod_ref, &mut free_vars);
    globals.solve();
    let live_outs = live_out_params(program, &mut free_vars);
    let mut interfaces = PrimaryMap::with_capacity(program.procs.len());
    for (id, proc) in program.procs.iter() {
        let occurring = occurring_vars(&program.pool, proc.blocks.values().flat_map(|block| &block.stmts));
        interfaces.push(Interface {
            ins: mod_ref.globals().vars(&globals.live_at_start[id]),
            outs: mod_ref.globals().vars(&globals.live_at_end[id]),
            live_params: proc
                .params
                .iter()
                .map(|param| occurring.contains(param))
                .collect(),
            live_outs: live_outs[id].clone(),
        });
    }
    interfaces
}

#[derive(Clone, Copy)]
enum Event {
    Read(u32),
    Write(u32),
    Call(ProcId),
}

/// What a procedure does with globals: its blocks in postorder.
struct Skeleton {
    blocks: Vec<BlockSkeleton>,
}

struct BlockSkeleton {
    events: Vec<Event>,
    /// Positions in postorder.
    successors: Vec<u32>,
    returns: bool,
}

struct GlobalLiveness<'a> {
    calls: &'a CallGraph,
    mod_ref: &'a ModRef,
    skeletons: PrimaryMap<ProcId, Skeleton>,
    live_at_start: SecondaryMap<ProcId, BitSet>,
    /// A subset of what the procedure may write.
    live_at_end: SecondaryMap<ProcId, BitSet>,
    changed: SecondaryMap<ProcId, bool>,
}

impl<'a> GlobalLiveness<'a> {
    fn new(program: &Program, calls: &'a CallGraph, mod_ref: &'a ModRef, free_vars: &mut FreeVars) -> Self {
        let empty = BitSet::with_capacity(mod_ref.globals().len());
        let mut skeletons = PrimaryMap::with_capacity(program.procs.len());
        for proc in program.procs.values() {
            skeletons.push(Skeleton::new(program, proc, mod_ref, free_vars));
        }
        GlobalLiveness {
            calls,
            mod_ref,
            skeletons,
            live_at_start: SecondaryMap::with_default(empty.clone()),
            live_at_end: SecondaryMap::with_default(empty),
            changed: SecondaryMap::with_default(true),
        }
    }

    /// The least solution. What is read flows from callees to callers, what is live at the
    /// end from callers to callees, so the sweeps alternate.
    fn solve(&mut self) {
        let upwards: Vec<ProcId> = self.calls.components().iter().flatten().copied().collect();
        loop {
            let mut again = false;
            for &proc in upwards.iter().chain(upwards.iter().rev()) {
                if std::mem::replace(&mut self.changed[proc], false) {
                    self.sweep(proc);
                    again = true;
                }
            }
            if !again {
                return;
            }
        }
    }

    fn sweep(&mut self, id: ProcId) {
        let empty = BitSet::with_capacity(self.mod_ref.globals().len());
        let skeleton = &self.skeletons[id];
        let mut live_in = vec![empty.clone(); skeleton.blocks.len()];
        loop {
            let mut changed = false;
            for (position, block) in skeleton.blocks.iter().enumerate() {
                let mut live = if block.returns {
                    self.live_at_end[id].clone()
                } else {
                    empty.clone()
                };
                for &successor in &block.successors {
                    live.union_with(&live_in[successor as usize]);
                }
                for event in block.events.iter().rev() {
                    match *event {
                        Event::Read(global) => live.insert(global as usize),
                        Event::Write(global) => live.remove(global as usize),
                        Event::Call(callee) => {
                            let written = self.mod_ref.written(callee);
                            let mut wanted = live.clone();
                            wanted.intersect_with(written);
                            if self.live_at_end[callee].union_with(&wanted) {
                                self.changed[callee] = true;
                            }
                            live.subtract(written);
                            live.union_with(&self.live_at_start[callee]);
                        }
                    }
                }
                changed |= live_in[position].union_with(&live);
            }
            // One sweep does for a graph without cycles.
            let has_back_edge = |(position, block): (usize, &BlockSkeleton)| {
                block
                    .successors
                    .iter()
                    .any(|&successor| successor as usize >= position)
            };
            if !changed || !skeleton.blocks.iter().enumerate().any(has_back_edge) {
                break;
            }
        }
        let at_start = live_in.last().expect("a procedure has an entry block");
        if self.live_at_start[id].union_with(at_start) {
            for &caller in self.calls.callers(id) {
                self.changed[caller] = true;
            }
        }
    }
}

impl Skeleton {
    fn new(program: &Program, proc: &Proc, mod_ref: &ModRef, free_vars: &mut FreeVars) -> Self {
        let mut postorder = proc.reverse_postorder();
        postorder.reverse();
        let mut position = SecondaryMap::<BlockId, u32>::new();
        for (index, &block) in postorder.iter().enumerate() {
            position[block] = index as u32;
        }
        let number = |var: VarId| mod_ref.globals().number(var).map(|number| number as u32);
        let blocks = postorder.iter().map(|&block| {
            let data = &proc.blocks[block];
            let mut events = Vec::new();
            for stmt in &data.stmts {
                free_vars.visit_reads(&program.pool, stmt, |var| {
                    events.extend(number(var).map(Event::Read))
                });
                if let StmtKind::Call(call) = &stmt.kind {
                    events.push(Event::Call(call.callee));
                }
                events.extend(stmt.assigned().into_iter().filter_map(number).map(Event::Write));
            }
            BlockSkeleton {
                events,
                successors: data.successors().iter().map(|&block| position[block]).collect(),
                returns: data.terminator == Terminator::Return,
            }
        });
        Skeleton {
            blocks: blocks.collect(),
        }
    }
}

/// An out parameter of a procedure.
type Out = (ProcId, usize);

/// For each out parameter whether some caller may read it after a call. An out that ends in
/// an out of the caller counts if that one does.
fn live_out_params(program: &Program, free_vars: &mut FreeVars) -> SecondaryMap<ProcId, Vec<bool>> {
    let mut live = SecondaryMap::<ProcId, Vec<bool>>::new();
    for (id, proc) in program.procs.iter() {
        live[id] = vec![false; proc.outs.len()];
    }
    let mut passed_on: FxHashMap<Out, Vec<Out>> = FxHashMap::default();
    let mut work: Vec<Out> = Vec::new();
    let globals = global_set(program);
    for id in program.procs.keys() {
        visit_call_outs(program, id, free_vars, &globals, |callee_out, fate| match fate {
            Fate::Read => work.push(callee_out),
            Fate::Returned(index) => passed_on.entry((id, index)).or_default().push(callee_out),
        });
    }
    while let Some((proc, index)) = work.pop() {
        if !std::mem::replace(&mut live[proc][index], true) {
            work.extend(passed_on.get(&(proc, index)).into_iter().flatten());
        }
    }
    live
}

/// What happens to the value that a call gave to a variable, if anything.
enum Fate {
    Read,
    /// Not read, but it may reach the end of the caller in this out parameter.
    Returned(usize),
}

#[derive(Clone, Copy)]
enum VarEvent {
    Read,
    Write,
    CallOut(Out),
}

fn visit_call_outs(
    program: &Program,
    id: ProcId,
    free_vars: &mut FreeVars,
    globals: &VarSet,
    mut visit: impl FnMut(Out, Fate),
) {
    let proc = &program.procs[id];
    let mut given: VarSet = VarSet::default();
    for stmt in proc.blocks.values().flat_map(|block| &block.stmts) {
        if let StmtKind::Call(call) = &stmt.kind {
            for (index, out) in call.outs.iter().enumerate() {
                if globals.contains(out) {
                    visit((call.callee, index), Fate::Read);
                } else {
                    given.insert(*out);
                }
            }
        }
    }
    if given.is_empty() {
        return;
    }
    let mut events: FxHashMap<VarId, Vec<(BlockId, VarEvent)>> = FxHashMap::default();
    for (block, data) in proc.blocks.iter() {
        let mut note = |var: VarId, event| {
            if given.contains(&var) {
                events.entry(var).or_default().push((block, event));
            }
        };
        for stmt in &data.stmts {
            free_vars.visit_reads(&program.pool, stmt, |var| note(var, VarEvent::Read));
            match &stmt.kind {
                StmtKind::Call(call) => {
                    for (index, &out) in call.outs.iter().enumerate() {
                        note(out, VarEvent::CallOut((call.callee, index)));
                    }
                }
                _ => stmt
                    .assigned()
                    .into_iter()
                    .for_each(|var| note(var, VarEvent::Write)),
            }
        }
    }
    let predecessors = proc.predecessors();
    let mut live_blocks = LiveBlocks::new(&predecessors);
    let mut vars: Vec<VarId> = events.keys().copied().collect();
    vars.sort_unstable();
    for var in vars {
        let events = &events[&var];
        let occurrences = summarise(events);
        live_blocks.visit(&occurrences, |_| {});
        let leaves_block = |live_blocks: &LiveBlocks<'_>, block: BlockId| {
            proc.blocks[block]
                .successors()
                .iter()
                .any(|&successor| live_blocks.is_live(successor))
        };
        let mut undecided: Vec<(BlockId, Out)> = Vec::new();
        for (position, &(block, event)) in events.iter().enumerate() {
            let VarEvent::CallOut(out) = event else { continue };
            match events.get(position + 1) {
                Some(&(next_block, VarEvent::Read)) if next_block == block => visit(out, Fate::Read),
                Some(&(next_block, _)) if next_block == block => {}
                _ if leaves_block(&live_blocks, block) => visit(out, Fate::Read),
                _ => undecided.push((block, out)),
            }
        }
        let Some(index) = proc.outs.iter().position(|&out| out == var) else {
            continue;
        };
        live_blocks.visit(&with_returns(proc, &occurrences), |_| {});
        for (block, out) in undecided {
            let returns = proc.blocks[block].terminator == Terminator::Return;
            if returns || leaves_block(&live_blocks, block) {
                visit(out, Fate::Returned(index));
            }
        }
    }
}

fn summarise(events: &[(BlockId, VarEvent)]) -> Vec<Occurrence> {
    let mut occurrences: Vec<Occurrence> = Vec::new();
    for &(block, event) in events {
        let write = !matches!(event, VarEvent::Read);
        match occurrences.last_mut() {
            Some(last) if last.block == block => last.written |= write,
            _ => occurrences.push(Occurrence {
                block,
                exposed: !write,
                written: write,
            }),
        }
    }
    occurrences
}

/// The occurrences with a read at the end of every block that returns.
fn with_returns(proc: &Proc, occurrences: &[Occurrence]) -> Vec<Occurrence> {
    let mut all = occurrences.to_vec();
    let written: rustc_hash::FxHashSet<BlockId> = occurrences
        .iter()
        .filter(|occurrence| occurrence.written)
        .map(|occurrence| occurrence.block)
        .collect();
    for (block, data) in proc.blocks.iter() {
        if data.terminator == Terminator::Return && !written.contains(&block) {
            all.push(Occurrence {
                block,
                exposed: true,
                written: false,
            });
        }
    }
    all
}
