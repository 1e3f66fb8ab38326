//! Traces of a process (Definitions 2 and 3), τ being passed over.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::action::{ActionId, ActionTable};
use crate::lts::{Lts, StateId};
use crate::process::{Process, Step, Stopped};
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

/// A path of the process with this trace, if there is one. Of all of them it has the fewest τ
/// before the first action, then before the second, and so on.
pub fn path_with_trace(process: &mut dyn Process, trace: &[ActionId]) -> Result<Option<Vec<Step>>, Stopped> {
    let mut search = LayeredSearch::new(process.initial()?);
    let mut expanded: FxHashSet<(usize, StateId)> = FxHashSet::default();
    let mut transitions = Vec::new();
    while let Some((node, state)) = search.pop() {
        let position = search.depth();
        let Some(&action) = trace.get(position) else {
            return Ok(Some(search.path(node)));
        };
        if !expanded.insert((position, state)) {
            continue;
        }
        transitions.clear();
        process.successors(state, &mut transitions)?;
        for transition in &transitions {
            if transition.action == action || transition.action.is_tau() {
                let step = Step {
                    action: transition.action,
                    target: transition.target,
                };
                search.push(node, step, transition.target);
            }
        }
    }
    Ok(None)
}
