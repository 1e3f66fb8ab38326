//! Labelled transition systems (Definition 1 of [Magic04]), built once and then only read.
//!
//! Invariants:
//! - Transitions are sorted by source, action and target, without repetition.
//! - Every visible action of a transition is in the alphabet; the alphabet may have more.
//! - `STOP`, `END` and `ERROR` states have no outgoing transitions. There may be several of a
//!   kind, since a composition ends in more than one way.

use std::collections::BTreeSet;

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};

use crate::action::{ActionId, Alphabet};
use crate::process::{Process, Stopped};

/// A state of one system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(u32);
entity_impl!(StateId, "s");

/// What it means to be in a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StateKind {
    Ordinary,
    /// The distinguished state of Definition 1: a procedure has returned, a process has stopped.
    Stop,
    /// Successful termination, after which a sequential composition goes on.
    End,
    /// A property has been violated.
    Error,
}

impl StateKind {
    /// The name that FSP and [Magic04] use.
    pub fn name(self) -> Option<&'static str> {
        match self {
            StateKind::Ordinary => None,
            StateKind::Stop => Some("STOP"),
            StateKind::End => Some("END"),
            StateKind::Error => Some("ERROR"),
        }
    }
}

/// One outgoing transition of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    pub action: ActionId,
    pub target: StateId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    kind: StateKind,
    name: Option<Box<str>>,
    /// Where its transitions start; they end where those of the next state start.
    first: usize,
}

/// M = (S, init, Act, T).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    states: PrimaryMap<StateId, State>,
    initial: StateId,
    alphabet: Alphabet,
    transitions: Vec<Transition>,
}

impl Lts {
    pub fn initial(&self) -> StateId {
        self.initial
    }

    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        self.states.keys()
    }

    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    pub fn kind(&self, state: StateId) -> StateKind {
        self.states[state].kind
    }

    pub fn name(&self, state: StateId) -> Option<&str> {
        self.states[state].name.as_deref()
    }

    /// All transitions of a state, sorted by action.
    pub fn transitions(&self, state: StateId) -> &[Transition] {
        let next = StateId::new(state.index() + 1);
        let end = self
            .states
            .get(next)
            .map_or(self.transitions.len(), |state| state.first);
        &self.transitions[self.states[state].first..end]
    }

    /// T as triples.
    pub fn triples(&self) -> impl Iterator<Item = (StateId, ActionId, StateId)> {
        self.states().flat_map(|source| {
            self.transitions(source)
                .iter()
                .map(move |transition| (source, transition.action, transition.target))
        })
    }

    /// Succ(s, a).
    pub fn succ(&self, state: StateId, action: ActionId) -> impl Iterator<Item = StateId> {
        let all = self.transitions(state);
        let start = all.partition_point(|transition| transition.action < action);
        all[start..]
            .iter()
            .take_while(move |transition| transition.action == action)
            .map(|transition| transition.target)
    }

    /// export(s): the enabled actions, τ among them, in order.
    pub fn export(&self, state: StateId) -> Vec<ActionId> {
        let mut actions: Vec<ActionId> = self.transitions(state).iter().map(|t| t.action).collect();
        actions.dedup();
        actions
    }

    /// The same system with more actions in its alphabet: it refuses them.
    pub fn with_alphabet(mut self, more: &Alphabet) -> Lts {
        self.alphabet = self.alphabet.union(more);
        self
    }
}

impl Process for &Lts {
    fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    fn initial(&mut self) -> Result<StateId, Stopped> {
        Ok(self.initial)
    }

    fn kind(&self, state: StateId) -> StateKind {
        Lts::kind(self, state)
    }

    fn successors(&mut self, state: StateId, into: &mut Vec<Transition>) -> Result<(), Stopped> {
        into.extend_from_slice(self.transitions(state));
        Ok(())
    }

    fn state_name(&self, state: StateId) -> Option<String> {
        self.name(state).map(str::to_owned)
    }
}

/// An [`Lts`] in the making.
#[derive(Clone, Debug, Default)]
pub struct LtsBuilder {
    states: PrimaryMap<StateId, State>,
    actions: BTreeSet<ActionId>,
    transitions: Vec<(StateId, Transition)>,
}

impl LtsBuilder {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn state(&mut self, kind: StateKind) -> StateId {
        self.named_state(kind, None)
    }

    /// A state with a name to show in pictures.
    pub fn named_state(&mut self, kind: StateKind, name: Option<String>) -> StateId {
        self.states.push(State {
            kind,
            name: name.map(String::into_boxed_str),
            first: 0,
        })
    }

    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// Adds a transition, and its action to the alphabet. The source must be an ordinary state.
    pub fn transition(&mut self, source: StateId, action: ActionId, target: StateId) {
        assert!(
            self.states[source].kind == StateKind::Ordinary && self.states.is_valid(target),
            "{source} -> {target} is not a transition between states of this system"
        );
        self.actions.insert(action);
        self.transitions.push((source, Transition { action, target }));
    }

    pub fn extend_alphabet(&mut self, actions: impl IntoIterator<Item = ActionId>) {
        self.actions.extend(actions);
    }

    /// The system with this initial state, which must be one of the states made.
    pub fn finish(mut self, initial: StateId) -> Lts {
        assert!(
            self.states.is_valid(initial),
            "{initial} is not a state of this system"
        );
        self.transitions.sort_unstable();
        self.transitions.dedup();
        let mut first = 0;
        for (id, state) in self.states.iter_mut() {
            state.first = first;
            first += self.transitions[first..]
                .iter()
                .take_while(|(source, _)| *source == id)
                .count();
        }
        Lts {
            states: self.states,
            initial,
            alphabet: self.actions.into_iter().collect(),
            transitions: self
                .transitions
                .into_iter()
                .map(|(_, transition)| transition)
                .collect(),
        }
    }
}
