//! A system in which silent steps make no cycles: states that reach each other silently are one.
//!
//! Invariant: silent steps lead to states with smaller numbers, so that what depends on them can be
//! computed in the order of the numbers.

use cranelift_entity::EntityRef;

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

const NOT_YET: usize = usize::MAX;

/// The strongly connected component of each state under silent steps, and how many there are
/// (Tarjan). A component has a larger number than those it leads to.
fn components(lts: &Lts, kept: &Alphabet) -> (Vec<usize>, usize) {
    let size = lts.state_count();
    let mut number = vec![NOT_YET; size];
    let mut entered = vec![NOT_YET; size];
    let mut lowest = vec![NOT_YET; size];
    let mut open: Vec<usize> = Vec::new();
    // A state and how many of its transitions were followed.
    let mut path: Vec<(usize, usize)> = Vec::new();
    let (mut time, mut count) = (0, 0);
    for root in 0..size {
        if entered[root] != NOT_YET {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (state, ref mut followed)) = path.last_mut() {
            if *followed == 0 {
                entered[state] = time;
                lowest[state] = time;
                time += 1;
                open.push(state);
            }
            let transitions = lts.transitions(StateId::new(state));
            let next = transitions.get(*followed).copied();
            *followed += 1;
            if let Some(transition) = next {
                if kept.contains(transition.action) {
                    continue;
                }
                let target = transition.target.index();
                if entered[target] == NOT_YET {
                    path.push((target, 0));
                } else if number[target] == NOT_YET {
                    lowest[state] = lowest[state].min(entered[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                lowest[parent] = lowest[parent].min(lowest[state]);
            }
            if lowest[state] == entered[state] {
                while let Some(member) = open.pop() {
                    number[member] = count;
                    if member == state {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    (number, count)
}
