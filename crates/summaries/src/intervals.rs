//! Intervals: ranges of outputs, found without a solver.
//!
//! Forward through the blocks of each procedure, callees first, with nothing known of the inputs, so that
//! what is found holds of every call that returns. Recursion starts from "no call returns" and is widened.
//!
//! Invariants: every range is inductive, since each step over-approximates what the condition of the
//! procedure says; a range of an output says nothing of a call that fails, and the ranges of a callee's
//! outputs are used only where its failure has been excluded or is passed on.

mod interval;
mod state;

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_base::Budget;
use lariat_ir::{BlockId, Call, ProcId, StmtKind, Terminator};
use lariat_passes::CallGraph;
use lariat_term::{Sort, TermId, TermPool, VarId};
use lariat_vc::Problem;

use interval::Interval;
use state::State;

/// After so many rounds a bound that still moves is given up.
const ROUNDS_BEFORE_WIDENING: usize = 3;

/// The ranges of a procedure's outputs, in the order of [`Problem::outs`]; `None` if no call returns.
type Ranges = Option<Vec<Interval>>;

/// Ranges for all procedures that the analysis finished in time.
pub(crate) struct Intervals {
    ranges: SecondaryMap<ProcId, Ranges>,
    finished: EntitySet<ProcId>,
}

impl Intervals {
    pub fn analyse(problem: &Problem, calls: &CallGraph, budget: &Budget) -> Self {
        let mut analysis = Intervals {
            ranges: SecondaryMap::new(),
            finished: EntitySet::new(),
        };
        for component in calls.components() {
            let mut rounds = 0;
            loop {
                if budget.check().is_err() {
                    return analysis;
                }
                let mut changed = false;
                for &proc in component {
                    let new = analysis.procedure(problem, component, proc);
                    changed |= analysis.grow(proc, new, rounds >= ROUNDS_BEFORE_WIDENING);
                }
                rounds += 1;
                if !changed {
                    break;
                }
            }
            analysis.finished.extend(component.iter().copied());
        }
        analysis
    }

    /// Joins what a round gave; whether that was more than before.
    fn grow(&mut self, proc: ProcId, new: Ranges, widen: bool) -> bool {
        let Some(new) = new else {
            return false;
        };
        let Some(old) = &mut self.ranges[proc] else {
            self.ranges[proc] = Some(new);
            return true;
        };
        let mut changed = false;
        for (old, new) in old.iter_mut().zip(new) {
            let mut joined = old.join(&new);
            if joined != *old {
                if widen {
                    joined = old.widen(&joined);
                }
                *old = joined;
                changed = true;
            }
        }
        changed
    }

    /// The ranges at the end of a procedure, by those of its callees.
    fn procedure(&self, problem: &Problem, component: &[ProcId], id: ProcId) -> Ranges {
        let proc = &problem.program.procs[id];
        let outs: Vec<VarId> = problem.outs(id).collect();
        let mut at_start: SecondaryMap<BlockId, Option<State>> = SecondaryMap::new();
        at_start[proc.entry] = Some(State::new(problem.error));
        let mut result: Ranges = None;
        for block in proc.reverse_postorder() {
            let Some(mut state) = at_start[block].take() else {
                continue;
            };
            let mut reachable = true;
            for stmt in &proc.blocks[block].stmts {
                reachable = match &stmt.kind {
                    StmtKind::Assume(condition) => state.assume(&problem.program.pool, *condition),
                    StmtKind::Assign(assignments) => {
                        state.assign(&problem.program.pool, assignments);
                        true
                    }
                    StmtKind::Havoc(vars) => {
                        state.forget(vars);
                        true
                    }
                    StmtKind::Call(call) => self.call(problem, component, &mut state, call),
                    StmtKind::Assert { .. } | StmtKind::Enter(_) => true,
                };
                if !reachable {
                    break;
                }
            }
            if !reachable {
                continue;
            }
            match &proc.blocks[block].terminator {
                Terminator::Return => {
                    let ends = state.at_return(&outs);
                    result = Some(match result {
                        Some(ranges) => ranges.iter().zip(&ends).map(|(a, b)| a.join(b)).collect(),
                        None => ends,
                    });
                }
                Terminator::Goto(targets) => {
                    for &target in targets {
                        let joined = match at_start[target].take() {
                            Some(other) => other.join(&state),
                            None => state.clone(),
                        };
                        at_start[target] = Some(joined);
                    }
                }
            }
        }
        result
    }

    /// The effect of a call; `false` if it does not return.
    fn call(&self, problem: &Problem, component: &[ProcId], state: &mut State, call: &Call) -> bool {
        let interface = &problem.interfaces[call.callee];
        let known = self.finished.contains(call.callee) || component.contains(&call.callee);
        let Some(ranges) = self.ranges[call.callee].as_ref().filter(|_| known) else {
            let targets: Vec<VarId> = call.outs.iter().chain(&interface.outs).copied().collect();
            state.forget(&targets);
            return !known;
        };
        // A global that is also an out argument gets the argument's value: it is written last.
        let targets = interface.outs.iter().zip(&ranges[call.outs.len()..]);
        let targets = targets.chain(call.outs.iter().zip(ranges));
        let may_fail = problem.error.is_some_and(|error| interface.outs.contains(&error));
        state.returned(targets.map(|(&var, range)| (var, range.clone())), may_fail);
        true
    }

    /// The ranges as facts over the procedure's own variables for its outputs.
    pub fn facts(&self, problem: &mut Problem, proc: ProcId, outs: &[VarId]) -> Vec<TermId> {
        if !self.finished.contains(proc) {
            return Vec::new();
        }
        let error = problem
            .error
            .and_then(|error| problem.outs(proc).position(|out| out == error));
        let pool = &mut problem.program.pool;
        let Some(ranges) = &self.ranges[proc] else {
            return vec![pool.bool(false)];
        };
        let failed = error.map(|position| pool.var(outs[position]));
        let mut facts = Vec::new();
        for (position, (range, &out)) in ranges.iter().zip(outs).enumerate() {
            let guard = failed.filter(|_| error != Some(position));
            for fact in range_facts(pool, range, out) {
                let mut disjuncts = vec![fact];
                disjuncts.extend(guard);
                facts.push(pool.or(&disjuncts));
            }
        }
        facts
    }
}

/// What a range says of a variable.
fn range_facts(pool: &mut TermPool, range: &Interval, var: VarId) -> Vec<TermId> {
    let term = pool.var(var);
    match pool.sort(pool.var_sort(var)) {
        Sort::Bool => match range.as_bool() {
            Some(true) => vec![term],
            Some(false) => vec![pool.not(term)],
            None => Vec::new(),
        },
        Sort::Int => {
            let mut facts = Vec::new();
            if range.lo.is_some() && range.lo == range.hi {
                if let Some(value) = &range.lo {
                    let value = pool.int(value.clone());
                    facts.push(pool.eq(term, value));
                }
                return facts;
            }
            if let Some(lo) = &range.lo {
                let lo = pool.int(lo.clone());
                facts.push(pool.le(lo, term));
            }
            if let Some(hi) = &range.hi {
                let hi = pool.int(hi.clone());
                facts.push(pool.le(term, hi));
            }
            facts
        }
        _ => Vec::new(),
    }
}
