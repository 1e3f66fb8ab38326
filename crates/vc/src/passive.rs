//! From a procedure to its passive form: static single assignment by substitution.
//!
//! Blocks are taken in reverse postorder, so everything before a block is known when it is read.
//! `x := e` puts no equation into the result: later uses of `x` are replaced by `e` (terms are
//! shared, so this costs nothing), except where `e` has become too deep. `havoc x; assume x == e` is
//! an assignment too, if nothing has read `x` in between. Calls of straight-line procedures are
//! executed in place. At a join a variable whose
//! values differ gets a new incarnation, and each edge says what it equals (a [`Phi`]); only
//! variables that are read get one.
//!
//! Invariants of the result: blocks are in topological order, the entry first; a block that cannot
//! be completed (its condition is `false`, or no successor can be completed) is left out, unless it
//! is the entry.

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, entity_impl};
use lariat_ir::{BlockId, Call, Interface, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Terminator};
use lariat_term::{Op, Substitution, TermId, TermPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::read::ValueReader;
use crate::shared_outs::SharedOuts;

/// A value deeper than this gets a name, so that terms stay shallow.
const MAX_VALUE_DEPTH: u32 = 400;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassiveBlockId(u32);
entity_impl!(PassiveBlockId, "pblock");

/// A procedure without assignments.
#[derive(Debug)]
pub struct PassiveProc {
    pub proc: ProcId,
    /// In parameters, then the globals whose value at entry matters.
    pub ins: Vec<VarId>,
    /// Final values: of the out parameters, then of the globals of the interface.
    pub outs: Vec<VarId>,
    pub blocks: PrimaryMap<PassiveBlockId, PassiveBlock>,
    pub call_sites: Vec<CallSite>,
}

#[derive(Debug)]
pub struct PassiveBlock {
    /// The block of the procedure that it is made from.
    pub source: BlockId,
    /// What must hold for an execution to get through the block.
    pub assumes: Vec<TermId>,
    pub successors: Vec<Edge>,
    /// Final values, if the procedure returns here: the position in [`PassiveProc::outs`] and the term.
    pub returns: Option<Vec<(usize, TermId)>>,
    pub steps: Vec<PassiveStep>,
}

#[derive(Debug)]
pub struct Edge {
    pub target: PassiveBlockId,
    pub phis: Vec<Phi>,
}

/// Along its edge the incarnation equals the value.
#[derive(Clone, Copy, Debug)]
pub struct Phi {
    pub incarnation: VarId,
    pub value: TermId,
}

/// What happens in a block, for traces.
#[derive(Clone, Debug)]
pub enum PassiveStep {
    /// A block of the lowered program starts.
    Enter(BlockId),
    /// The variables of a `havoc` and their new values.
    Havoc {
        stmt: StmtId,
        values: Vec<(VarId, TermId)>,
    },
    /// By its position in [`PassiveProc::call_sites`].
    Call(usize),
    /// A call whose procedure is executed in place starts; its own variables begin with these values.
    EnterInPlace {
        stmt: StmtId,
        initial: Vec<(VarId, VarId)>,
    },
    /// … and ends.
    ExitInPlace,
    /// The statement that sets the error flag: an assertion failed.
    Fail(StmtId),
}

#[derive(Debug)]
pub struct CallSite {
    pub stmt: StmtId,
    pub block: PassiveBlockId,
    pub callee: ProcId,
    /// Values of the callee's [`PassiveProc::ins`].
    pub ins: Vec<TermId>,
    /// Incarnations that hold the callee's [`PassiveProc::outs`].
    pub outs: Vec<VarId>,
}

/// Makes the passive form of a procedure. `error` is the error flag of the instrumented program:
/// where a procedure returns with it set, its callers look at nothing else. Calls of procedures
/// `in_place` (see [`crate::straight_line_procs`]) are no call sites.
pub fn passify(
    program: &mut Program,
    id: ProcId,
    interfaces: &PrimaryMap<ProcId, Interface>,
    error: Option<VarId>,
    in_place: &EntitySet<ProcId>,
) -> PassiveProc {
    let pool = &mut program.pool;
    let proc = &program.procs[id];
    let interface = &interfaces[id];
    let order = proc.reverse_postorder();
    let mut passifier = Passifier::new(pool, &program.procs, proc, interfaces, error, in_place, &order);
    for &block in &order {
        passifier.block(block);
    }
    let ins: Vec<VarId> = proc.params.iter().chain(&interface.ins).copied().collect();
    let out_vars: Vec<VarId> = proc.outs.iter().chain(&interface.outs).copied().collect();
    passifier.finish(id, &order, ins, &out_vars)
}

#[derive(Clone, Default)]
struct BlockDraft {
    assumes: Vec<TermId>,
    steps: Vec<PassiveStep>,
    infeasible: bool,
}

struct Passifier<'a> {
    pool: &'a mut TermPool,
    procs: &'a PrimaryMap<ProcId, Proc>,
    proc: &'a Proc,
    interfaces: &'a PrimaryMap<ProcId, Interface>,
    error: Option<VarId>,
    in_place: &'a EntitySet<ProcId>,
    /// Incarnations of havocs that nothing has read yet.
    unread: FxHashSet<TermId>,
    shared_outs: SharedOuts,
    reader: ValueReader,
    free_vars: FxHashMap<TermId, Box<[VarId]>>,
    drafts: SecondaryMap<BlockId, BlockDraft>,
    /// With the block as it was; renumbered at the end.
    call_sites: Vec<(BlockId, CallSite)>,
}

impl<'a> Passifier<'a> {
    fn new(
        pool: &'a mut TermPool,
        procs: &'a PrimaryMap<ProcId, Proc>,
        proc: &'a Proc,
        interfaces: &'a PrimaryMap<ProcId, Interface>,
        error: Option<VarId>,
        in_place: &'a EntitySet<ProcId>,
        order: &[BlockId],
    ) -> Self {
        Passifier {
            pool,
            procs,
            proc,
            interfaces,
            error,
            in_place,
            unread: FxHashSet::default(),
            shared_outs: SharedOuts::new(proc, order, in_place),
            reader: ValueReader::new(proc, order),
            free_vars: FxHashMap::default(),
            drafts: SecondaryMap::new(),
            call_sites: Vec::new(),
        }
    }

    fn block(&mut self, block: BlockId) {
        let proc = self.proc;
        for stmt in &proc.blocks[block].stmts {
            self.stmt(block, stmt);
            if self.drafts[block].infeasible {
                // Nothing after `assume false` is executed.
                self.reader.mark_infeasible(block);
                break;
            }
        }
    }

    fn stmt(&mut self, block: BlockId, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assume(condition) => {
                if !self.assign_havocked(block, *condition) {
                    let condition = self.value(block, *condition);
                    self.assume(block, condition);
                }
            }
            StmtKind::Assert { .. } => {
                unreachable!("assertions are gone after instrument_errors, which the validator checks")
            }
            StmtKind::Assign(assignments) => {
                let values: Vec<(VarId, TermId)> = assignments
                    .iter()
                    .map(|&(var, term)| (var, self.value(block, term)))
                    .collect();
                for (var, value) in values {
                    if Some(var) == self.error && self.pool.as_bool(value) == Some(true) {
                        self.drafts[block].steps.push(PassiveStep::Fail(stmt.id));
                    }
                    let value = self.bounded(block, var, value);
                    self.reader.write(block, var, value);
                }
            }
            StmtKind::Havoc(vars) => {
                let mut values = Vec::with_capacity(vars.len());
                for &var in vars {
                    let incarnation = self.incarnate(block, var);
                    let incarnation = self.pool.var(incarnation);
                    self.unread.insert(incarnation);
                    values.push((var, incarnation));
                }
                self.drafts[block].steps.push(PassiveStep::Havoc {
                    stmt: stmt.id,
                    values,
                });
            }
            StmtKind::Call(call) if self.in_place.contains(call.callee) => {
                self.call_in_place(block, stmt.id, call)
            }
            StmtKind::Call(call) => self.call(block, stmt.id, call),
            StmtKind::Enter(original) => self.drafts[block].steps.push(PassiveStep::Enter(*original)),
        }
    }

    fn call(&mut self, block: BlockId, stmt: StmtId, call: &Call) {
        let callee = call.callee;
        let interface = &self.interfaces[callee];
        let mut ins: Vec<TermId> = call.ins.iter().map(|&term| self.value(block, term)).collect();
        for &global in &interface.ins {
            ins.push(self.read(block, global));
        }
        for in_value in &mut ins {
            *in_value = self.bounded_in(block, *in_value);
        }
        // A global that is also an out argument gets the argument's value: it is written last.
        let shared = self.shared_outs.share(block, callee);
        let (own, globals) = (call.outs.len(), interface.outs.len());
        let mut outs: Vec<VarId> = Vec::with_capacity(own + globals);
        for position in (own..own + globals).chain(0..own) {
            let var = if position < own {
                call.outs[position]
            } else {
                interface.outs[position - own]
            };
            outs.push(match &shared {
                Some(shared) => {
                    let incarnation = self.pool.var(shared[position]);
                    self.reader.write(block, var, incarnation);
                    shared[position]
                }
                None => self.incarnate(block, var),
            });
        }
        outs.rotate_left(globals);
        if shared.is_none() {
            self.shared_outs.note(block, callee, &outs);
        }
        debug_assert_eq!(ins.len(), self.procs[callee].params.len() + interface.ins.len());
        let site = CallSite {
            stmt,
            block: PassiveBlockId::new(0),
            callee,
            ins,
            outs,
        };
        self.drafts[block]
            .steps
            .push(PassiveStep::Call(self.call_sites.len()));
        self.call_sites.push((block, site));
    }

    /// Executes a straight-line procedure as part of the block. Variables belong to one procedure
    /// only and it is not recursive, so they need no renaming.
    fn call_in_place(&mut self, block: BlockId, stmt: StmtId, call: &Call) {
        let callee = &self.procs[call.callee];
        let ins: Vec<TermId> = call.ins.iter().map(|&term| self.value(block, term)).collect();
        for (&param, value) in callee.params.iter().zip(ins) {
            let value = self.bounded(block, param, value);
            self.reader.write(block, param, value);
        }
        let own = callee.outs.iter().chain(&callee.locals);
        let initial = own.map(|&var| (var, self.incarnate(block, var))).collect();
        self.drafts[block]
            .steps
            .push(PassiveStep::EnterInPlace { stmt, initial });
        for stmt in &callee.blocks[callee.entry].stmts {
            self.stmt(block, stmt);
        }
        let outs: Vec<TermId> = callee.outs.iter().map(|&out| self.read(block, out)).collect();
        for (&target, value) in call.outs.iter().zip(outs) {
            self.reader.write(block, target, value);
        }
        self.drafts[block].steps.push(PassiveStep::ExitInPlace);
    }

    /// `assume x == e` where `x` was havocked and nothing has read it: an assignment, of
    /// the value that the trace has for the havoc.
    fn assign_havocked(&mut self, block: BlockId, condition: TermId) -> bool {
        if self.pool.op(condition) != Op::Eq {
            return false;
        }
        let (a, b) = (self.pool.args(condition)[0], self.pool.args(condition)[1]);
        for (target, source) in [(a, b), (b, a)] {
            let Some(var) = self.pool.as_var(target) else {
                continue;
            };
            let Some(current) = self
                .reader
                .written(block, var)
                .filter(|current| self.unread.contains(current))
            else {
                continue;
            };
            if self.pool.free_vars(&[source]).contains(&var) {
                continue;
            }
            let value = self.value(block, source);
            let value = self.bounded(block, var, value);
            self.reader.write(block, var, value);
            self.unread.remove(&current);
            for step in self.drafts[block].steps.iter_mut().rev() {
                if let PassiveStep::Havoc { values, .. } = step
                    && let Some((_, havocked)) = values.iter_mut().find(|(_, own)| *own == current)
                {
                    *havocked = value;
                    break;
                }
            }
            return true;
        }
        false
    }

    fn assume(&mut self, block: BlockId, condition: TermId) {
        match self.pool.op(condition) {
            Op::Bool(true) => return,
            Op::Bool(false) => self.drafts[block].infeasible = true,
            _ => {}
        }
        self.drafts[block].assumes.push(condition);
    }

    /// The current value of a variable, which counts as read from now on.
    fn read(&mut self, block: BlockId, var: VarId) -> TermId {
        let value = self.reader.read(self.pool, block, var);
        self.unread.remove(&value);
        value
    }

    /// The term with the current values of its variables.
    fn value(&mut self, block: BlockId, term: TermId) -> TermId {
        if self.pool.is_closed(term) {
            return term;
        }
        if let Op::Var(var) = self.pool.op(term) {
            return self.read(block, var);
        }
        if !self.free_vars.contains_key(&term) {
            let mut vars: Vec<VarId> = self.pool.free_vars(&[term]).into_iter().collect();
            vars.sort_unstable();
            self.free_vars.insert(term, vars.into_boxed_slice());
        }
        let mut substitution = Substitution::new();
        for index in 0..self.free_vars[&term].len() {
            let var = self.free_vars[&term][index];
            let value = self.read(block, var);
            if self.pool.as_var(value) != Some(var) {
                substitution.insert(var, value);
            }
        }
        substitution.apply(self.pool, term)
    }

    /// A new incarnation of a variable, as its current value.
    fn incarnate(&mut self, block: BlockId, var: VarId) -> VarId {
        let incarnation = fresh_incarnation(self.pool, var);
        let value = self.pool.var(incarnation);
        self.reader.write(block, var, value);
        incarnation
    }

    fn bounded(&mut self, block: BlockId, var: VarId, value: TermId) -> TermId {
        if self.pool.depth(value) <= MAX_VALUE_DEPTH {
            return value;
        }
        let incarnation = fresh_incarnation(self.pool, var);
        let name = self.pool.var(incarnation);
        let definition = self.pool.eq(name, value);
        self.drafts[block].assumes.push(definition);
        name
    }

    fn bounded_in(&mut self, block: BlockId, value: TermId) -> TermId {
        if self.pool.depth(value) <= MAX_VALUE_DEPTH {
            return value;
        }
        let sort = self.pool.sort_of(value);
        let var = self.pool.declare_var("argument", sort);
        let name = self.pool.var(var);
        let definition = self.pool.eq(name, value);
        self.drafts[block].assumes.push(definition);
        name
    }

    fn finish(mut self, id: ProcId, order: &[BlockId], ins: Vec<VarId>, out_vars: &[VarId]) -> PassiveProc {
        let outs: Vec<VarId> = out_vars
            .iter()
            .map(|&var| fresh_incarnation(self.pool, var))
            .collect();
        let kept = self.completable(order);
        let mut numbering = SecondaryMap::<BlockId, Option<PassiveBlockId>>::new();
        for (index, &block) in kept.iter().enumerate() {
            numbering[block] = Some(PassiveBlockId::new(index));
        }
        // Reading the final values may still add phis, so it comes before edges are written.
        let mut returns: FxHashMap<BlockId, Vec<(usize, TermId)>> = FxHashMap::default();
        for &block in &kept {
            if self.proc.blocks[block].terminator == Terminator::Return {
                returns.insert(block, self.final_values(block, out_vars));
            }
        }
        let mut blocks = PrimaryMap::with_capacity(kept.len());
        for &block in &kept {
            let mut successors: Vec<Edge> = Vec::new();
            for &successor in self.proc.blocks[block].successors() {
                let Some(target) = numbering[successor] else {
                    continue;
                };
                if successors.iter().any(|edge| edge.target == target) {
                    continue;
                }
                successors.push(Edge {
                    target,
                    phis: self.reader.phis(block, successor),
                });
            }
            let draft = std::mem::take(&mut self.drafts[block]);
            blocks.push(PassiveBlock {
                source: block,
                assumes: draft.assumes,
                successors,
                returns: returns.remove(&block),
                steps: draft.steps,
            });
        }
        self.renumber_call_sites(id, ins, outs, blocks, &numbering)
    }

    /// Drops call sites of dropped blocks.
    fn renumber_call_sites(
        self,
        proc: ProcId,
        ins: Vec<VarId>,
        outs: Vec<VarId>,
        mut blocks: PrimaryMap<PassiveBlockId, PassiveBlock>,
        numbering: &SecondaryMap<BlockId, Option<PassiveBlockId>>,
    ) -> PassiveProc {
        let mut new_index = vec![None; self.call_sites.len()];
        let mut call_sites = Vec::new();
        for (old, (block, mut site)) in self.call_sites.into_iter().enumerate() {
            if let Some(block) = numbering[block] {
                site.block = block;
                new_index[old] = Some(call_sites.len());
                call_sites.push(site);
            }
        }
        for block in blocks.values_mut() {
            for step in &mut block.steps {
                if let PassiveStep::Call(index) = step
                    && let Some(new) = new_index[*index]
                {
                    *index = new;
                }
            }
        }
        PassiveProc {
            proc,
            ins,
            outs,
            blocks,
            call_sites,
        }
    }

    /// The entry and all blocks from which a return can be reached without a false condition.
    fn completable(&self, order: &[BlockId]) -> Vec<BlockId> {
        let mut completable = SecondaryMap::<BlockId, bool>::new();
        for &block in order.iter().rev() {
            let data = &self.proc.blocks[block];
            completable[block] = !self.drafts[block].infeasible
                && (data.terminator == Terminator::Return
                    || data.successors().iter().any(|&s| completable[s]));
        }
        // Blocks that only infeasible blocks lead to are unreachable.
        let mut reached = SecondaryMap::<BlockId, bool>::new();
        reached[self.proc.entry] = true;
        let mut kept = Vec::new();
        for &block in order {
            if !reached[block] || (!completable[block] && block != self.proc.entry) {
                continue;
            }
            kept.push(block);
            for &successor in self.proc.blocks[block].successors() {
                reached[successor] = true;
            }
        }
        kept
    }

    fn final_values(&mut self, block: BlockId, out_vars: &[VarId]) -> Vec<(usize, TermId)> {
        let failed = self
            .error
            .and_then(|error| out_vars.iter().position(|&var| var == error))
            .filter(|&position| {
                let value = self.reader.read(self.pool, block, out_vars[position]);
                self.pool.as_bool(value) == Some(true) || self.drafts[block].assumes.contains(&value)
            });
        let mut values = Vec::new();
        for (position, &var) in out_vars.iter().enumerate() {
            if failed.is_some_and(|failed| failed != position) {
                continue;
            }
            let value = self.reader.read(self.pool, block, var);
            values.push((position, value));
        }
        values
    }
}

/// A new variable with the name and sort of another.
pub(crate) fn fresh_incarnation(pool: &mut TermPool, var: VarId) -> VarId {
    let data = pool.var_data(var).clone();
    pool.declare_var(data.name, data.sort)
}
