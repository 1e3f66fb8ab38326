//! The search for a reachable state that is wanted, such as one in which nothing can happen.

use rustc_hash::FxHashSet;

use crate::lts::{StateId, Transition};
use crate::process::{PathStep, Process, SearchControl, Stopped};
use crate::search::LayeredSearch;

/// The result of the search for a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StateSearch {
    /// None of the states is wanted; this is how many there are.
    None { states: usize },
    /// A path to a wanted state with as few visible actions as possible.
    Found {
        path: Vec<PathStep>,
        state: StateId,
        states: usize,
    },
}

/// Searches for a state that is wanted, with its transitions, among the reachable ones.
pub fn find_state<P: Process + ?Sized>(
    process: &mut P,
    control: &mut SearchControl<'_>,
    mut is_wanted: impl FnMut(&P, StateId, &[Transition]) -> bool,
) -> Result<StateSearch, Stopped> {
    let mut search = LayeredSearch::new(process.initial()?);
    let mut expanded: FxHashSet<StateId> = FxHashSet::default();
    let mut transitions = Vec::new();
    while let Some((node, state)) = search.pop() {
        if !expanded.insert(state) {
            continue;
        }
        control.check(expanded.len(), search.depth())?;
        transitions.clear();
        process.successors(state, &mut transitions)?;
        if is_wanted(process, state, &transitions) {
            return Ok(StateSearch::Found {
                path: search.path(node),
                state,
                states: expanded.len(),
            });
        }
        for transition in &transitions {
            if !expanded.contains(&transition.target) {
                let step = PathStep {
                    action: transition.action,
                    target: transition.target,
                };
                search.push(node, step, transition.target, step.action.is_tau());
            }
        }
    }
    Ok(StateSearch::None {
        states: expanded.len(),
    })
}
