//! wlp of a trace, by executing it forward on terms: for a single path the two are the same.
//!
//! Every value is a term over the entry's inputs (its parameters, the initial values of globals, constants) and
//! [`Symbols`], one for each value that something chose on the way.

use lariat_interp::{Change, ChangeKind, EventKind};
use lariat_ir::{Program, Stmt, StmtId, StmtKind};
use lariat_term::{Op, Substitution, TermId, TermPool, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::control_slice::Role;
use crate::path::{TraceStep, TraceStepKind};
use crate::{FailingTrace, Placeholder};

/// wlp = (conditions ⇒ failing), given the background.
pub(crate) struct Wlp {
    /// Of the jumps that matter, in the order of the trace.
    pub conditions: Vec<TermId>,
    /// The condition that does not hold.
    pub failing: TermId,
    /// What else holds whenever the trace comes to its end: other assumes, assertions that held, axioms. No
    /// quantifiers.
    pub background: Vec<TermId>,
    pub symbols: Symbols,
    /// The values of inputs and symbols in the replay, as far as they are known.
    pub values: Vec<(VarId, Value)>,
}

/// The variables that were made for values that are no inputs.
#[derive(Default)]
pub(crate) struct Symbols {
    /// In the order of the trace.
    pub placeholders: Vec<Placeholder>,
    kinds: FxHashMap<VarId, SymbolKind>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SymbolKind {
    /// The environment's choice: a specification may speak of it.
    Unknown,
    /// The address of fresh memory.
    Fresh,
    /// Any other choice, and what uninitialised variables hold.
    Internal,
}

impl Symbols {
    /// `None`: an input.
    pub fn kind(&self, var: VarId) -> Option<SymbolKind> {
        self.kinds.get(&var).copied()
    }

    /// The variable of the program that was havocked, of a symbol; itself of an input.
    pub fn site_var(&self, var: VarId) -> VarId {
        let site = self.placeholders.iter().find(|site| site.var == var);
        site.map_or(var, |site| site.site_var)
    }

    pub fn is_fresh(&self, var: VarId) -> bool {
        self.kind(var) == Some(SymbolKind::Fresh)
    }

    pub fn has_fresh(&self) -> bool {
        self.kinds.values().any(|kind| *kind == SymbolKind::Fresh)
    }
}

pub(crate) fn wlp(
    pool: &mut TermPool,
    trace: &FailingTrace<'_>,
    path: &[TraceStep<'_>],
    roles: &[Role],
) -> Wlp {
    let mut execution = Execution::new(pool, trace);
    for (step, role) in path.iter().zip(roles) {
        execution.step(step, *role);
    }
    let Execution {
        conditions,
        mut background,
        failing,
        symbols,
        values,
        ..
    } = execution;
    let mut seen = FxHashSet::default();
    let quantified = quantified_terms(pool, &background);
    background
        .retain(|&fact| pool.as_bool(fact) != Some(true) && seen.insert(fact) && !quantified.contains(&fact));
    Wlp {
        conditions,
        failing: failing.unwrap_or_else(|| pool.bool(true)),
        background,
        symbols,
        values,
    }
}

/// The values of one scope.
type Store = FxHashMap<VarId, TermId>;

struct Execution<'a, 'p> {
    pool: &'p mut TermPool,
    program: &'a Program,
    shared: FxHashSet<VarId>,
    globals: Store,
    locals: FxHashMap<u32, Store>,
    unknown_sites: FxHashSet<(StmtId, VarId)>,
    fresh_sites: FxHashSet<(StmtId, VarId)>,
    occurrences: FxHashMap<StmtId, u32>,
    conditions: Vec<TermId>,
    background: Vec<TermId>,
    failing: Option<TermId>,
    symbols: Symbols,
    values: Vec<(VarId, Value)>,
    failing_id: lariat_ir::AssertId,
}

impl<'a, 'p> Execution<'a, 'p> {
    fn new(pool: &'p mut TermPool, trace: &FailingTrace<'a>) -> Self {
        let program = trace.program;
        let mut globals = Store::default();
        for &(var, value) in trace.known {
            globals.insert(var, pool.bool(value));
        }
        let mut entry = Store::default();
        for &param in &program.procs[trace.entry].params {
            entry.insert(param, pool.var(param));
        }
        let mut execution = Execution {
            pool,
            program,
            shared: program
                .globals
                .iter()
                .chain(&program.constants)
                .copied()
                .collect(),
            globals,
            locals: FxHashMap::from_iter([(0, entry)]),
            unknown_sites: trace.open.unknowns.iter().map(|u| (u.stmt, u.var)).collect(),
            fresh_sites: trace.open.fresh.iter().copied().collect(),
            occurrences: FxHashMap::default(),
            conditions: Vec::new(),
            background: Vec::new(),
            failing: None,
            symbols: Symbols::default(),
            values: start_values(trace),
            failing_id: trace.failing,
        };
        let axioms = program.axioms.iter().map(|axiom| axiom.term);
        for fact in axioms.chain(program.initial.iter().copied()) {
            let fact = execution.value(0, fact);
            execution.background.push(fact);
        }
        execution
    }

    fn step(&mut self, step: &TraceStep<'a>, role: Role) {
        let here = step.activation;
        match &step.kind {
            TraceStepKind::Block(_) | TraceStepKind::Branch { .. } => {}
            TraceStepKind::Stmt(stmt) => self.statement(here, stmt, role),
            TraceStepKind::Havoc { stmt, vars, changes } => self.havoc(here, stmt.id, vars, changes),
            TraceStepKind::Call { call, activation } => {
                let values: Vec<TermId> = call.ins.iter().map(|&term| self.value(here, term)).collect();
                let params = self.program.procs[call.callee].params.iter().copied();
                self.locals.insert(*activation, params.zip(values).collect());
            }
            TraceStepKind::Return { call, activation } => {
                let outs = self.program.procs[call.callee].outs.clone();
                let values: Vec<TermId> = outs.iter().map(|&out| self.variable(*activation, out)).collect();
                for (&target, value) in call.outs.iter().zip(values) {
                    self.set(here, target, value);
                }
                self.locals.remove(activation);
            }
            TraceStepKind::Skipped { call } => {
                for &var in &call.outs {
                    self.set_any(here, var);
                }
            }
        }
    }

    fn statement(&mut self, here: u32, stmt: &Stmt, role: Role) {
        match &stmt.kind {
            StmtKind::Assume(condition) => match role {
                Role::Condition => {
                    let condition = self.value(here, *condition);
                    self.conditions.push(condition);
                }
                Role::Dropped => {}
                Role::Other => {
                    let fact = self.value(here, *condition);
                    self.background.push(fact);
                }
            },
            // The failing one is the last step: earlier visits of the same assertion have been replaced.
            StmtKind::Assert { condition, assert } => {
                let condition = self.value(here, *condition);
                self.background.extend(self.failing.take());
                if *assert == self.failing_id {
                    self.failing = Some(condition);
                } else {
                    self.background.push(condition);
                }
            }
            StmtKind::Assign(assignments) => {
                let values: Vec<TermId> = assignments
                    .iter()
                    .map(|&(_, term)| self.value(here, term))
                    .collect();
                for (&(var, _), value) in assignments.iter().zip(values) {
                    self.set(here, var, value);
                }
            }
            StmtKind::Havoc(_) | StmtKind::Call(_) | StmtKind::Enter(_) => {}
        }
    }

    fn havoc(&mut self, here: u32, stmt: StmtId, vars: &[VarId], changes: &[Change]) {
        let occurrence = *self
            .occurrences
            .entry(stmt)
            .and_modify(|count| *count += 1)
            .or_default();
        for &site_var in vars {
            let kind = if self.unknown_sites.contains(&(stmt, site_var)) {
                SymbolKind::Unknown
            } else if self.fresh_sites.contains(&(stmt, site_var)) {
                SymbolKind::Fresh
            } else {
                SymbolKind::Internal
            };
            let var = self.symbol(site_var, kind);
            if kind != SymbolKind::Internal {
                self.symbols.placeholders.push(Placeholder {
                    var,
                    stmt,
                    site_var,
                    occurrence,
                });
            }
            let chosen = changes.iter().find_map(|change| match &change.kind {
                ChangeKind::Whole { new, .. } if change.var == site_var => new.clone(),
                _ => None,
            });
            self.values.extend(chosen.map(|value| (var, value)));
            let value = self.pool.var(var);
            self.set(here, site_var, value);
        }
    }

    /// A new variable for a value of `of`.
    fn symbol(&mut self, of: VarId, kind: SymbolKind) -> VarId {
        let data = self.pool.var_data(of).clone();
        let var = self.pool.declare_var(data.name, data.sort);
        self.symbols.kinds.insert(var, kind);
        var
    }

    fn set_any(&mut self, here: u32, var: VarId) -> TermId {
        let symbol = self.symbol(var, SymbolKind::Internal);
        let value = self.pool.var(symbol);
        self.set(here, var, value);
        value
    }

    fn set(&mut self, here: u32, var: VarId, value: TermId) {
        if self.shared.contains(&var) {
            self.globals.insert(var, value);
        } else {
            self.locals.entry(here).or_default().insert(var, value);
        }
    }

    fn variable(&mut self, here: u32, var: VarId) -> TermId {
        if self.shared.contains(&var) {
            return match self.globals.get(&var) {
                Some(&value) => value,
                None => self.pool.var(var),
            };
        }
        if let Some(&value) = self.locals.get(&here).and_then(|store| store.get(&var)) {
            return value;
        }
        self.set_any(here, var)
    }

    /// The value of a term of the program in an activation.
    fn value(&mut self, here: u32, term: TermId) -> TermId {
        if self.pool.is_closed(term) {
            return term;
        }
        if let Some(var) = self.pool.as_var(term) {
            return self.variable(here, var);
        }
        let mut vars: Vec<VarId> = self.pool.free_vars(&[term]).into_iter().collect();
        vars.sort_unstable();
        let replacements: Vec<(VarId, TermId)> = vars
            .into_iter()
            .map(|var| (var, self.variable(here, var)))
            .collect();
        Substitution::from_iter(replacements).apply(self.pool, term)
    }
}

/// What the inputs of the entry were.
fn start_values(trace: &FailingTrace<'_>) -> Vec<(VarId, Value)> {
    let program = trace.program;
    let params = &program.procs[trace.entry].params;
    let inputs: FxHashSet<VarId> = params
        .iter()
        .chain(&program.globals)
        .chain(&program.constants)
        .copied()
        .collect();
    let starts = trace.events.iter().filter_map(|event| match &event.kind {
        EventKind::Start { values } => Some(values),
        _ => None,
    });
    starts
        .flatten()
        .filter(|(var, _)| inputs.contains(var))
        .cloned()
        .collect()
}

/// The subterms of the facts in which a quantifier occurs.
fn quantified_terms(pool: &TermPool, facts: &[TermId]) -> FxHashSet<TermId> {
    let mut quantified = FxHashSet::default();
    pool.visit_subterms(facts, |term| {
        if matches!(pool.op(term), Op::Quantifier(_))
            || pool.args(term).iter().any(|arg| quantified.contains(arg))
        {
            quantified.insert(term);
        }
    });
    quantified
}
