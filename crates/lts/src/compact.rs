//! A smaller system that nobody can tell from the larger one: not by what it can do at each point, nor by where it ends or
//! goes on silently.
//!
//! States with nothing but one τ are put together with where it leads, and states that can do the same to the same
//! classes with each other. This is divergence-preserving branching bisimulation, though not the coarsest.

use cranelift_entity::EntityRef;
use indexmap::IndexSet;
use lariat_base::Budget;
use rustc_hash::FxBuildHasher;

use crate::action::{ActionId, ActionTable};
use crate::lts::{Lts, LtsBuilder, StateId, StateKind};
use crate::process::{PathStep, Stopped};

/// The classes of the states of a system.
pub struct Compact {
    /// Its states are the classes.
    pub lts: Lts,
    class: Vec<StateId>,
}

type Signature = (StateKind, Vec<(ActionId, usize)>);

impl Compact {
    pub fn new(lts: &Lts, budget: &Budget) -> Result<Compact, Stopped> {
        let count = lts.state_count();
        let resolved = resolve_chains(lts);
        let mut classes = vec![0; count];
        let mut known = 0;
        loop {
            budget.check()?;
            let mut signatures: IndexSet<Signature, FxBuildHasher> = IndexSet::default();
            let mut next = vec![0; count];
            for state in lts.states() {
                let own = resolved[state.index()];
                if own != state.index() {
                    continue;
                }
                let mut steps: Vec<(ActionId, usize)> = lts
                    .transitions(state)
                    .iter()
                    .map(|transition| {
                        let target = resolved[transition.target.index()];
                        (transition.action, classes[target])
                    })
                    .collect();
                steps.sort_unstable();
                steps.dedup();
                // States that were apart stay apart.
                next[own] = signatures.insert_full((lts.kind(state), steps)).0;
            }
            let is_stable = signatures.len() == known;
            known = signatures.len();
            classes = next;
            if is_stable {
                return Ok(Compact::of(lts, &resolved, &classes, &signatures));
            }
        }
    }

    fn of(
        lts: &Lts,
        resolved: &[usize],
        classes: &[usize],
        signatures: &IndexSet<Signature, FxBuildHasher>,
    ) -> Compact {
        let mut builder = LtsBuilder::new();
        builder.extend_alphabet(lts.alphabet().iter());
        let ids: Vec<StateId> = signatures.iter().map(|(kind, _)| builder.state(*kind)).collect();
        for (source, (_, steps)) in signatures.iter().enumerate() {
            for &(action, target) in steps {
                builder.transition(ids[source], action, ids[target]);
            }
        }
        let class: Vec<StateId> = resolved.iter().map(|&state| ids[classes[state]]).collect();
        Compact {
            lts: builder.finish(class[lts.initial().index()]),
            class,
        }
    }

    pub fn class(&self, state: StateId) -> StateId {
        self.class[state.index()]
    }

    /// A path of the system through these classes, from its initial state on.
    pub fn expand(&self, lts: &Lts, path: &[PathStep]) -> Option<Vec<PathStep>> {
        let mut all: Vec<PathStep> = Vec::new();
        let mut at = lts.initial();
        for step in path {
            // Over τ that change nothing, and then the step itself.
            let mut seen = vec![at];
            loop {
                let transitions = lts.transitions(at);
                let found = transitions.iter().find(|transition| {
                    transition.action == step.action && self.class(transition.target) == step.target
                });
                if let Some(transition) = found {
                    all.push(PathStep {
                        action: transition.action,
                        target: transition.target,
                    });
                    at = transition.target;
                    break;
                }
                let [only] = transitions else { return None };
                if only.action != ActionTable::TAU || seen.contains(&only.target) {
                    return None;
                }
                all.push(PathStep {
                    action: only.action,
                    target: only.target,
                });
                at = only.target;
                seen.push(at);
            }
        }
        Some(all)
    }
}

/// Where each state gets to by τ that are the only thing that can happen. A cycle of them is one of its states.
fn resolve_chains(lts: &Lts) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let only_silent = |state: usize| match lts.transitions(StateId::new(state)) {
        [only] if only.action.is_tau() => Some(only.target.index()),
        _ => None,
    };
    let mut resolved = vec![UNKNOWN; lts.state_count()];
    // The start of the way that a state was last on.
    let mut on_way = vec![UNKNOWN; resolved.len()];
    for start in 0..resolved.len() {
        let (mut way, mut at) = (Vec::new(), start);
        let end = loop {
            if resolved[at] != UNKNOWN {
                break resolved[at];
            }
            match only_silent(at) {
                None => break at,
                // Around: this state stands for the cycle.
                Some(_) if on_way[at] == start => break at,
                Some(next) => {
                    way.push(at);
                    on_way[at] = start;
                    at = next;
                }
            }
        };
        for state in way {
            resolved[state] = end;
        }
        resolved[start] = end;
    }
    resolved
}
