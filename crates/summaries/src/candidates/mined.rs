//! Candidates that the program itself states: conditions of branches and assertions.
//!
//! A condition of a procedure is a guess about its loops (which share its variables), and a condition of
//! a caller is a guess about the callee, with arguments for parameters. Of an order `a < b` all orders of
//! `a` and `b` are tried, and where a loop runs while `i < n`, what is asserted of `n` is also tried of
//! `i`, and what is asserted of an element `k < n` is tried of `k < i`: that is what holds half-way.

use cranelift_entity::SecondaryMap;
use lariat_ir::{ProcId, Program, StmtKind};
use lariat_passes::CallGraph;
use lariat_term::{Op, Sort, Substitution, TermId, TermPool, VarId};
use lariat_vc::Problem;
use rustc_hash::{FxHashMap, FxHashSet};

use super::draft::Draft;
use super::vocabulary::{Key, Vocabulary};

/// Larger conditions are not looked at.
const MOST_DEPTH: u32 = 10;
/// Of one procedure.
const MOST_CONDITIONS: usize = 40;

/// What each procedure assumes, in the order of its text.
pub(super) struct Conditions {
    of: SecondaryMap<ProcId, Vec<TermId>>,
}

impl Conditions {
    pub fn new(problem: &Problem) -> Self {
        let mut of = SecondaryMap::new();
        for (id, proc) in problem.program.procs.iter() {
            let list: &mut Vec<TermId> = &mut of[id];
            let mut seen = FxHashSet::default();
            for stmt in proc.blocks.values().flat_map(|block| &block.stmts) {
                if let StmtKind::Assume(term) = stmt.kind
                    && list.len() < MOST_CONDITIONS
                    && is_simple(&problem.program, term)
                    && seen.insert(term)
                {
                    list.push(term);
                }
            }
        }
        Conditions { of }
    }
}

fn is_simple(program: &Program, term: TermId) -> bool {
    let pool = &program.pool;
    if pool.depth(term) > MOST_DEPTH || pool.as_bool(term).is_some() {
        return false;
    }
    let mut simple = true;
    pool.visit_subterms(&[term], |term| {
        simple &= !matches!(pool.op(term), Op::Quantifier(_));
    });
    simple
}

/// A condition over positions in the state of the procedure that it is a guess about.
pub(super) struct Mapped {
    term: TermId,
    vars: Vec<(VarId, usize)>,
}

impl Draft<'_> {
    pub fn add_mined(&mut self, conditions: &Conditions, vocabulary: &Vocabulary, calls: &CallGraph) {
        let mut mapped: Vec<Mapped> = Vec::new();
        for &source in vocabulary.family(self.proc) {
            mapped.extend(self.map_by_key(conditions, vocabulary, source));
        }
        for &caller in calls.callers(self.proc) {
            if !vocabulary.family(self.proc).contains(&caller) {
                mapped.extend(self.map_by_call(conditions, vocabulary, caller));
            }
        }
        // Callees and other procedures speak about globals.
        if self.limits.related > 0 {
            for &callee in calls.callees(self.proc) {
                if !vocabulary.family(self.proc).contains(&callee) {
                    mapped.extend(self.map_by_key(conditions, vocabulary, callee));
                }
            }
        }
        let guards = self.guards(&mapped);
        for condition in &mapped {
            self.add_condition(condition);
        }
        if self.limits.related > 0 {
            for condition in &mapped {
                for &(bound, counter) in &guards {
                    self.add_replaced(condition, bound, counter);
                }
                self.add_under_flags(condition);
            }
            for order in &mapped {
                for &(bound, counter) in &guards {
                    self.add_so_far(order, &mapped, bound, counter);
                }
            }
        }
    }

    fn map_by_key(&self, conditions: &Conditions, vocabulary: &Vocabulary, source: ProcId) -> Vec<Mapped> {
        self.map(conditions, vocabulary, source, |var| {
            let key = vocabulary.key(self.problem, source, var);
            self.position(&key, var)
        })
    }

    fn map_by_call(&self, conditions: &Conditions, vocabulary: &Vocabulary, caller: ProcId) -> Vec<Mapped> {
        let program = &self.problem.program;
        let callee = &program.procs[self.proc];
        let mut result = Vec::new();
        for stmt in program.procs[caller]
            .blocks
            .values()
            .flat_map(|block| &block.stmts)
        {
            let StmtKind::Call(call) = &stmt.kind else {
                continue;
            };
            if call.callee != self.proc {
                continue;
            }
            let mut bound: FxHashMap<VarId, VarId> = FxHashMap::default();
            for (&param, &arg) in callee.params.iter().zip(&call.ins) {
                if let Some(var) = program.pool.as_var(arg) {
                    bound.insert(var, param);
                }
            }
            bound.extend(call.outs.iter().copied().zip(callee.outs.iter().copied()));
            result.extend(self.map(conditions, vocabulary, caller, |var| {
                let own = bound.get(&var).copied().unwrap_or(var);
                let key = vocabulary.key(self.problem, self.proc, own);
                (own != var || matches!(key, Key::Global(_)))
                    .then(|| self.position(&key, var))
                    .flatten()
            }));
            if result.len() > MOST_CONDITIONS {
                break;
            }
        }
        result
    }

    fn map(
        &self,
        conditions: &Conditions,
        vocabulary: &Vocabulary,
        source: ProcId,
        position: impl Fn(VarId) -> Option<usize>,
    ) -> Vec<Mapped> {
        let pool = &self.problem.program.pool;
        let mut result = Vec::new();
        for &term in &conditions.of[source] {
            let mut parts = vec![term];
            pool.visit_subterms(&[term], |part| {
                if part != term && *pool.sort(pool.sort_of(part)) == Sort::Bool {
                    parts.push(part);
                }
            });
            for term in parts {
                result.extend(self.map_term(vocabulary, term, |_, var| position(var)));
            }
        }
        result
    }

    /// The condition over the state, if all its variables are part of that.
    pub(super) fn map_term(
        &self,
        vocabulary: &Vocabulary,
        term: TermId,
        position: impl Fn(&Self, VarId) -> Option<usize>,
    ) -> Option<Mapped> {
        let pool = &self.problem.program.pool;
        let mut free: Vec<VarId> = pool
            .free_vars(&[term])
            .into_iter()
            .filter(|var| !vocabulary.constants.contains(var))
            .collect();
        free.sort_unstable();
        let vars = free
            .into_iter()
            .map(|var| position(self, var).map(|index| (var, index)))
            .collect::<Option<Vec<(VarId, usize)>>>()?;
        (!vars.is_empty()).then_some(Mapped { term, vars })
    }

    /// The condition itself, before and after.
    pub(super) fn add_state_condition(&mut self, condition: &Mapped) {
        let indices: Vec<usize> = condition.vars.iter().map(|&(_, index)| index).collect();
        let vars: Vec<VarId> = condition.vars.iter().map(|&(var, _)| var).collect();
        self.state_formula(&indices, |pool, values| {
            substitute(pool, &vars, values, condition.term)
        });
    }

    /// The state variable of a key, if it has the sort of `var`.
    pub(super) fn position(&self, key: &Key, var: VarId) -> Option<usize> {
        let pool = &self.problem.program.pool;
        let sort = pool.var_sort(var);
        self.state
            .iter()
            .position(|known| known.key == *key && pool.var_sort(known.var) == sort)
    }

    /// Pairs of state variables that an order compares: the bound and what runs up to it.
    fn guards(&self, mapped: &[Mapped]) -> Vec<(usize, usize)> {
        let pool = &self.problem.program.pool;
        let mut guards = Vec::new();
        for condition in mapped {
            if let (Op::Le | Op::Lt, [(_, a), (_, b)]) = (pool.op(condition.term), &condition.vars[..])
                && pool
                    .args(condition.term)
                    .iter()
                    .all(|&arg| pool.as_var(arg).is_some())
            {
                for pair in [(*a, *b), (*b, *a)] {
                    if self.state[pair.1].output.is_some() && !guards.contains(&pair) {
                        guards.push(pair);
                    }
                }
            }
        }
        guards.truncate(4);
        guards
    }

    fn add_condition(&mut self, condition: &Mapped) {
        let indices: Vec<usize> = condition.vars.iter().map(|&(_, index)| index).collect();
        let vars: Vec<VarId> = condition.vars.iter().map(|&(var, _)| var).collect();
        let pool = self.pool();
        let mut forms = Vec::new();
        match pool.op(condition.term) {
            Op::Le | Op::Lt => {
                let (a, b) = (pool.args(condition.term)[0], pool.args(condition.term)[1]);
                forms.extend([
                    pool.le(a, b),
                    pool.le(b, a),
                    pool.lt(a, b),
                    pool.lt(b, a),
                    pool.eq(a, b),
                ]);
            }
            Op::Eq => {
                let (a, b) = (pool.args(condition.term)[0], pool.args(condition.term)[1]);
                forms.extend([condition.term, pool.not(condition.term)]);
                if matches!(pool.sort(pool.sort_of(a)), Sort::Int | Sort::Real) {
                    forms.extend([pool.le(a, b), pool.le(b, a)]);
                }
            }
            _ => forms.extend([condition.term, pool.not(condition.term)]),
        }
        for &form in &forms {
            self.state_formula(&indices, |pool, values| substitute(pool, &vars, values, form));
        }
        if self.limits.related > 0 {
            for &form in &forms {
                self.kept_formula(&indices, |pool, values| substitute(pool, &vars, values, form));
            }
        }
    }

    /// The condition where a flag is set, and where it is not.
    fn add_under_flags(&mut self, condition: &Mapped) {
        let flags: Vec<usize> = (0..self.state.len())
            .filter(|&index| *self.sort(index) == Sort::Bool)
            .take(2)
            .collect();
        let vars: Vec<VarId> = condition.vars.iter().map(|&(var, _)| var).collect();
        let negation = self.pool().not(condition.term);
        for flag in flags {
            let mut indices: Vec<usize> = condition.vars.iter().map(|&(_, index)| index).collect();
            if indices.contains(&flag) {
                continue;
            }
            indices.push(flag);
            for form in [condition.term, negation] {
                for value in [false, true] {
                    self.state_formula(&indices, |pool, values| {
                        let (flag, values) = (values[values.len() - 1], &values[..values.len() - 1]);
                        let value = pool.bool(value);
                        let (is_set, holds) = (pool.eq(flag, value), substitute(pool, &vars, values, form));
                        pool.implies(is_set, holds)
                    });
                }
            }
        }
    }

    /// From `k < n` and a loop while `i < n`: all other conditions, where `k < i`.
    fn add_so_far(&mut self, order: &Mapped, mapped: &[Mapped], bound: usize, counter: usize) {
        let is_order = matches!(self.pool().op(order.term), Op::Le | Op::Lt);
        let mentions = |condition: &Mapped, var: usize| condition.vars.iter().any(|&(_, index)| index == var);
        if !is_order || !mentions(order, bound) || mentions(order, counter) {
            return;
        }
        for other in mapped
            .iter()
            .filter(|other| !mentions(other, counter) && !mentions(other, bound))
        {
            let replaced = order
                .vars
                .iter()
                .map(|&(_, index)| if index == bound { counter } else { index });
            let own = other.vars.iter().map(|&(_, index)| index);
            let indices: Vec<usize> = replaced.chain(own).collect();
            let order_vars: Vec<VarId> = order.vars.iter().map(|&(var, _)| var).collect();
            let other_vars: Vec<VarId> = other.vars.iter().map(|&(var, _)| var).collect();
            let negation = self.pool().not(other.term);
            for form in [other.term, negation] {
                self.state_formula(&indices, |pool, values| {
                    let (first, second) = values.split_at(order_vars.len());
                    let seen = substitute(pool, &order_vars, first, order.term);
                    let holds = substitute(pool, &other_vars, second, form);
                    pool.implies(seen, holds)
                });
            }
        }
    }

    /// The condition with the counter in place of the bound.
    fn add_replaced(&mut self, condition: &Mapped, bound: usize, counter: usize) {
        if !condition.vars.iter().any(|&(_, index)| index == bound) {
            return;
        }
        let replace = |index| if index == bound { counter } else { index };
        let indices: Vec<usize> = condition.vars.iter().map(|&(_, index)| replace(index)).collect();
        let vars: Vec<VarId> = condition.vars.iter().map(|&(var, _)| var).collect();
        let negation = self.pool().not(condition.term);
        for form in [condition.term, negation] {
            self.state_formula(&indices, |pool, values| substitute(pool, &vars, values, form));
        }
    }
}

fn substitute(pool: &mut TermPool, vars: &[VarId], values: &[TermId], term: TermId) -> TermId {
    let mut substitution: Substitution = vars.iter().copied().zip(values.iter().copied()).collect();
    substitution.apply(pool, term)
}
