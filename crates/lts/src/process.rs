//! Systems that are explored while they are made.
//!
//! A [`Process`] numbers its own states as they are found, so that compositions are tuples of
//! numbers and processes of different kinds can be composed. Asking twice for the successors of
//! a state gives the same answer.

use std::fmt;

use lariat_base::{Budget, Exhausted};
use rustc_hash::FxHashMap;

use crate::action::{ActionId, Alphabet};
use crate::lts::{Lts, LtsBuilder, StateId, StateKind, Transition};

/// Why a search has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    Exhausted(Exhausted),
    /// More states than this were found.
    StateLimit(usize),
    /// A process could not compute its successors, for this reason.
    Failed(String),
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Exhausted(reason) => reason.fmt(f),
            Stopped::StateLimit(limit) => write!(f, "more than {limit} states"),
            Stopped::Failed(reason) => f.write_str(reason),
        }
    }
}

impl From<Exhausted> for Stopped {
    fn from(reason: Exhausted) -> Self {
        Stopped::Exhausted(reason)
    }
}

/// A labelled transition system whose states are found on the fly.
///
/// Contract: every visible action of a transition is in the alphabet; states of a kind other
/// than `Ordinary` have no successors; a state id is only given back to the process that made it.
pub trait Process {
    fn alphabet(&self) -> &Alphabet;

    fn initial(&mut self) -> Result<StateId, Stopped>;

    fn kind(&self, state: StateId) -> StateKind;

    /// Appends the transitions of a state, in an order that is always the same.
    fn successors(&mut self, state: StateId, into: &mut Vec<Transition>) -> Result<(), Stopped>;

    /// What to call the state in a picture.
    fn state_name(&self, _state: StateId) -> Option<String> {
        None
    }
}

/// One step of a path, with the state that it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PathStep {
    pub action: ActionId,
    pub target: StateId,
}

/// The visible actions of a path.
pub fn trace_of(path: &[PathStep]) -> Vec<ActionId> {
    path.iter()
        .map(|step| step.action)
        .filter(|action| !action.is_tau())
        .collect()
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    pub states: usize,
    /// Visible actions from the initial state to where the search is.
    pub depth: usize,
}

/// The limits of a search, and where it reports its progress.
pub struct SearchControl<'a> {
    budget: &'a Budget,
    state_limit: usize,
    progress: &'a mut dyn FnMut(Progress),
    calls: u32,
}

impl<'a> SearchControl<'a> {
    pub fn new(budget: &'a Budget, state_limit: usize, progress: &'a mut dyn FnMut(Progress)) -> Self {
        SearchControl {
            budget,
            state_limit,
            progress,
            calls: 0,
        }
    }

    /// Must be called once for each state.
    pub fn check(&mut self, states: usize, depth: usize) -> Result<(), Stopped> {
        const CLOCK_EVERY: u32 = 1 << 6;
        const MEMORY_EVERY: u32 = 1 << 12;
        if states > self.state_limit {
            return Err(Stopped::StateLimit(self.state_limit));
        }
        if self.calls.is_multiple_of(MEMORY_EVERY) {
            self.budget.check_memory()?;
            (self.progress)(Progress { states, depth });
        } else if self.calls.is_multiple_of(CLOCK_EVERY) {
            self.budget.check()?;
        }
        self.calls = self.calls.wrapping_add(1);
        Ok(())
    }
}

/// The reachable part of a process as an explicit system, states numbered in breadth-first
/// order. All error states become one.
pub fn explore(process: &mut dyn Process, control: &mut SearchControl<'_>) -> Result<Lts, Stopped> {
    let mut builder = LtsBuilder::new();
    builder.extend_alphabet(process.alphabet().iter());
    let mut numbers: FxHashMap<StateId, StateId> = FxHashMap::default();
    let mut found: Vec<StateId> = Vec::new();
    let mut error = None;
    let initial = process.initial()?;
    let mut number = |state, process: &dyn Process, builder: &mut LtsBuilder, found: &mut Vec<StateId>| {
        *numbers.entry(state).or_insert_with(|| {
            let kind = process.kind(state);
            match error {
                Some(error) if kind == StateKind::Error => error,
                _ => {
                    let new = builder.named_state(kind, process.state_name(state));
                    if kind == StateKind::Error {
                        error = Some(new);
                    }
                    found.push(state);
                    new
                }
            }
        })
    };
    let first = number(initial, process, &mut builder, &mut found);
    let mut transitions = Vec::new();
    let mut next = 0;
    while let Some(&state) = found.get(next) {
        control.check(found.len(), 0)?;
        next += 1;
        let source = number(state, process, &mut builder, &mut found);
        transitions.clear();
        process.successors(state, &mut transitions)?;
        for transition in &transitions {
            let target = number(transition.target, process, &mut builder, &mut found);
            builder.transition(source, transition.action, target);
        }
    }
    Ok(builder.finish(first))
}

impl Lts {
    /// The states that can be reached from the initial one; the alphabet stays.
    pub fn reachable(&self) -> Lts {
        let mut process = self;
        let budget = Budget::unlimited();
        let mut silent = |_| {};
        let mut control = SearchControl::new(&budget, usize::MAX, &mut silent);
        explore(&mut process, &mut control).expect("an explicit system is explored without limits")
    }
}
