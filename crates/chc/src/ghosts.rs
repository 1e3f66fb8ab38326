//! Ghost parameters: what the context of a loop needs after it, carried through the loop.
//!
//! The invariant of a loop relates its state to variables of the procedure around it that the loop does
//! not mention: their values are handed to it as further parameters, which each round passes on as they
//! are. No execution is changed. With them a loop is one invariant over its parameters and one
//! over the parameters that stay and the outputs, as if it had never been taken out of its procedure.
//!
//! A loop that is called from several places gets copies of its first inputs instead.

use std::collections::BTreeSet;

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use lariat_ir::{
    BlockId, Interface, Origin, Proc, ProcId, ProcKind, Program, Stage, Stmt, StmtKind, Terminator, validate,
};
use lariat_passes::CallGraph;
use lariat_term::{TermId, VarId};
use lariat_vc::Problem;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

/// A call of a loop from outside.
#[derive(Clone, Copy)]
struct Site {
    caller: ProcId,
    block: BlockId,
    index: usize,
}

/// Adds ghost parameters to all loops.
pub fn add_ghosts(problem: &mut Problem) {
    let graph = CallGraph::new(&problem.program);
    let mut haunting = Haunting {
        reachable: graph.reachable_from(problem.entry),
        problem,
        initial: FxHashMap::default(),
    };
    // Callers first: what they carry, their loops carry too.
    for component in graph.components().iter().rev() {
        if let &[id] = component.as_slice()
            && haunting.reachable.contains(id)
            && graph.is_recursive(id)
            && matches!(haunting.problem.program.procs[id].kind, ProcKind::Loop { .. })
        {
            haunting.add_to(&graph, id);
        }
    }
    debug_assert_eq!(
        validate(&problem.program, Stage::Instrumented)
            .err()
            .map(|v| v.to_string()),
        None
    );
}

struct Haunting<'a> {
    problem: &'a mut Problem,
    reachable: EntitySet<ProcId>,
    /// Locals that keep what a global was when the procedure was called.
    initial: FxHashMap<(ProcId, VarId), VarId>,
}

impl Haunting<'_> {
    fn add_to(&mut self, graph: &CallGraph, id: ProcId) {
        let callers = graph.callers(id).iter().copied();
        let callers: Vec<ProcId> = callers
            .filter(|&caller| caller != id && self.reachable.contains(caller))
            .collect();
        // This may add statements to the caller, so sites are looked for afterwards.
        let at_the_end = match *callers.as_slice() {
            [caller] => self.needed_at_the_end(caller),
            _ => Vec::new(),
        };
        let program = &self.problem.program;
        let sites = callers.iter().flat_map(|&caller| sites_in(program, caller, id));
        let sites: Vec<Site> = sites.collect();
        let &[site] = sites.as_slice() else {
            return self.add_copies_of_inputs(id, &sites);
        };
        let mut vars = self.needed_after(site);
        vars.extend(at_the_end);
        for var in self.carried_already(id, site) {
            vars.remove(&var);
        }
        for var in vars {
            let value = self.problem.program.pool.var(var);
            self.add_ghost(id, var, &[(site, value)]);
        }
    }

    fn add_copies_of_inputs(&mut self, id: ProcId, sites: &[Site]) {
        let stable = stable_inputs(self.problem, id);
        let params = self.problem.program.procs[id].params.clone();
        let globals = self.problem.interfaces[id].ins.clone();
        for (position, var) in params.into_iter().enumerate() {
            if stable.contains(&var) {
                continue;
            }
            let values: Vec<(Site, TermId)> = sites
                .iter()
                .map(|&site| (site, call_ins(&mut self.problem.program, site)[position]))
                .collect();
            self.add_ghost(id, var, &values);
        }
        for var in globals.into_iter().filter(|var| !stable.contains(var)) {
            let value = self.problem.program.pool.var(var);
            let values: Vec<(Site, TermId)> = sites.iter().map(|&site| (site, value)).collect();
            self.add_ghost(id, var, &values);
        }
    }

    /// Variables of the caller whose value the loop has anyway and keeps.
    fn carried_already(&mut self, id: ProcId, site: Site) -> Vec<VarId> {
        let stable = stable_inputs(self.problem, id);
        let ins = call_ins(&mut self.problem.program, site).clone();
        let program = &self.problem.program;
        let params = program.procs[id].params.iter().zip(ins);
        let mut carried: Vec<VarId> = params
            .filter(|(param, _)| stable.contains(param))
            .filter_map(|(_, value)| program.pool.as_var(value))
            .collect();
        carried.extend(
            self.problem.interfaces[id]
                .ins
                .iter()
                .filter(|var| stable.contains(var)),
        );
        carried.extend(&program.constants);
        carried.extend(self.problem.error);
        carried
    }

    /// What the caller's own invariant relates its outputs to.
    fn needed_at_the_end(&mut self, caller: ProcId) -> Vec<VarId> {
        if caller == self.problem.entry {
            return Vec::new();
        }
        let stable = stable_inputs(self.problem, caller);
        if matches!(self.problem.program.procs[caller].kind, ProcKind::Loop { .. }) {
            return stable.into_iter().collect();
        }
        let mut needed = self.problem.program.procs[caller].params.clone();
        for global in self.problem.interfaces[caller].ins.clone() {
            needed.push(match stable.contains(&global) {
                true => global,
                false => self.initial_value(caller, global),
            });
        }
        needed
    }

    fn initial_value(&mut self, proc: ProcId, global: VarId) -> VarId {
        if let Some(&local) = self.initial.get(&(proc, global)) {
            return local;
        }
        let program = &mut self.problem.program;
        let local = copy_of(program, global);
        let value = program.pool.var(global);
        let stmt = program.stmt(
            StmtKind::Assign(smallvec![(local, value)]),
            None,
            Origin::Internal,
        );
        let data = &mut program.procs[proc];
        data.locals.push(local);
        data.blocks[data.entry].stmts.insert(0, stmt);
        self.initial.insert((proc, global), local);
        local
    }

    /// A new parameter that starts with a value at each site and stays.
    fn add_ghost(&mut self, id: ProcId, like: VarId, values: &[(Site, TermId)]) {
        let program = &mut self.problem.program;
        let ghost = copy_of(program, like);
        let own = program.pool.var(ghost);
        let position = program.procs[id].params.len();
        program.procs[id].params.push(ghost);
        self.problem.interfaces[id].live_params.push(true);
        for &(site, value) in values {
            call_ins(program, site).push(value);
        }
        for site in sites_in(program, id, id) {
            call_ins(program, site).push(own);
        }
        if let Some(summary) = &mut self.problem.summaries[id] {
            let var = copy_of(program, like);
            summary.ins.insert(position, var);
        }
    }

    /// The caller's variables that some path reads after the call.
    fn needed_after(&self, site: Site) -> BTreeSet<VarId> {
        let program = &self.problem.program;
        let proc = &program.procs[site.caller];
        let reader = Liveness {
            program,
            interfaces: &self.problem.interfaces,
        };
        let mut at_start = SecondaryMap::<BlockId, BTreeSet<VarId>>::new();
        let mut wanted = BTreeSet::new();
        for block in proc.reverse_postorder().into_iter().rev() {
            let data = &proc.blocks[block];
            let mut live: BTreeSet<VarId> = BTreeSet::new();
            for &successor in data.successors() {
                live.extend(&at_start[successor]);
            }
            if data.terminator == Terminator::Return {
                live.extend(&proc.outs);
                live.extend(&self.problem.interfaces[site.caller].outs);
            }
            for (index, stmt) in data.stmts.iter().enumerate().rev() {
                if block == site.block && index == site.index {
                    wanted = live.clone();
                    for out in stmt.assigned() {
                        wanted.remove(&out);
                    }
                }
                reader.step_back(stmt, &mut live);
            }
            at_start[block] = live;
        }
        // What the loop itself gives back is not what it was before.
        if let StmtKind::Call(call) = &proc.blocks[site.block].stmts[site.index].kind {
            for out in &self.problem.interfaces[call.callee].outs {
                wanted.remove(out);
            }
        }
        wanted
    }
}

struct Liveness<'a> {
    program: &'a Program,
    interfaces: &'a PrimaryMap<ProcId, Interface>,
}

impl Liveness<'_> {
    fn step_back(&self, stmt: &Stmt, live: &mut BTreeSet<VarId>) {
        for var in stmt.assigned() {
            live.remove(&var);
        }
        live.extend(self.program.pool.free_vars(&stmt.terms()));
        if let StmtKind::Call(call) = &stmt.kind {
            live.extend(&self.interfaces[call.callee].ins);
        }
    }
}

/// The inputs that every round passes on as they are.
fn stable_inputs(problem: &Problem, id: ProcId) -> FxHashSet<VarId> {
    let program = &problem.program;
    let proc = &program.procs[id];
    let interface = &problem.interfaces[id];
    let changes = |position: usize, param: VarId| {
        calls_of(proc, id).any(|ins| program.pool.as_var(ins[position]) != Some(param))
    };
    let params = proc.params.iter().enumerate();
    params
        .filter(|&(position, &param)| !changes(position, param))
        .map(|(_, &param)| param)
        .chain(
            interface
                .ins
                .iter()
                .copied()
                .filter(|var| !interface.outs.contains(var)),
        )
        .collect()
}

/// The arguments of all calls in a procedure of another.
fn calls_of(proc: &Proc, callee: ProcId) -> impl Iterator<Item = &Vec<TermId>> {
    let stmts = proc.blocks.values().flat_map(|block| &block.stmts);
    stmts.filter_map(move |stmt| match &stmt.kind {
        StmtKind::Call(call) if call.callee == callee => Some(&call.ins),
        _ => None,
    })
}

fn sites_in(program: &Program, caller: ProcId, callee: ProcId) -> Vec<Site> {
    let mut sites = Vec::new();
    for (block, data) in program.procs[caller].blocks.iter() {
        for (index, stmt) in data.stmts.iter().enumerate() {
            if matches!(&stmt.kind, StmtKind::Call(call) if call.callee == callee) {
                sites.push(Site { caller, block, index });
            }
        }
    }
    sites
}

fn call_ins(program: &mut Program, site: Site) -> &mut Vec<TermId> {
    match &mut program.procs[site.caller].blocks[site.block].stmts[site.index].kind {
        StmtKind::Call(call) => &mut call.ins,
        _ => unreachable!("a site is a call"),
    }
}

fn copy_of(program: &mut Program, var: VarId) -> VarId {
    let data = program.pool.var_data(var).clone();
    program.pool.declare_var(data.name, data.sort)
}
