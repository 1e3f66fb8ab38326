//! Which variables have a known value where, over the whole program.
//!
//! A known value is a literal, a constant of the program or, inside one procedure, one of its
//! in parameters: nothing that can change. Facts come from assignments and from assumed
//! equalities. Entries of global maps are followed too (`map_entries`). Across calls they flow in two passes over the call graph:
//! 1. callees first: what holds where a procedure returns, whatever it is called with
//!    (inside a recursive component nothing is taken to hold after a call);
//! 2. callers first: what holds where a procedure starts, at all its calls.
//!
//! The program is loop-free, and its question is whether the entry returns.

use cranelift_entity::{EntityRef, SecondaryMap};
use lariat_ir::{BlockId, Call, ProcId, Program, Stmt, StmtKind, Terminator};
use lariat_term::{Op, Sort, Substitution, TermId, TermPool, VarId, VarSet};

use crate::call_graph::CallGraph;
use crate::free_vars::FreeVars;
use crate::map_entries::{MapEntries, Recent, Write, put_in_entries};
use crate::mod_ref::ModRef;
use crate::persistent_map::PersistentMap;

/// Known values of variables, by their index, and of entries of maps, by their number.
#[derive(Clone)]
pub(crate) struct Facts {
    vars: PersistentMap<TermId>,
    entries: PersistentMap<TermId>,
}

impl Facts {
    pub(crate) fn get(&self, var: usize) -> Option<TermId> {
        self.vars.get(var)
    }

    fn insert(&mut self, var: usize, value: TermId) {
        self.vars.insert(var, value);
    }

    fn remove(&mut self, var: usize) {
        self.vars.remove(var);
    }

    /// Keeps what the other facts say too; whether anything was dropped.
    fn keep_common(&mut self, other: &Facts) -> bool {
        let vars = self.vars.keep_common(&other.vars);
        self.entries.keep_common(&other.entries) | vars
    }
}

/// A component is gone through at most so often before its procedures start without facts.
const MOST_ROUNDS: usize = 10;

pub(crate) struct ConstantFacts {
    calls: CallGraph,
    may_write: SecondaryMap<ProcId, Vec<VarId>>,
    may_read: SecondaryMap<ProcId, Vec<VarId>>,
    constants: VarSet,
    free_vars: FreeVars,
    /// How many variables facts can be about.
    capacity: usize,
    entries: MapEntries,
    recent: Recent,
    /// `None`: no call of the procedure has been seen.
    at_start: SecondaryMap<ProcId, Option<Facts>>,
    /// `None`: it has not been seen to return.
    at_return: SecondaryMap<ProcId, Option<Facts>>,
}

/// What comes after a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    /// No execution goes on.
    Stops,
}

impl ConstantFacts {
    pub(crate) fn new(program: &mut Program, entry: ProcId) -> Self {
        let calls = CallGraph::new(program);
        let mod_ref = ModRef::new(program, &calls);
        let (mut may_write, mut may_read) = (SecondaryMap::new(), SecondaryMap::new());
        for proc in program.procs.keys() {
            may_write[proc] = mod_ref.may_write(proc);
            may_read[proc] = mod_ref.may_read(proc);
        }
        let entries = MapEntries::new(program, &calls);
        let mut facts = ConstantFacts {
            calls,
            entries,
            recent: Recent::default(),
            may_write,
            may_read,
            constants: program.constants.iter().copied().collect(),
            free_vars: FreeVars::default(),
            capacity: program.pool.var_count(),
            at_start: SecondaryMap::new(),
            at_return: SecondaryMap::new(),
        };
        facts.find_returns(program);
        facts.find_starts(program, entry);
        facts
    }

    pub(crate) fn calls(&self) -> &CallGraph {
        &self.calls
    }

    pub(crate) fn no_facts(&self) -> Facts {
        Facts {
            vars: PersistentMap::with_capacity(self.capacity),
            entries: PersistentMap::with_capacity(MapEntries::capacity()),
        }
    }

    /// What is known at the start of the procedure; `None` if the entry does not reach it.
    pub(crate) fn at_start(&self, proc: ProcId) -> Option<Facts> {
        self.at_start[proc].clone()
    }

    fn find_returns(&mut self, program: &mut Program) {
        for component in self.calls.components().to_vec() {
            let is_recursive = self.calls.is_recursive(component[0]);
            if is_recursive {
                for &proc in &component {
                    self.at_return[proc] = Some(self.no_facts());
                }
            }
            let mut found = Vec::new();
            for &proc in &component {
                let mut at_return: Option<Facts> = None;
                let start = self.no_facts();
                let ends = self.walk(program, proc, start, |_, _, _, _| {});
                for facts in ends {
                    let kept = self.visible_at_return(program, proc, &facts);
                    match &mut at_return {
                        Some(so_far) => {
                            so_far.keep_common(&kept);
                        }
                        None => at_return = Some(kept),
                    }
                }
                found.push((proc, at_return));
            }
            for (proc, at_return) in found {
                self.at_return[proc] = at_return;
            }
        }
    }

    fn find_starts(&mut self, program: &mut Program, entry: ProcId) {
        self.at_start[entry] = Some(self.no_facts());
        for component in self.calls.components().to_vec().into_iter().rev() {
            let mut changed: SecondaryMap<ProcId, bool> = SecondaryMap::with_default(true);
            for round in 0.. {
                let mut again = false;
                for &proc in &component {
                    let Some(start) = self.at_start[proc].clone() else {
                        continue;
                    };
                    if !std::mem::replace(&mut changed[proc], false) {
                        continue;
                    }
                    again = true;
                    let mut seen: Vec<(ProcId, Facts)> = Vec::new();
                    self.walk(program, proc, start, |facts, program, call, state| {
                        seen.push((call.callee, facts.visible_at_start(program, call, state)));
                    });
                    for (callee, at_call) in seen {
                        changed[callee] |= match &mut self.at_start[callee] {
                            Some(so_far) => so_far.keep_common(&at_call),
                            none => {
                                *none = Some(at_call);
                                true
                            }
                        };
                    }
                }
                if round >= MOST_ROUNDS {
                    for &proc in &component {
                        let nothing = self.no_facts();
                        if let Some(so_far) = &mut self.at_start[proc] {
                            changed[proc] |= so_far.keep_common(&nothing);
                        }
                    }
                }
                if !again {
                    break;
                }
            }
        }
    }

    /// Goes through the procedure in order, calls `at_call` with what is known before each call
    /// that is reached, and gives what is known at each return that is reached.
    pub(crate) fn walk(
        &mut self,
        program: &mut Program,
        proc: ProcId,
        start: Facts,
        mut at_call: impl FnMut(&mut Self, &mut Program, &Call, &Facts),
    ) -> Vec<Facts> {
        let mut returns = Vec::new();
        let mut pending = SecondaryMap::<BlockId, Option<Facts>>::new();
        pending[program.procs[proc].entry] = Some(start);
        for block in program.procs[proc].reverse_postorder() {
            let Some(mut state) = pending[block].take() else {
                continue;
            };
            // The statements are put back below; calls of `at_call` must not look at them.
            let mut stmts = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
            let mut flow = Flow::On;
            self.start_block();
            for stmt in &mut stmts {
                if let StmtKind::Call(call) = &stmt.kind {
                    at_call(self, program, call, &state);
                }
                flow = self.step(program, proc, stmt, &mut state);
                if flow == Flow::Stops {
                    break;
                }
            }
            program.procs[proc].blocks[block].stmts = stmts;
            if flow == Flow::Stops {
                continue;
            }
            match &program.procs[proc].blocks[block].terminator {
                Terminator::Return => returns.push(state),
                Terminator::Goto(targets) => merge_into(&mut pending, targets, state),
            }
        }
        returns
    }

    /// The statements of a block follow.
    pub(crate) fn start_block(&mut self) {
        self.recent.clear();
    }

    /// The effect of a statement on what is known.
    pub(crate) fn step(
        &mut self,
        program: &mut Program,
        proc: ProcId,
        stmt: &Stmt,
        state: &mut Facts,
    ) -> Flow {
        match &stmt.kind {
            StmtKind::Assume(condition) => {
                let condition = self.evaluate(&mut program.pool, *condition, state);
                if program.pool.as_bool(condition) == Some(false) {
                    return Flow::Stops;
                }
                if !self.entries.is_idle() {
                    self.recent.assume(&program.pool, condition);
                }
                self.learn(program, proc, condition, state);
            }
            StmtKind::Assign(assignments) => {
                let values: Vec<(VarId, TermId)> = assignments
                    .iter()
                    .map(|&(var, term)| (var, self.evaluate(&mut program.pool, term, state)))
                    .collect();
                for &(var, value) in &values {
                    if matches!(program.pool.sort(program.pool.var_sort(var)), Sort::Array { .. }) {
                        self.write_map(&program.pool, var, value, state);
                    }
                }
                for &(var, _) in values.iter().filter(|_| !self.entries.is_idle()) {
                    self.recent.change(&program.pool, &mut self.free_vars, var);
                }
                for (var, value) in values {
                    if self.is_fixed(program, proc, value) {
                        state.insert(var.index(), value);
                    } else {
                        state.remove(var.index());
                    }
                }
            }
            StmtKind::Havoc(vars) => {
                for &var in vars {
                    state.remove(var.index());
                    self.forget_map(var, state);
                    self.recent.change(&program.pool, &mut self.free_vars, var);
                }
            }
            StmtKind::Call(call) => {
                let Some(at_return) = &self.at_return[call.callee] else {
                    return Flow::Stops;
                };
                for &map in &self.may_write[call.callee] {
                    for &(key, entry) in self.entries.of_map(map) {
                        match (at_return.entries.get(entry), state.entries.get(entry)) {
                            (Some(value), _) => state.entries.insert(entry, value),
                            (None, Some(value))
                                if self.entries.spared_by_call(
                                    &program.pool,
                                    call.callee,
                                    map,
                                    key,
                                    value,
                                ) => {}
                            _ => state.entries.remove(entry),
                        }
                    }
                }
                self.recent.clear();
                let formals = &program.procs[call.callee].outs;
                let globals = self.may_write[call.callee].iter().map(|global| (global, global));
                for (formal, actual) in globals.chain(formals.iter().zip(&call.outs)) {
                    match at_return.get(formal.index()) {
                        Some(value) => state.insert(actual.index(), value),
                        None => state.remove(actual.index()),
                    }
                }
            }
            // Instrumentation leaves no assertions.
            StmtKind::Assert { .. } | StmtKind::Enter(_) => {}
        }
        Flow::On
    }

    /// The term with what is known put in.
    pub(crate) fn evaluate(&mut self, pool: &mut TermPool, term: TermId, state: &Facts) -> TermId {
        let vars = self.free_vars.of(pool, term);
        let mut known: Substitution = vars
            .iter()
            .filter_map(|&var| Some((var, state.get(var.index())?)))
            .collect();
        let has_entries = vars.iter().any(|&var| !self.entries.of_map(var).is_empty());
        let term = known.apply(pool, term);
        if !has_entries {
            return term;
        }
        put_in_entries(pool, term, |map, key| {
            state.entries.get(self.entries.find(map, key)?)
        })
    }

    /// An assignment to a global map: what is known of its entries afterwards.
    fn write_map(&mut self, pool: &TermPool, map: VarId, term: TermId, state: &mut Facts) {
        for (write, value) in self.recent.stores(pool, map, term) {
            for &(key, entry) in self.entries.of_map(map) {
                if let Some(old) = state.entries.get(entry)
                    && !write.spares(pool, key, old)
                {
                    state.entries.remove(entry);
                }
            }
            if let (Write::At(key), Some(value)) = (write, value)
                && is_literal(pool, value)
                && let Some(entry) = self.entries.number(map, key)
            {
                state.entries.insert(entry, value);
            }
        }
    }

    fn forget_map(&self, map: VarId, state: &mut Facts) {
        for &(_, entry) in self.entries.of_map(map) {
            state.entries.remove(entry);
        }
    }

    /// Whether the term keeps its value as long as the procedure is active.
    fn is_fixed(&self, program: &Program, proc: ProcId, term: TermId) -> bool {
        match program.pool.op(term) {
            Op::Var(var) => self.constants.contains(&var) || program.procs[proc].params.contains(&var),
            _ => is_literal(&program.pool, term),
        }
    }

    /// Adds what follows from a condition that holds.
    fn learn(&self, program: &mut Program, proc: ProcId, condition: TermId, state: &mut Facts) {
        let mut work = vec![condition];
        while let Some(term) = work.pop() {
            let args = program.pool.args(term);
            match program.pool.op(term) {
                Op::Var(var) => {
                    let yes = program.pool.bool(true);
                    self.note(var, yes, state);
                }
                Op::Not => {
                    if let Some(var) = program.pool.as_var(args[0]) {
                        let no = program.pool.bool(false);
                        self.note(var, no, state);
                    }
                }
                Op::And => work.extend_from_slice(args),
                Op::Eq => {
                    for (side, value) in [(args[0], args[1]), (args[1], args[0])] {
                        if let Some(var) = program.pool.as_var(side)
                            && self.is_fixed(program, proc, value)
                            && (!self.is_fixed(program, proc, side) || is_literal(&program.pool, value))
                        {
                            self.note(var, value, state);
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn note(&self, var: VarId, value: TermId, state: &mut Facts) {
        if var.index() < self.capacity {
            state.insert(var.index(), value);
        }
    }

    /// Whether the value means the same outside the procedure.
    fn is_fixed_everywhere(&self, pool: &TermPool, value: TermId) -> bool {
        match pool.op(value) {
            Op::Var(var) => self.constants.contains(&var),
            _ => is_literal(pool, value),
        }
    }

    /// What a callee knows at its start.
    fn visible_at_start(&mut self, program: &mut Program, call: &Call, state: &Facts) -> Facts {
        let mut facts = self.no_facts();
        let params = program.procs[call.callee].params.clone();
        for (param, &arg) in params.iter().zip(&call.ins) {
            let value = self.evaluate(&mut program.pool, arg, state);
            if self.is_fixed_everywhere(&program.pool, value) {
                facts.insert(param.index(), value);
            }
        }
        for global in &self.may_read[call.callee] {
            if let Some(value) = state.get(global.index())
                && self.is_fixed_everywhere(&program.pool, value)
            {
                facts.insert(global.index(), value);
            }
        }
        facts.entries = state.entries.clone();
        facts
    }

    /// What a caller knows of the globals that the procedure may write and of its outs.
    fn visible_at_return(&self, program: &Program, proc: ProcId, state: &Facts) -> Facts {
        let mut facts = self.no_facts();
        facts.entries = state.entries.clone();
        for var in self.may_write[proc].iter().chain(&program.procs[proc].outs) {
            if let Some(value) = state.get(var.index())
                && self.is_fixed_everywhere(&program.pool, value)
            {
                facts.insert(var.index(), value);
            }
        }
        facts
    }
}

/// Where several edges meet, what is known on all of them is known.
pub(crate) fn merge_into(
    pending: &mut SecondaryMap<BlockId, Option<Facts>>,
    targets: &[BlockId],
    state: Facts,
) {
    for &target in targets {
        match &mut pending[target] {
            Some(so_far) => {
                so_far.keep_common(&state);
            }
            none => *none = Some(state.clone()),
        }
    }
}

/// Whether the term is a literal of any sort.
pub(crate) fn is_literal(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.op(term), Op::Float(_)) || pool.is_value(term)
}
