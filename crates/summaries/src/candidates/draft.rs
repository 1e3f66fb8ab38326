//! The candidates of one procedure while they are collected.

use lariat_ir::ProcId;
use lariat_term::{Sort, TermId, TermPool, VarId};
use lariat_vc::Problem;
use rustc_hash::FxHashSet;

use super::vocabulary::{Key, Vocabulary};
use super::{CandidateLimits, ProcCandidates};

/// A variable of the procedure's interface, before and after.
#[derive(Clone, Debug)]
pub(super) struct StateVar {
    pub key: Key,
    /// A variable of the program that stands for it.
    pub var: VarId,
    pub input: Option<TermId>,
    pub output: Option<TermId>,
}

impl StateVar {
    /// Its value when the procedure returns.
    pub fn after(&self) -> Option<TermId> {
        self.output.or(self.input)
    }
}

pub(super) struct Draft<'a> {
    pub problem: &'a mut Problem,
    pub proc: ProcId,
    pub limits: CandidateLimits,
    pub state: Vec<StateVar>,
    /// The error flag as an output, if the procedure may fail.
    pub error: Option<TermId>,
    result: ProcCandidates,
    seen: FxHashSet<TermId>,
}

impl<'a> Draft<'a> {
    pub fn new(
        problem: &'a mut Problem,
        vocabulary: &Vocabulary,
        proc: ProcId,
        limits: CandidateLimits,
    ) -> Self {
        let in_vars: Vec<VarId> = problem.ins(proc).collect();
        let out_vars: Vec<VarId> = problem.outs(proc).collect();
        let interface = problem.interfaces[proc].clone();
        let mut draft = Draft {
            error: None,
            proc,
            limits,
            state: Vec::new(),
            result: ProcCandidates::default(),
            seen: FxHashSet::default(),
            problem,
        };
        for (index, &var) in in_vars.iter().enumerate() {
            let own = draft.own_var(var);
            draft.result.ins.push(own);
            if interface.live_params.get(index).copied().unwrap_or(true) {
                let key = vocabulary.key(draft.problem, proc, var);
                let term = draft.pool().var(own);
                draft.state_var(key, var).input = Some(term);
            }
        }
        for (index, &var) in out_vars.iter().enumerate() {
            let own = draft.own_var(var);
            draft.result.outs.push(own);
            let term = draft.pool().var(own);
            if draft.problem.error == Some(var) {
                draft.error = Some(term);
            } else if interface.live_outs.get(index).copied().unwrap_or(true) {
                let key = vocabulary.key(draft.problem, proc, var);
                draft.state_var(key, var).output = Some(term);
            }
        }
        draft
    }

    fn own_var(&mut self, var: VarId) -> VarId {
        let pool = &mut self.problem.program.pool;
        let data = pool.var_data(var).clone();
        pool.declare_var(data.name, data.sort)
    }

    /// The state variable of a key; a second variable of another sort is not the same one.
    fn state_var(&mut self, key: Key, var: VarId) -> &mut StateVar {
        let pool = &self.problem.program.pool;
        let found = self
            .state
            .iter()
            .position(|known| known.key == key && pool.var_sort(known.var) == pool.var_sort(var));
        let index = found.unwrap_or_else(|| {
            self.state.push(StateVar {
                key,
                var,
                input: None,
                output: None,
            });
            self.state.len() - 1
        });
        &mut self.state[index]
    }

    pub fn pool(&mut self) -> &mut TermPool {
        &mut self.problem.program.pool
    }

    pub fn sort(&self, index: usize) -> &Sort {
        let pool = &self.problem.program.pool;
        pool.sort(pool.var_sort(self.state[index].var))
    }

    pub fn is_number(&self, index: usize) -> bool {
        matches!(self.sort(index), Sort::Int | Sort::Real)
    }

    /// `¬error`, and that the procedure does not return at all.
    pub fn add_error(&mut self) {
        if let Some(error) = self.error {
            let term = self.pool().not(error);
            self.push_post(term);
        }
        let never = self.pool().bool(false);
        if self.result.posts.len() < self.limits.posts {
            self.result.posts.push(never);
        }
    }

    /// A candidate over the inputs.
    pub fn pre(&mut self, term: TermId) {
        let pool = &self.problem.program.pool;
        if self.result.pres.len() < self.limits.pres && pool.as_bool(term).is_none() && self.seen.insert(term)
        {
            self.result.pres.push(term);
        }
    }

    /// A candidate that holds unless the procedure fails.
    pub fn post(&mut self, term: TermId) {
        let term = match self.error {
            Some(error) if self.problem.program.pool.as_bool(term).is_none() => {
                self.pool().or(&[term, error])
            }
            _ => term,
        };
        self.push_post(term);
    }

    /// A candidate that holds also if the procedure fails.
    pub fn push_post(&mut self, term: TermId) {
        let pool = &self.problem.program.pool;
        if self.result.posts.len() < self.limits.posts
            && pool.as_bool(term).is_none()
            && self.seen.insert(term)
        {
            self.result.posts.push(term);
        }
    }

    /// A formula about the state, as a precondition and as a postcondition.
    pub fn state_formula(&mut self, vars: &[usize], build: impl Fn(&mut TermPool, &[TermId]) -> TermId) {
        if let Some(values) = self.values(vars, |var| var.input) {
            let term = build(self.pool(), &values);
            self.pre(term);
        }
        if vars.iter().any(|&var| self.state[var].output.is_some())
            && let Some(values) = self.values(vars, StateVar::after)
        {
            let term = build(self.pool(), &values);
            self.post(term);
        }
    }

    /// A formula about the state that is kept if it holds, and that may keep the procedure from failing.
    pub fn kept_formula(&mut self, vars: &[usize], build: impl Fn(&mut TermPool, &[TermId]) -> TermId) {
        let Some(before) = self.values(vars, |var| var.input) else {
            return;
        };
        let was = build(self.pool(), &before);
        if let Some(error) = self.error {
            let no_error = self.pool().not(error);
            let term = self.pool().implies(was, no_error);
            self.push_post(term);
        }
        if vars.iter().any(|&var| self.state[var].output.is_some())
            && let Some(after) = self.values(vars, StateVar::after)
        {
            let is = build(self.pool(), &after);
            let term = self.pool().implies(was, is);
            self.post(term);
        }
    }

    /// A formula about the state before and after, as a postcondition.
    pub fn step_formula(
        &mut self,
        vars: &[usize],
        build: impl Fn(&mut TermPool, &[TermId], &[TermId]) -> TermId,
    ) {
        if vars.iter().any(|&var| self.state[var].output.is_some())
            && let Some(before) = self.values(vars, |var| var.input)
            && let Some(after) = self.values(vars, StateVar::after)
        {
            let term = build(self.pool(), &before, &after);
            self.post(term);
        }
    }

    fn values(&self, vars: &[usize], value: impl Fn(&StateVar) -> Option<TermId>) -> Option<Vec<TermId>> {
        vars.iter().map(|&var| value(&self.state[var])).collect()
    }

    pub fn finish(self) -> ProcCandidates {
        self.result
    }

    pub fn own_ins(&self) -> &[VarId] {
        &self.result.ins
    }

    pub fn own_outs(&self) -> &[VarId] {
        &self.result.outs
    }
}
