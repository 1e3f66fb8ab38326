//! Parallel composition M1 || … || Mn (Definition 5), explored on the fly.
//!
//! Components synchronise on the actions that are in the alphabets of several of them and
//! proceed alone on all others, and on τ. A tuple with a component in `ERROR` is an error state;
//! a tuple in which every component has ended is an end, `END` if all of them are.
//!
//! Invariant: a state is a tuple with one state per component; equal tuples have equal numbers.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::action::{ActionId, Alphabet};
use crate::lts::{StateId, StateKind, Transition};
use crate::process::{Process, Stopped};

struct Component<'a> {
    process: Box<dyn Process + 'a>,
    /// Transitions of the states seen so far, sorted by action.
    successors: FxHashMap<StateId, Rc<[Transition]>>,
}

impl Component<'_> {
    fn successors(&mut self, state: StateId) -> Result<Rc<[Transition]>, Stopped> {
        if let Some(known) = self.successors.get(&state) {
            return Ok(Rc::clone(known));
        }
        let mut transitions = Vec::new();
        self.process.successors(state, &mut transitions)?;
        transitions.sort_unstable();
        transitions.dedup();
        let transitions: Rc<[Transition]> = transitions.into();
        self.successors.insert(state, Rc::clone(&transitions));
        Ok(transitions)
    }
}

/// The tuples that a composition has found, by their numbers. A later composition of processes
/// that share states with the earlier ones can go on with the same numbers.
#[derive(Clone, Debug, Default)]
pub struct Tuples {
    set: IndexSet<Box<[StateId]>, FxBuildHasher>,
}

impl Tuples {
    /// The states of the components in a state of the composition.
    pub fn get(&self, state: StateId) -> &[StateId] {
        &self.set[state.index()]
    }

    fn number(&mut self, tuple: &[StateId]) -> StateId {
        let index = match self.set.get_index_of(tuple) {
            Some(index) => index,
            None => self.set.insert_full(tuple.into()).0,
        };
        StateId::new(index)
    }
}

/// A parallel composition of any number of processes.
pub struct Composition<'a> {
    components: Vec<Component<'a>>,
    alphabet: Alphabet,
    /// Which components have an action in their alphabets, in order.
    participants: FxHashMap<ActionId, Vec<usize>>,
    tuples: Tuples,
}

impl<'a> Composition<'a> {
    pub fn new(processes: Vec<Box<dyn Process + 'a>>) -> Self {
        Self::with_tuples(processes, Tuples::default())
    }

    /// A composition that gives known tuples their known numbers.
    pub fn with_tuples(processes: Vec<Box<dyn Process + 'a>>, tuples: Tuples) -> Self {
        let mut participants: FxHashMap<ActionId, Vec<usize>> = FxHashMap::default();
        for (index, process) in processes.iter().enumerate() {
            for action in process.alphabet().iter() {
                participants.entry(action).or_default().push(index);
            }
        }
        Composition {
            alphabet: processes
                .iter()
                .flat_map(|process| process.alphabet().iter())
                .collect(),
            components: processes
                .into_iter()
                .map(|process| Component {
                    process,
                    successors: FxHashMap::default(),
                })
                .collect(),
            participants,
            tuples,
        }
    }

    pub fn tuples(&self) -> &Tuples {
        &self.tuples
    }

    pub fn into_tuples(self) -> Tuples {
        self.tuples
    }

    /// Which components take part in an action.
    pub fn participants(&self, action: ActionId) -> &[usize] {
        self.participants.get(&action).map_or(&[], Vec::as_slice)
    }

    /// All combinations of what the participants of one action can do.
    fn synchronise(
        &mut self,
        source: &[StateId],
        participants: &[(usize, &[Transition])],
        into: &mut Vec<Transition>,
    ) {
        let mut choice = vec![0; participants.len()];
        let mut tuple = source.to_vec();
        loop {
            for (&chosen, &(component, transitions)) in choice.iter().zip(participants) {
                tuple[component] = transitions[chosen].target;
            }
            into.push(Transition {
                action: participants[0].1[0].action,
                target: self.tuples.number(&tuple),
            });
            // Counts up, the last participant fastest.
            let Some(position) = (0..choice.len())
                .rev()
                .find(|&position| choice[position] + 1 < participants[position].1.len())
            else {
                return;
            };
            choice[position] += 1;
            choice[position + 1..].fill(0);
        }
    }
}

/// The transitions with one action in a sorted list.
fn with_action(transitions: &[Transition], action: ActionId) -> &[Transition] {
    let start = transitions.partition_point(|transition| transition.action < action);
    let end = transitions.partition_point(|transition| transition.action <= action);
    &transitions[start..end]
}

impl Process for Composition<'_> {
    fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    fn initial(&mut self) -> Result<StateId, Stopped> {
        let tuple = self
            .components
            .iter_mut()
            .map(|component| component.process.initial())
            .collect::<Result<Vec<_>, _>>()?;
        Ok(self.tuples.number(&tuple))
    }

    fn kind(&self, state: StateId) -> StateKind {
        let kinds = || {
            self.tuples
                .get(state)
                .iter()
                .zip(&self.components)
                .map(|(&state, component)| component.process.kind(state))
        };
        if kinds().any(|kind| kind == StateKind::Error) {
            StateKind::Error
        } else if kinds().any(|kind| kind == StateKind::Ordinary) {
            StateKind::Ordinary
        } else if kinds().any(|kind| kind == StateKind::Stop) {
            StateKind::Stop
        } else {
            StateKind::End
        }
    }

    fn successors(&mut self, state: StateId, into: &mut Vec<Transition>) -> Result<(), Stopped> {
        if self.kind(state) != StateKind::Ordinary {
            return Ok(());
        }
        let source: SmallVec<[StateId; 8]> = SmallVec::from_slice(self.tuples.get(state));
        let own = source
            .iter()
            .zip(&mut self.components)
            .map(|(&state, component)| component.successors(state))
            .collect::<Result<SmallVec<[_; 8]>, _>>()?;
        for (index, transitions) in own.iter().enumerate() {
            for group in transitions.chunk_by(|one, other| one.action == other.action) {
                let action = group[0].action;
                let is_alone = action.is_tau() || self.participants(action) == [index];
                if is_alone {
                    let mut tuple = source.clone();
                    for transition in group {
                        tuple[index] = transition.target;
                        into.push(Transition {
                            action,
                            target: self.tuples.number(&tuple),
                        });
                    }
                    continue;
                }
                let participants: Vec<(usize, &[Transition])> = self
                    .participants(action)
                    .iter()
                    .map(|&participant| (participant, with_action(&own[participant], action)))
                    .collect();
                let first = participants.first().is_some_and(|&(first, _)| first == index);
                if first && participants.iter().all(|(_, ready)| !ready.is_empty()) {
                    self.synchronise(&source, &participants, into);
                }
            }
        }
        Ok(())
    }
}
