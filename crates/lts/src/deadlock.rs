//! Deadlocks: reachable states in which nothing can happen although not everything has ended.

use rustc_hash::FxHashSet;

use crate::lts::{StateId, StateKind};
use crate::process::{Process, SearchControl, Step, Stopped};
use crate::search::LayeredSearch;

/// What a `STOP` state means. `END` is never a deadlock, and `ERROR` is not one either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopState {
    /// A procedure has returned (seed 004).
    HasReturned,
    /// A process is stuck (FSP).
    IsStuck,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeadlockSearch {
    Free {
        states: usize,
    },
    /// A path to a deadlock with as few visible actions as possible.
    Deadlock {
        path: Vec<Step>,
        state: StateId,
    },
}

pub fn find_deadlock(
    process: &mut dyn Process,
    stop: StopState,
    control: &mut SearchControl<'_>,
) -> Result<DeadlockSearch, Stopped> {
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
        let stuck = match process.kind(state) {
            StateKind::Ordinary => transitions.is_empty(),
            StateKind::Stop => stop == StopState::IsStuck,
            StateKind::End | StateKind::Error => false,
        };
        if stuck {
            return Ok(DeadlockSearch::Deadlock {
                path: search.path(node),
                state,
            });
        }
        for transition in &transitions {
            if !expanded.contains(&transition.target) {
                let step = Step {
                    action: transition.action,
                    target: transition.target,
                };
                search.push(node, step, transition.target, step.action.is_tau());
            }
        }
    }
    Ok(DeadlockSearch::Free {
        states: expanded.len(),
    })
}
