//! Loops with a constant number of iterations get a recursion bound of their own: the open
//! problem at the end of [Corral12] §4.2.
//!
//! A loop is a tail-recursive procedure made by `extract_loops`. For each call of itself the
//! body is evaluated symbolically: what the next activation's parameters and globals are in
//! terms of this one's, and which conditions have been assumed on every path to the call.
//! If the first activation starts with known numbers, the activations are then computed one
//! after the other, as far as these numbers go, until a condition is false: no execution gets
//! past that activation. This covers counters of any step and direction and any comparison
//! that folds, on integers and bit-vectors.

use cranelift_entity::{EntityRef, SecondaryMap};
use lariat_ir::{BlockId, ProcId, ProcKind, Program, Stmt, StmtKind, Terminator};
use lariat_term::{Op, Sort, Substitution, TermId, TermPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constant_facts::{ConstantFacts, is_literal};
use crate::free_vars::FreeVars;
use crate::mod_ref::ModRef;
use crate::persistent_map::PersistentMap;

/// Loops of more iterations are left alone.
pub(crate) const MOST_ACTIVATIONS: u32 = 10_000;
/// Activations that are computed in one program, all loops together.
const MOST_STEPS: u32 = 1_000_000;
/// Symbolic values and conditions beyond these sizes are forgotten.
const MOST_DEPTH: u32 = 12;
const MOST_ARGS: usize = 12;
const MOST_CONDITIONS: usize = 64;

/// Sets `extra_bound` of loops whose number of activations is known to that number. With the
/// bound 1 for all, one activation more than can happen is allowed: so the call in the last
/// activation is not cut by the bound, and can be shown to be unreachable. The program is at
/// [`lariat_ir::Stage::Instrumented`].
pub fn bound_constant_loops(program: &mut Program, entry: ProcId, limit: u32) {
    let loops: Vec<ProcId> = program
        .procs
        .iter()
        .filter(|(_, proc)| matches!(proc.kind, ProcKind::Loop { .. }))
        .map(|(id, _)| id)
        .collect();
    if loops.is_empty() {
        return;
    }
    let literals = literal_constants(program);
    let mut steps: SecondaryMap<ProcId, Option<LoopStep>> = SecondaryMap::new();
    let mut facts = ConstantFacts::new(program, entry);
    let mod_ref = ModRef::new(program, facts.calls());
    for &proc in &loops {
        // A loop that is active in itself through other procedures has no bound of its own.
        if facts.calls().component(proc) == [proc] && facts.calls().is_recursive(proc) {
            steps[proc] = SymbolicBody::new(program, proc, &mod_ref, &literals).next_activation(program);
        }
    }
    let starts = first_activations(program, &mut facts, &steps);
    let mut left = MOST_STEPS;
    for proc in loops {
        let (Some(step), Some(starts)) = (&steps[proc], starts.get(&proc)) else {
            continue;
        };
        let most = starts
            .iter()
            .map(|start| count_activations(&mut program.pool, step, start, limit, &mut left));
        // One unknown start makes the whole unknown.
        let most: Option<Vec<u32>> = most.collect();
        if let Some(most) = most.and_then(|counts| counts.into_iter().max()) {
            program.procs[proc].extra_bound = most;
        }
    }
}

/// Constants that an axiom equates with a literal.
fn literal_constants(program: &Program) -> Substitution {
    let mut literals = Substitution::new();
    let constants: FxHashSet<VarId> = program.constants.iter().copied().collect();
    for axiom in &program.axioms {
        if program.pool.op(axiom.term) != Op::Eq {
            continue;
        }
        let args = program.pool.args(axiom.term);
        for (side, value) in [(args[0], args[1]), (args[1], args[0])] {
            if let Some(var) = program.pool.as_var(side)
                && constants.contains(&var)
                && is_literal(&program.pool, value)
            {
                literals.insert(var, value);
            }
        }
    }
    literals
}

/// From one activation of a loop to the next, over the symbols of the values at its start.
#[derive(Clone)]
struct LoopStep {
    /// The symbols: the parameters of the loop, and one for each global that it changes.
    symbols: Vec<Symbol>,
    /// Conditions that hold wherever the loop calls itself.
    conditions: Vec<TermId>,
}

#[derive(Clone, Copy)]
struct Symbol {
    var: VarId,
    source: Source,
    /// Its value in the next activation, if the same at all calls.
    next: Option<TermId>,
}

#[derive(Clone, Copy)]
enum Source {
    Param(usize),
    Global(VarId),
}

type State = (PersistentMap<TermId>, Vec<TermId>);

struct SymbolicBody<'a> {
    proc: ProcId,
    mod_ref: &'a ModRef,
    literals: Substitution,
    free_vars: FreeVars,
    symbols: Vec<Symbol>,
    globals: Vec<(VarId, VarId)>,
    capacity: usize,
}

impl<'a> SymbolicBody<'a> {
    fn new(program: &mut Program, proc: ProcId, mod_ref: &'a ModRef, literals: &Substitution) -> Self {
        let mut symbols: Vec<Symbol> = Vec::new();
        for (index, &var) in program.procs[proc].params.iter().enumerate() {
            symbols.push(Symbol {
                var,
                source: Source::Param(index),
                next: None,
            });
        }
        let mut globals = Vec::new();
        for global in mod_ref.may_read(proc) {
            let data = program.pool.var_data(global).clone();
            if matches!(program.pool.sort(data.sort), Sort::Int | Sort::Bv(_) | Sort::Bool) {
                let var = program.pool.declare_var(data.name, data.sort);
                globals.push((global, var));
                symbols.push(Symbol {
                    var,
                    source: Source::Global(global),
                    next: None,
                });
            }
        }
        SymbolicBody {
            proc,
            mod_ref,
            literals: literals.clone(),
            free_vars: FreeVars::default(),
            symbols,
            globals,
            capacity: program.pool.var_count(),
        }
    }

    fn next_activation(mut self, program: &mut Program) -> Option<LoopStep> {
        let proc = self.proc;
        let mut start = PersistentMap::with_capacity(self.capacity);
        for &var in &program.procs[proc].params {
            start.insert(var.index(), program.pool.var(var));
        }
        for &(global, symbol) in &self.globals {
            start.insert(global.index(), program.pool.var(symbol));
        }
        for &var in &program.constants {
            let term = program.pool.var(var);
            start.insert(var.index(), self.literals.apply(&mut program.pool, term));
        }
        let mut pending = SecondaryMap::<BlockId, Option<State>>::new();
        pending[program.procs[proc].entry] = Some((start, Vec::new()));
        // For each call of itself the values of the symbols next time and the conditions.
        let mut calls: Vec<(Vec<Option<TermId>>, Vec<TermId>)> = Vec::new();
        for block in program.procs[proc].reverse_postorder() {
            let Some((mut values, mut conditions)) = pending[block].take() else {
                continue;
            };
            let stmts = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
            for stmt in &stmts {
                if let StmtKind::Call(call) = &stmt.kind
                    && call.callee == proc
                {
                    let next = self
                        .symbols
                        .iter()
                        .map(|symbol| symbol.source)
                        .collect::<Vec<_>>();
                    let next = next.into_iter().map(|source| match source {
                        Source::Param(index) => self.evaluate(&mut program.pool, call.ins[index], &values),
                        Source::Global(global) => values.get(global.index()),
                    });
                    calls.push((next.collect(), conditions.clone()));
                }
                self.step(program, stmt, &mut values, &mut conditions);
            }
            program.procs[proc].blocks[block].stmts = stmts;
            if let Terminator::Goto(targets) = &program.procs[proc].blocks[block].terminator {
                for &target in targets {
                    match &mut pending[target] {
                        Some((so_far, common)) => {
                            so_far.keep_common(&values);
                            common.retain(|condition| conditions.contains(condition));
                        }
                        none => *none = Some((values.clone(), conditions.clone())),
                    }
                }
            }
        }
        let (mut next, mut conditions) = calls.pop()?;
        for (other_next, other_conditions) in calls {
            for (value, other) in next.iter_mut().zip(other_next) {
                *value = value.filter(|value| Some(*value) == other);
            }
            conditions.retain(|condition| other_conditions.contains(condition));
        }
        for (symbol, next) in self.symbols.iter_mut().zip(next) {
            symbol.next = next;
        }
        (!conditions.is_empty()).then_some(LoopStep {
            symbols: self.symbols,
            conditions,
        })
    }

    /// The value of the term in terms of the symbols; `None` if it is not known or too large.
    fn evaluate(
        &mut self,
        pool: &mut TermPool,
        term: TermId,
        values: &PersistentMap<TermId>,
    ) -> Option<TermId> {
        if pool.depth(term) > MOST_DEPTH {
            return None;
        }
        let vars = self.free_vars.of(pool, term);
        let known: Option<Vec<(VarId, TermId)>> = vars
            .iter()
            .map(|&var| Some((var, values.get(var.index())?)))
            .collect();
        let value = Substitution::from_iter(known?).apply(pool, term);
        let mut small = pool.depth(value) <= MOST_DEPTH;
        pool.visit_subterms(&[value], |part| {
            small &= pool.args(part).len() <= MOST_ARGS && !matches!(pool.op(part), Op::Quantifier(_));
        });
        small.then_some(value)
    }

    fn step(
        &mut self,
        program: &mut Program,
        stmt: &Stmt,
        values: &mut PersistentMap<TermId>,
        conditions: &mut Vec<TermId>,
    ) {
        match &stmt.kind {
            StmtKind::Assume(condition) => {
                let parts: Vec<TermId> = match program.pool.op(*condition) {
                    Op::And => program.pool.args(*condition).to_vec(),
                    _ => vec![*condition],
                };
                for part in parts {
                    if let Some(value) = self.evaluate(&mut program.pool, part, values)
                        && conditions.len() < MOST_CONDITIONS
                        && !conditions.contains(&value)
                    {
                        conditions.push(value);
                    }
                }
            }
            StmtKind::Assign(assignments) => {
                let new: Vec<(VarId, Option<TermId>)> = assignments
                    .iter()
                    .map(|&(var, term)| (var, self.evaluate(&mut program.pool, term, values)))
                    .collect();
                for (var, value) in new {
                    match value {
                        Some(value) => values.insert(var.index(), value),
                        None => values.remove(var.index()),
                    }
                }
            }
            StmtKind::Havoc(vars) => vars.iter().for_each(|var| values.remove(var.index())),
            StmtKind::Call(call) => {
                for var in self.mod_ref.may_write(call.callee).iter().chain(&call.outs) {
                    values.remove(var.index());
                }
            }
            StmtKind::Assert { .. } | StmtKind::Enter(_) => {}
        }
    }
}

/// Known values of symbols at the start of a first activation.
type Start = Vec<Option<TermId>>;

/// For each loop with a step the values at each call from elsewhere.
fn first_activations(
    program: &mut Program,
    facts: &mut ConstantFacts,
    steps: &SecondaryMap<ProcId, Option<LoopStep>>,
) -> FxHashMap<ProcId, Vec<Start>> {
    let mut starts: FxHashMap<ProcId, Vec<Start>> = FxHashMap::default();
    let mut callers: Vec<ProcId> = program
        .procs
        .keys()
        .filter(|&proc| steps[proc].is_some())
        .flat_map(|proc| facts.calls().callers(proc).to_vec())
        .collect();
    callers.sort_unstable();
    callers.dedup();
    for caller in callers {
        let Some(at_start) = facts.at_start(caller) else {
            continue;
        };
        facts.walk(program, caller, at_start, |facts, program, call, state| {
            let Some(step) = &steps[call.callee] else { return };
            if call.callee == caller {
                return;
            }
            let start: Start = step
                .symbols
                .iter()
                .map(|symbol| {
                    let value = match symbol.source {
                        Source::Param(index) => facts.evaluate(&mut program.pool, call.ins[index], state),
                        Source::Global(global) => state.get(global.index())?,
                    };
                    is_literal(&program.pool, value).then_some(value)
                })
                .collect();
            let known = starts.entry(call.callee).or_default();
            if !known.contains(&start) {
                known.push(start);
            }
        });
    }
    starts
}

/// How many activations there can be, if that can be computed.
fn count_activations(
    pool: &mut TermPool,
    step: &LoopStep,
    start: &Start,
    limit: u32,
    left: &mut u32,
) -> Option<u32> {
    let mut values: FxHashMap<VarId, TermId> = step
        .symbols
        .iter()
        .zip(start)
        .filter_map(|(symbol, value)| Some((symbol.var, (*value)?)))
        .collect();
    // Only symbols whose next value is computed from such symbols can be followed.
    let mut nexts: Vec<(VarId, TermId)> = step
        .symbols
        .iter()
        .filter_map(|symbol| Some((symbol.var, symbol.next?)))
        .collect();
    loop {
        let followed: FxHashSet<VarId> = nexts
            .iter()
            .map(|&(var, _)| var)
            .filter(|var| values.contains_key(var))
            .collect();
        let before = (nexts.len(), values.len());
        nexts.retain(|&(var, next)| {
            followed.contains(&var) && pool.free_vars(&[next]).iter().all(|var| followed.contains(var))
        });
        values.retain(|var, _| nexts.iter().any(|(followed, _)| followed == var));
        if (nexts.len(), values.len()) == before {
            break;
        }
    }
    let mut conditions = step.conditions.clone();
    conditions.retain(|&condition| {
        pool.free_vars(&[condition])
            .iter()
            .all(|var| values.contains_key(var))
    });
    // Without a change in what a condition looks at, nothing would ever become false.
    let looked_at = needed(pool, &conditions, &nexts);
    nexts.retain(|(var, _)| looked_at.contains(var));
    values.retain(|var, _| looked_at.contains(var));
    for activation in 1..=limit {
        *left = left.checked_sub(1)?;
        let mut substitution: Substitution = nexts.iter().map(|&(var, _)| (var, values[&var])).collect();
        for &condition in &conditions {
            let holds = substitution.apply(pool, condition);
            if pool.as_bool(holds) == Some(false) {
                return Some(activation);
            }
        }
        let mut changed = false;
        for &(var, next) in &nexts {
            let value = substitution.apply(pool, next);
            if !is_literal(pool, value) {
                return None;
            }
            changed |= values.insert(var, value) != Some(value);
        }
        if !changed {
            return None;
        }
    }
    None
}

/// The symbols that the conditions depend on, directly or through the next values.
fn needed(pool: &TermPool, conditions: &[TermId], nexts: &[(VarId, TermId)]) -> FxHashSet<VarId> {
    let next: FxHashMap<VarId, TermId> = nexts.iter().copied().collect();
    let mut needed: FxHashSet<VarId> = FxHashSet::default();
    let mut work: Vec<VarId> = pool.free_vars(conditions).into_iter().collect();
    while let Some(var) = work.pop() {
        if needed.insert(var)
            && let Some(&term) = next.get(&var)
        {
            work.extend(pool.free_vars(&[term]));
        }
    }
    needed
}
