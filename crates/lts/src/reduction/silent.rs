//! A system in which silent steps make no cycles: states that reach each other silently are one.
//!
//! Invariant: silent steps lead to states with smaller numbers, so that what depends on them can be
//! computed in the order of the numbers.

use cranelift_entity::EntityRef;
use lariat_base::component_numbers;

use super::Graph;
use crate::action::{ActionId, Alphabet};
use crate::lts::{Lts, StateId, StateKind};

#[derive(Default)]
struct State {
    is_error: bool,
    steps: Vec<(ActionId, usize)>,
    silent: Vec<usize>,
}

pub struct Acyclic {
    states: Vec<State>,
    initial: usize,
}

impl Acyclic {
    pub fn new(lts: &Lts, kept: &Alphabet) -> Self {
        let (number, count) = components(lts, kept);
        let mut states: Vec<State> = Vec::new();
        states.resize_with(count, State::default);
        for state in lts.states() {
            let source = number[state.index()];
            let own = &mut states[source];
            own.is_error |= lts.kind(state) == StateKind::Error;
            for transition in lts.transitions(state) {
                let target = number[transition.target.index()];
                if kept.contains(transition.action) {
                    own.steps.push((transition.action, target));
                } else if target != source {
                    own.silent.push(target);
                }
            }
        }
        for state in &mut states {
            state.steps.sort_unstable();
            state.steps.dedup();
            state.silent.sort_unstable();
            state.silent.dedup();
        }
        Acyclic {
            initial: number[lts.initial().index()],
            states,
        }
    }

    pub fn without_silent(graph: Graph) -> Self {
        let states = graph
            .into_iter()
            .map(|steps| State {
                is_error: steps.is_none(),
                steps: steps.map(Vec::from).unwrap_or_default(),
                silent: Vec::new(),
            })
            .collect();
        Acyclic { states, initial: 0 }
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn initial(&self) -> usize {
        self.initial
    }

    pub fn is_error(&self, state: usize) -> bool {
        self.states[state].is_error
    }

    /// Kept actions and where they lead.
    pub fn steps(&self, state: usize) -> &[(ActionId, usize)] {
        &self.states[state].steps
    }

    /// Where silent steps lead.
    pub fn silent(&self, state: usize) -> &[usize] {
        &self.states[state].silent
    }
}

/// The strongly connected component of each state under silent steps, and how many there are. A
/// component has a larger number than those it leads to.
fn components(lts: &Lts, kept: &Alphabet) -> (Vec<usize>, usize) {
    component_numbers(lts.state_count(), |state, k| {
        let transition = lts.transitions(StateId::new(state)).get(k)?;
        // A step that is not silent leads nowhere: to where it starts.
        let is_silent = !kept.contains(transition.action);
        Some(if is_silent {
            transition.target.index()
        } else {
            state
        })
    })
}
