//! Depth-first search over states.

use std::rc::Rc;

use lariat_base::Budget;
use lariat_ir::{AssertId, AssertKind, BlockId, Call, Proc, ProcId, Program, Stmt, StmtKind, Terminator};
use lariat_term::{TermId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::choice::{ChoosingOracle, Chosen, Wanted, domain};
use super::{Domains, Exploration, ExploreLimits, ExploreVerdict};
use crate::definition::{DefinitionDepth, Definitions};
use crate::environment::Overlay;
use crate::eval::{EvalError, Evaluator};
use crate::event::Place;

type Store = FxHashMap<VarId, Value>;

#[derive(Clone)]
struct Activation {
    place: Place,
    locals: Store,
    /// How often the head of a loop was visited since the loop was entered.
    visits: FxHashMap<BlockId, u32>,
}

/// An execution so far. Variables without a value have not been chosen yet.
#[derive(Clone)]
struct State {
    globals: Rc<Store>,
    chosen: Rc<Chosen>,
    stack: Vec<Rc<Activation>>,
    /// How many of the conditions at the start have been checked.
    started: usize,
}

/// What one step leads to.
enum Next {
    Here,
    /// The state stays as it is until this has a value.
    Choose(Wanted),
    Branch(Vec<BlockId>),
    /// The execution ended without a failure.
    Ended,
    Cut,
    Returned,
    Failed(AssertId),
    GivenUp(String),
}

pub(super) struct Explorer<'a> {
    program: &'a Program,
    domains: &'a Domains,
    limits: &'a ExploreLimits,
    budget: &'a Budget,
    evaluator: Evaluator<'a>,
    definitions: Definitions,
    /// Where-clauses of globals, and axioms that define no function.
    start_conditions: Vec<TermId>,
    shared: FxHashSet<VarId>,
    positions: FxHashMap<ProcId, Rc<FxHashMap<BlockId, usize>>>,
    result: Exploration,
}

impl<'a> Explorer<'a> {
    pub fn new(
        program: &'a Program,
        domains: &'a Domains,
        limits: &'a ExploreLimits,
        budget: &'a Budget,
    ) -> Self {
        let (definitions, axioms) = Definitions::of(program);
        Explorer {
            program,
            domains,
            limits,
            budget,
            evaluator: Evaluator::new(&program.pool),
            definitions,
            start_conditions: program.initial.iter().copied().chain(axioms).collect(),
            shared: program
                .globals
                .iter()
                .chain(&program.constants)
                .copied()
                .collect(),
            positions: FxHashMap::default(),
            result: Exploration {
                verdict: ExploreVerdict::NoFailure { complete: false },
                entry_returns: false,
                paths: 0,
                steps: 0,
                cut_by_bound: false,
                sampled: false,
                given_up: None,
            },
        }
    }

    pub fn run(mut self, entry: ProcId) -> Exploration {
        let mut states = vec![State {
            globals: Rc::default(),
            chosen: Rc::default(),
            stack: vec![Rc::new(self.activation(entry, Store::default()))],
            started: 0,
        }];
        while let Some(mut state) = states.pop() {
            let next = loop {
                if let Err(reason) = self.tick() {
                    self.result.given_up = Some(reason);
                    return self.result;
                }
                match self.step(&mut state) {
                    Next::Here => {}
                    next => break next,
                }
            };
            match next {
                Next::Here => {}
                Next::Choose(wanted) => {
                    let (values, is_whole) = domain(&self.program.pool, &wanted, self.domains);
                    self.result.sampled |= !is_whole;
                    states.extend(
                        values
                            .into_iter()
                            .rev()
                            .map(|value| self.with_choice(&state, &wanted, value)),
                    );
                    continue;
                }
                Next::Branch(targets) => {
                    for target in targets.into_iter().rev() {
                        let mut branch = state.clone();
                        match self.enter(&mut branch, target) {
                            Next::Cut => self.result.cut_by_bound = true,
                            _ => states.push(branch),
                        }
                    }
                    continue;
                }
                Next::Ended => {}
                Next::Cut => self.result.cut_by_bound = true,
                Next::Returned => self.result.entry_returns = true,
                Next::Failed(assert) => {
                    self.result.paths += 1;
                    self.result.verdict = ExploreVerdict::Fails(assert);
                    return self.result;
                }
                Next::GivenUp(reason) => {
                    self.result.given_up.get_or_insert(reason);
                }
            }
            self.result.paths += 1;
        }
        let complete = !self.result.cut_by_bound && !self.result.sampled && self.result.given_up.is_none();
        self.result.verdict = ExploreVerdict::NoFailure { complete };
        self.result
    }

    fn tick(&mut self) -> Result<(), String> {
        self.result.steps += 1;
        if self.result.steps > self.limits.steps {
            return Err("step limit reached".into());
        }
        self.budget.check().map_err(|exhausted| exhausted.to_string())
    }

    fn activation(&self, proc: ProcId, locals: Store) -> Activation {
        Activation {
            place: Place {
                proc,
                block: self.program.procs[proc].entry,
                index: 0,
            },
            locals,
            visits: FxHashMap::default(),
        }
    }

    fn with_choice(&self, state: &State, wanted: &Wanted, value: Value) -> State {
        let mut state = state.clone();
        match wanted {
            Wanted::Variable(var) => self.set(&mut state, *var, Some(value)),
            other => {
                Rc::make_mut(&mut state.chosen).insert(other.clone(), value);
            }
        }
        state
    }

    fn set(&self, state: &mut State, var: VarId, value: Option<Value>) {
        let store = if self.shared.contains(&var) {
            Rc::make_mut(&mut state.globals)
        } else {
            &mut top_mut(state).locals
        };
        match value {
            Some(value) => store.insert(var, value),
            None => store.remove(&var),
        };
    }

    /// The value of a term, or what is to be done instead.
    fn eval(&mut self, state: &State, term: TermId) -> Result<Value, Next> {
        let mut oracle = ChoosingOracle {
            pool: &self.program.pool,
            definitions: &self.definitions,
            globals: &state.globals,
            chosen: &state.chosen,
            wanted: None,
            depth: DefinitionDepth::default(),
        };
        let environment = Overlay {
            inner: &top(state).locals,
            outer: &*state.globals,
        };
        self.evaluator
            .eval(term, &environment, &mut oracle)
            .map_err(|error| match (error, oracle.wanted) {
                (EvalError::Unset(var), _) => Next::Choose(Wanted::Variable(var)),
                (_, Some(wanted)) => Next::Choose(wanted),
                (error, None) => Next::GivenUp(error.text(&self.program.pool)),
            })
    }

    fn holds(&mut self, state: &State, condition: TermId) -> Result<bool, Next> {
        Ok(self.eval(state, condition)? == Value::Bool(true))
    }

    fn step(&mut self, state: &mut State) -> Next {
        self.try_step(state).unwrap_or_else(|next| next)
    }

    fn try_step(&mut self, state: &mut State) -> Result<Next, Next> {
        let program = self.program;
        if let Some(&condition) = self.start_conditions.get(state.started) {
            let holds = self.holds(state, condition)?;
            state.started += 1;
            return Ok(if holds { Next::Here } else { Next::Ended });
        }
        let place = top(state).place;
        let block = &program.procs[place.proc].blocks[place.block];
        match (block.stmts.get(place.index), &block.terminator) {
            (Some(stmt), _) => self.statement(state, stmt),
            (None, Terminator::Return) => Ok(self.return_from_call(state)),
            (None, Terminator::Goto(targets)) => Ok(match targets.as_slice() {
                [] => Next::Ended,
                [target] => self.enter(state, *target),
                targets => Next::Branch(targets.to_vec()),
            }),
        }
    }

    fn statement(&mut self, state: &mut State, stmt: &Stmt) -> Result<Next, Next> {
        match &stmt.kind {
            StmtKind::Enter(_) => {}
            StmtKind::Assume(condition) => {
                if !self.holds(state, *condition)? {
                    return Ok(Next::Ended);
                }
            }
            StmtKind::Assert { condition, assert } => {
                if !self.holds(state, *condition)? {
                    return Ok(match &self.program.asserts[*assert].kind {
                        AssertKind::Unsupported(reason) => Next::GivenUp(reason.to_string()),
                        _ => Next::Failed(*assert),
                    });
                }
            }
            StmtKind::Assign(assignments) => {
                let values: Vec<Value> = assignments
                    .iter()
                    .map(|&(_, term)| self.eval(state, term))
                    .collect::<Result<_, _>>()?;
                for (&(var, _), value) in assignments.iter().zip(values) {
                    self.set(state, var, Some(value));
                }
            }
            StmtKind::Havoc(vars) => {
                for &var in vars {
                    self.set(state, var, None);
                }
            }
            StmtKind::Call(call) => return self.call(state, call),
        }
        top_mut(state).place.index += 1;
        Ok(Next::Here)
    }

    fn call(&mut self, state: &mut State, call: &Call) -> Result<Next, Next> {
        let open = state
            .stack
            .iter()
            .filter(|activation| activation.place.proc == call.callee)
            .count();
        if open >= self.limits.activations as usize {
            return Ok(Next::Cut);
        }
        let values: Vec<Value> = call
            .ins
            .iter()
            .map(|&term| self.eval(state, term))
            .collect::<Result<_, _>>()?;
        let params = &self.program.procs[call.callee].params;
        let locals = params.iter().copied().zip(values).collect();
        let activation = self.activation(call.callee, locals);
        state.stack.push(Rc::new(activation));
        Ok(Next::Here)
    }

    fn return_from_call(&mut self, state: &mut State) -> Next {
        let program = self.program;
        if state.stack.len() == 1 {
            return Next::Returned;
        }
        let Some(callee) = state.stack.pop() else {
            return Next::Returned;
        };
        if let Some(StmtKind::Call(call)) = top(state).place.stmt(program).map(|stmt| &stmt.kind) {
            for (out, &target) in program.procs[callee.place.proc].outs.iter().zip(&call.outs) {
                self.set(state, target, callee.locals.get(out).cloned());
            }
        }
        top_mut(state).place.index += 1;
        Next::Here
    }

    /// Goes to a block of the running procedure; counts iterations of loops.
    fn enter(&mut self, state: &mut State, target: BlockId) -> Next {
        let proc_id = top(state).place.proc;
        let proc = &self.program.procs[proc_id];
        let positions = self
            .positions
            .entry(proc_id)
            .or_insert_with(|| Rc::new(positions(proc)))
            .clone();
        let limit = self.limits.loop_visits;
        let top = top_mut(state);
        let is_retreating = positions.get(&target) <= positions.get(&top.place.block);
        top.place.block = target;
        top.place.index = 0;
        if is_retreating {
            // The first visit came from outside and was not counted.
            let visits = top.visits.entry(target).or_insert(1);
            *visits += 1;
            if *visits > limit {
                return Next::Cut;
            }
        } else {
            top.visits.remove(&target);
        }
        Next::Here
    }
}

/// The place of each reachable block in reverse postorder: a jump that does not go forward is one
/// of those that close the cycles.
fn positions(proc: &Proc) -> FxHashMap<BlockId, usize> {
    proc.reverse_postorder()
        .into_iter()
        .enumerate()
        .map(|(index, block)| (block, index))
        .collect()
}

fn top(state: &State) -> &Activation {
    state.stack.last().expect("the entry is open until the end")
}

fn top_mut(state: &mut State) -> &mut Activation {
    Rc::make_mut(state.stack.last_mut().expect("the entry is open until the end"))
}
