//! Traces of a process (Definitions 2 and 3), τ being passed over.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::action::{ActionId, ActionTable};
use crate::lts::{Lts, StateId, StateKind};
use crate::process::{PathStep, Process, Stopped};
use crate::search::LayeredSearch;

/// Reach(M, Q, π) with any number of τ before, between and after the actions of π.
pub fn reach(lts: &Lts, from: &BTreeSet<StateId>, trace: &[ActionId]) -> BTreeSet<StateId> {
    let mut states = tau_closure(lts, from.iter().copied());
    for &action in trace {
        states = tau_closure(lts, states.iter().flat_map(|&state| lts.succ(state, action)));
    }
    states
}

fn tau_closure(lts: &Lts, states: impl Iterator<Item = StateId>) -> BTreeSet<StateId> {
    let mut open: Vec<StateId> = states.collect();
    let mut closed = BTreeSet::new();
    while let Some(state) = open.pop() {
        if closed.insert(state) {
            open.extend(lts.succ(state, ActionTable::TAU));
        }
    }
    closed
}

/// π ∈ L(M).
pub fn accepts(lts: &Lts, trace: &[ActionId]) -> bool {
    !reach(lts, &BTreeSet::from([lts.initial()]), trace).is_empty()
}

/// Where a path must end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PathGoal {
    Anywhere,
    /// In an `ERROR` state.
    Error,
}

/// A path of the process with this trace to a goal, if there is one, with any number of silent
/// steps before and between the actions. Of all of them it has the fewest before the first action,
/// then before the second, and so on.
pub fn path_with_trace(
    process: &mut dyn Process,
    trace: &[ActionId],
    goal: PathGoal,
    is_silent: impl Fn(ActionId) -> bool,
) -> Result<Option<Vec<PathStep>>, Stopped> {
    let mut search = LayeredSearch::new(process.initial()?);
    let mut expanded: FxHashSet<(usize, StateId)> = FxHashSet::default();
    let mut transitions = Vec::new();
    while let Some((node, state)) = search.pop() {
        let position = search.depth();
        let is_goal = goal == PathGoal::Anywhere || process.kind(state) == StateKind::Error;
        if position == trace.len() && is_goal {
            return Ok(Some(search.path(node)));
        }
        if !expanded.insert((position, state)) {
            continue;
        }
        transitions.clear();
        process.successors(state, &mut transitions)?;
        for transition in &transitions {
            let is_silent = is_silent(transition.action);
            if is_silent || trace.get(position) == Some(&transition.action) {
                let step = PathStep {
                    action: transition.action,
                    target: transition.target,
                };
                search.push(node, step, transition.target, is_silent);
            }
        }
    }
    Ok(None)
}
