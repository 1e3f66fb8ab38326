//! Dereferences that are safe for a simple reason, found without a solver ([Angelic15] §5.2).
//!
//! A forward analysis of each procedure: which values are known not to be null where. Known are values that a guard or
//! an assertion before has compared with null, literals, copies of known values, and results of procedures that are
//! known wherever those return. A write to a map leaves alone what is known of elements at other offsets from the same
//! base; everything else that a write or a call may change is forgotten. Where ways meet, what is known on all of them
//! stays.
//!
//! Sound: an assertion is found only if it fails in no execution whose earlier assertions passed, whichever entry of
//! the open program it starts from. Angelic assertions say nothing: executions go on behind them in any case.
//! Procedures that are no entries start with what is known at all their calls; all others with nothing but the axioms.

mod flow;
mod universe;

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_ir::{AssertId, BlockId, OpenInfo, ProcId, Program, Stmt, StmtKind, Terminator};
use lariat_term::{Op, TermId, VarId};
use num_bigint::BigInt;

use crate::bit_set::BitSet;
use crate::call_graph::CallGraph;
use crate::free_vars::FreeVars;
use crate::mod_ref::ModRef;
use flow::{Flow, Level, Null, VarFacts};
use universe::Universe;

/// The assertions among [`OpenInfo::dereferences`] that cannot fail unless an earlier assertion fails, in ascending
/// order. The program is the lowered one, before any pass.
pub fn proved_nonnull(program: &Program, open: &OpenInfo) -> Vec<AssertId> {
    let Some(null) = open.null else {
        return Vec::new();
    };
    let wanted: BTreeSet<AssertId> = open.dereferences.iter().copied().collect();
    let mut analysis = Analysis::new(program, open, null);
    analysis.find_invariant();
    analysis.find_starts();
    analysis.proved(&wanted)
}

struct Analysis<'p> {
    program: &'p Program,
    null: Null,
    /// What axioms say of constants.
    of_constants: VarFacts,
    calls: CallGraph,
    entries: EntitySet<ProcId>,
    may_write: SecondaryMap<ProcId, Vec<VarId>>,
    /// The globals that hold pointers and that a procedure may read or write.
    pointers: SecondaryMap<ProcId, Vec<VarId>>,
    universes: SecondaryMap<ProcId, Universe>,
    free_vars: FreeVars,
    angelic: BTreeSet<AssertId>,
    /// What is known of globals at the start of every procedure that is not an entry.
    invariant: VarFacts,
    /// `None`: the procedure has not been seen to return.
    at_return: SecondaryMap<ProcId, Option<VarFacts>>,
    /// `None`: no call has been seen.
    at_start: SecondaryMap<ProcId, Option<VarFacts>>,
}

/// The facts where each block starts; `None`: it is not reached.
type BlockFacts = SecondaryMap<BlockId, Option<BitSet>>;

/// The number that null is: a literal, or what an axiom says.
fn null_number(program: &Program, null: TermId) -> Option<BigInt> {
    let pool = &program.pool;
    let by_axiom = || {
        program.axioms.iter().find_map(|axiom| {
            let args = pool.args(axiom.term);
            match (pool.op(axiom.term), args) {
                (Op::Eq, &[left, right]) if left == null => pool.as_int(right),
                (Op::Eq, &[left, right]) if right == null => pool.as_int(left),
                _ => None,
            }
        })
    };
    pool.as_int(null).or_else(by_axiom).cloned()
}

impl<'p> Analysis<'p> {
    fn new(program: &'p Program, open: &OpenInfo, null: TermId) -> Self {
        let calls = CallGraph::new(program);
        let mod_ref = ModRef::new(program, &calls);
        let pool = &program.pool;
        let is_pointer = |var: &VarId| pool.var_sort(*var) == pool.sort_of(null);
        let (mut may_write, mut pointers) = (SecondaryMap::new(), SecondaryMap::new());
        let mut free_vars = FreeVars::default();
        let mut universes = SecondaryMap::new();
        for (id, proc) in program.procs.iter() {
            let written = mod_ref.may_write(id);
            let globals: BTreeSet<VarId> = written.iter().copied().chain(mod_ref.may_read(id)).collect();
            let globals: Vec<VarId> = globals.into_iter().filter(is_pointer).collect();
            let shared = proc.params.iter().chain(&proc.outs).chain(&globals).copied();
            let stmts = proc.blocks.values().flat_map(|block| &block.stmts);
            universes[id] = Universe::new(pool, null, stmts, &[], shared, &mut free_vars);
            may_write[id] = written;
            pointers[id] = globals;
        }
        let mut analysis = Analysis {
            program,
            entries: entries(open, &calls),
            invariant: VarFacts::new(),
            null: Null {
                term: null,
                number: null_number(program, null),
            },
            of_constants: VarFacts::new(),
            calls,
            may_write,
            pointers,
            universes,
            free_vars,
            angelic: open.angelic.iter().copied().collect(),
            at_return: SecondaryMap::new(),
            at_start: SecondaryMap::new(),
        };
        analysis.read_axioms();
        analysis
    }

    fn read_axioms(&mut self) {
        let program = self.program;
        let axioms = program.axioms.iter().map(|axiom| axiom.term);
        let axioms: Vec<TermId> = axioms
            .filter(|&axiom| !matches!(program.pool.op(axiom), Op::Quantifier(_)))
            .collect();
        let constants = program.constants.iter().copied();
        let no_stmts = std::iter::empty::<&Stmt>();
        let universe = Universe::new(
            &program.pool,
            self.null.term,
            no_stmts,
            &axioms,
            constants.clone(),
            &mut self.free_vars,
        );
        let mut facts = BitSet::with_capacity(universe.fact_count());
        let flow = Flow {
            program,
            null: &self.null,
            may_write: &self.may_write,
            universe: &universe,
            at_return: &self.at_return,
            free_vars: &mut self.free_vars,
            angelic: &self.angelic,
        };
        for axiom in axioms {
            // Contradictory axioms prove nothing here.
            flow.learn(&mut facts, axiom);
        }
        self.of_constants = known(constants.map(|var| (var, flow.level_of_var(&facts, var))));
    }

    fn flow(&mut self, proc: ProcId) -> Flow<'_> {
        Flow {
            program: self.program,
            null: &self.null,
            may_write: &self.may_write,
            universe: &self.universes[proc],
            at_return: &self.at_return,
            free_vars: &mut self.free_vars,
            angelic: &self.angelic,
        }
    }

    /// The facts where each block of the procedure starts, for all executions that start with the given ones.
    fn solve(&mut self, proc: ProcId, start: &VarFacts) -> BlockFacts {
        let body = &self.program.procs[proc];
        let order = body.reverse_postorder();
        let mut position = SecondaryMap::<BlockId, usize>::new();
        for (index, &block) in order.iter().enumerate() {
            position[block] = index;
        }
        let of_constants = self.of_constants.clone();
        let mut flow = self.flow(proc);
        let mut facts = BitSet::with_capacity(flow.universe.fact_count());
        for (&var, &level) in start.iter().chain(&of_constants) {
            flow.raise_var(&mut facts, var, level);
        }
        let mut blocks = BlockFacts::new();
        blocks[body.entry] = Some(facts);
        let mut pending = BTreeSet::from([position[body.entry]]);
        while let Some(index) = pending.pop_first() {
            let block = order[index];
            let Some(mut facts) = blocks[block].clone() else {
                continue;
            };
            let stmts = &body.blocks[block].stmts;
            if !stmts.iter().all(|stmt| flow.step(&mut facts, stmt)) {
                continue;
            }
            for &target in body.blocks[block].successors() {
                let common = match &blocks[target] {
                    None => facts.clone(),
                    Some(so_far) => {
                        let mut common = facts.clone();
                        common.intersect_with(so_far);
                        if common == *so_far {
                            continue;
                        }
                        common
                    }
                };
                blocks[target] = Some(common);
                pending.insert(position[target]);
            }
        }
        blocks
    }

    /// Goes through all statements that are reached, with the facts before each.
    fn walk(
        &mut self,
        proc: ProcId,
        blocks: &BlockFacts,
        mut visit: impl FnMut(&Flow<'_>, &BitSet, &StmtKind),
    ) {
        let mut flow = self.flow(proc);
        for (block, data) in flow.program.procs[proc].blocks.iter() {
            let Some(mut facts) = blocks[block].clone() else {
                continue;
            };
            for stmt in &data.stmts {
                visit(&flow, &facts, &stmt.kind);
                if !flow.step(&mut facts, stmt) {
                    break;
                }
            }
        }
    }

    /// What is known at all returns that are reached.
    fn returns(&mut self, proc: ProcId, blocks: &BlockFacts) -> Option<VarFacts> {
        let body = &self.program.procs[proc];
        let visible: Vec<VarId> = body
            .params
            .iter()
            .chain(&body.outs)
            .chain(&self.pointers[proc])
            .copied()
            .collect();
        let mut flow = self.flow(proc);
        let mut returns = None;
        for (block, data) in body.blocks.iter() {
            let Some(mut facts) = blocks[block].clone() else {
                continue;
            };
            if data.terminator == Terminator::Return
                && data.stmts.iter().all(|stmt| flow.step(&mut facts, stmt))
            {
                let vars = visible.iter().copied();
                let here = known(vars.map(|var| (var, flow.level_of_var(&facts, var))));
                keep_common(&mut returns, here);
            }
        }
        returns
    }

    /// Finds what always holds of globals where procedures start that are no entries: everything at first, and then
    /// without what does not hold at some call, until all calls agree.
    fn find_invariant(&mut self) {
        let program = self.program;
        let inner = program.procs.keys().filter(|&proc| !self.entries.contains(proc));
        let globals = inner.flat_map(|proc| self.pointers[proc].iter().copied());
        self.invariant = globals.map(|global| (global, Level::Above)).collect();
        loop {
            self.find_returns();
            if self.invariant.is_empty() {
                return;
            }
            let mut common = Some(self.invariant.clone());
            for proc in program.procs.keys() {
                let blocks = self.solve(proc, &self.assumed_start(proc));
                for (callee, mut facts) in self.at_calls(proc, &blocks) {
                    if !self.entries.contains(callee) {
                        // The callee neither reads nor writes the others.
                        let others = self
                            .invariant
                            .iter()
                            .filter(|(var, _)| !self.pointers[callee].contains(var));
                        facts.extend(others);
                        keep_common(&mut common, facts);
                    }
                }
            }
            let common = common.unwrap_or_default();
            if common == self.invariant {
                return;
            }
            self.invariant = common;
        }
    }

    fn assumed_start(&self, proc: ProcId) -> VarFacts {
        match self.entries.contains(proc) {
            true => VarFacts::new(),
            false => self.invariant.clone(),
        }
    }

    /// What holds where procedures return, whatever they are called with: callees first, and procedures that call each
    /// other until nothing changes. What is known at first is that none of them returns, which is right for executions
    /// without any call; what is known in the end for executions with any number of them.
    fn find_returns(&mut self) {
        self.at_return.clear();
        for component in self.calls.components().to_vec() {
            let repeat = self.calls.is_recursive(component[0]);
            loop {
                let mut changed = false;
                for &proc in &component {
                    let blocks = self.solve(proc, &self.assumed_start(proc));
                    let returns = self.returns(proc, &blocks);
                    changed |= self.at_return[proc] != returns;
                    self.at_return[proc] = returns;
                }
                if !changed || !repeat {
                    break;
                }
            }
        }
    }

    /// What holds where procedures start: callers first, in the same way.
    fn find_starts(&mut self) {
        let components = self.calls.components().to_vec();
        for proc in self.program.procs.keys() {
            self.at_start[proc] = self.entries.contains(proc).then(VarFacts::new);
        }
        for component in components.iter().rev() {
            loop {
                let mut changed = false;
                for &proc in component {
                    changed |= self.pass_on_starts(proc);
                }
                if !changed || !self.calls.is_recursive(component[0]) {
                    break;
                }
            }
        }
    }

    /// Whether the facts at the start of some callee changed.
    fn pass_on_starts(&mut self, proc: ProcId) -> bool {
        let Some(start) = self.at_start[proc].clone() else {
            return false;
        };
        if self.calls.callees(proc).is_empty() {
            return false;
        }
        let blocks = self.solve(proc, &start);
        let mut changed = false;
        for (callee, facts) in self.at_calls(proc, &blocks) {
            changed |= keep_common(&mut self.at_start[callee], facts);
        }
        changed
    }

    /// What callees start with, for each call that is reached.
    fn at_calls(&mut self, proc: ProcId, blocks: &BlockFacts) -> Vec<(ProcId, VarFacts)> {
        let mut at_calls: Vec<(ProcId, VarFacts)> = Vec::new();
        let pointers = std::mem::take(&mut self.pointers);
        self.walk(proc, blocks, |flow, facts, kind| {
            if let StmtKind::Call(call) = kind {
                let callee = &flow.program.procs[call.callee];
                let params = callee.params.iter().copied();
                let of_params = params.zip(call.ins.iter().map(|&arg| flow.level(facts, arg)));
                let globals = pointers[call.callee].iter();
                let of_globals = globals.map(|&global| (global, flow.level_of_var(facts, global)));
                at_calls.push((call.callee, known(of_params.chain(of_globals))));
            }
        });
        self.pointers = pointers;
        at_calls
    }

    fn proved(&mut self, wanted: &BTreeSet<AssertId>) -> Vec<AssertId> {
        let mut is_proved: BTreeMap<AssertId, bool> = BTreeMap::new();
        for proc in self.program.procs.keys() {
            for stmt in self.program.procs[proc]
                .blocks
                .values()
                .flat_map(|block| &block.stmts)
            {
                if let StmtKind::Assert { assert, .. } = stmt.kind
                    && wanted.contains(&assert)
                {
                    is_proved.insert(assert, true);
                }
            }
        }
        for proc in self.program.procs.keys() {
            let Some(start) = self.at_start[proc].clone() else {
                continue;
            };
            let blocks = self.solve(proc, &start);
            self.walk(proc, &blocks, |flow, facts, kind| {
                if let StmtKind::Assert { condition, assert } = *kind
                    && let Some(is_proved) = is_proved.get_mut(&assert)
                {
                    *is_proved &= flow.is_refuted(facts, condition, false);
                }
            });
        }
        is_proved
            .into_iter()
            .filter_map(|(assert, is_proved)| is_proved.then_some(assert))
            .collect()
    }
}

/// The entries, and procedures from which everything is reached that no entry reaches: they may be entries of somebody
/// else's choice.
fn entries(open: &OpenInfo, calls: &CallGraph) -> EntitySet<ProcId> {
    let mut entries: EntitySet<ProcId> = EntitySet::new();
    let mut reached: EntitySet<ProcId> = EntitySet::new();
    let others = calls.components().iter().rev().flatten().copied();
    let named = open.entries.iter().map(|entry| (entry.proc, true));
    for (proc, is_entry) in named.chain(others.map(|proc| (proc, false))) {
        if is_entry || !reached.contains(proc) {
            entries.insert(proc);
        }
        let mut work = vec![proc];
        while let Some(proc) = work.pop() {
            if reached.insert(proc) {
                work.extend(calls.callees(proc));
            }
        }
    }
    entries
}

/// Without those of which nothing is known.
fn known(facts: impl Iterator<Item = (VarId, Level)>) -> VarFacts {
    facts.filter(|&(_, level)| level > Level::Unknown).collect()
}

/// What is known both ways; whether that is less than before.
fn keep_common(so_far: &mut Option<VarFacts>, other: VarFacts) -> bool {
    let Some(facts) = so_far else {
        *so_far = Some(other);
        return true;
    };
    let common = known(facts.iter().map(|(&var, &level)| {
        let there = other.get(&var).copied().unwrap_or(Level::Unknown);
        (var, level.min(there))
    }));
    let changed = common != *facts;
    *facts = common;
    changed
}
