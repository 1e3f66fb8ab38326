//! The subset construction, on the fly.
//!
//! A set of states stands for everything the system may have reached by a trace, closed under τ.
//! `ERROR` states are left out of the sets: a trace that leads only there is not a trace of the
//! system. The empty set is therefore the accepting state of the complement.

use cranelift_entity::EntityRef;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::action::ActionId;
use crate::lts::{Lts, LtsBuilder, StateId, StateKind};
use crate::process::{SearchControl, Stopped};
use crate::state_set::StateSet;

/// A set of states, as a state of the determinised system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SetId(u32);

pub struct Determinised<'a> {
    lts: &'a Lts,
    /// The empty set is the first.
    sets: IndexSet<StateSet, FxBuildHasher>,
    steps: FxHashMap<(SetId, ActionId), SetId>,
}

impl<'a> Determinised<'a> {
    pub const EMPTY: SetId = SetId(0);

    pub fn new(lts: &'a Lts) -> Self {
        let mut sets = IndexSet::default();
        sets.insert(StateSet::default());
        Determinised {
            lts,
            sets,
            steps: FxHashMap::default(),
        }
    }

    pub fn initial(&mut self) -> SetId {
        self.closed_set([self.lts.initial()])
    }

    pub fn states(&self, set: SetId) -> &StateSet {
        &self.sets[set.0 as usize]
    }

    /// Whatever the system refuses from the second set, it refuses from the first.
    pub fn is_subset(&self, first: SetId, second: SetId) -> bool {
        first == second || self.states(first).is_subset(self.states(second))
    }

    /// Where a visible action leads.
    pub fn step(&mut self, set: SetId, action: ActionId) -> SetId {
        if let Some(&known) = self.steps.get(&(set, action)) {
            return known;
        }
        let targets: Vec<StateId> = self
            .states(set)
            .iter()
            .flat_map(|state| self.lts.succ(state, action))
            .collect();
        let target = self.closed_set(targets);
        self.steps.insert((set, action), target);
        target
    }

    /// The visible actions that lead to a set that is not empty.
    pub fn enabled(&mut self, set: SetId) -> Vec<ActionId> {
        let mut actions: Vec<ActionId> = self
            .states(set)
            .iter()
            .flat_map(|state| self.lts.transitions(state))
            .map(|transition| transition.action)
            .filter(|action| !action.is_tau())
            .collect();
        actions.sort_unstable();
        actions.dedup();
        actions.retain(|&action| self.step(set, action) != Self::EMPTY);
        actions
    }

    fn closed_set(&mut self, states: impl IntoIterator<Item = StateId>) -> SetId {
        let mut found: FxHashSet<StateId> = FxHashSet::default();
        let mut open: Vec<StateId> = states.into_iter().collect();
        while let Some(state) = open.pop() {
            if self.lts.kind(state) != StateKind::Error && found.insert(state) {
                open.extend(self.lts.succ(state, crate::ActionTable::TAU));
            }
        }
        let (index, _) = self.sets.insert_full(found.into_iter().collect());
        SetId(index as u32)
    }

    fn kind(&self, set: SetId) -> StateKind {
        let mut kinds = self.states(set).iter().map(|state| self.lts.kind(state));
        let Some(first) = kinds.next() else {
            return StateKind::Error;
        };
        if kinds.all(|kind| kind == first) {
            first
        } else {
            StateKind::Ordinary
        }
    }
}

/// A deterministic system without τ and with the same traces, error traces left out.
pub fn determinise(lts: &Lts, control: &mut SearchControl<'_>) -> Result<Lts, Stopped> {
    subsets(lts, Missing::Refused, control)
}

/// The safety property of a process, as FSP's `property` means it: deterministic, and every
/// action of the alphabet that the process refuses leads to `ERROR`.
pub fn property(lts: &Lts, control: &mut SearchControl<'_>) -> Result<Lts, Stopped> {
    subsets(lts, Missing::Error, control)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Refused,
    Error,
}

fn subsets(lts: &Lts, missing: Missing, control: &mut SearchControl<'_>) -> Result<Lts, Stopped> {
    let mut sets = Determinised::new(lts);
    let mut builder = LtsBuilder::new();
    builder.extend_alphabet(lts.alphabet().iter());
    let mut numbers: FxHashMap<SetId, StateId> = FxHashMap::default();
    let initial = sets.initial();
    let mut found = vec![initial];
    let mut number = |set, sets: &Determinised<'_>, builder: &mut LtsBuilder| {
        *numbers.entry(set).or_insert_with(|| {
            let kind = match (sets.kind(set), missing) {
                (kind @ (StateKind::Stop | StateKind::End), Missing::Error) if lts.alphabet().is_empty() => {
                    kind
                }
                (StateKind::Error, _) => StateKind::Error,
                (_, Missing::Error) => StateKind::Ordinary,
                (kind, Missing::Refused) => kind,
            };
            builder.state(kind)
        })
    };
    let first = number(initial, &sets, &mut builder);
    let mut next = 0;
    while let Some(&set) = found.get(next) {
        control.check(found.len(), 0)?;
        next += 1;
        if set == Determinised::EMPTY {
            continue;
        }
        let source = number(set, &sets, &mut builder);
        let actions = match missing {
            Missing::Refused => sets.enabled(set),
            Missing::Error => lts.alphabet().iter().collect(),
        };
        for action in actions {
            let target = sets.step(set, action);
            let before = builder.state_count();
            let number = number(target, &sets, &mut builder);
            if number.index() == before {
                found.push(target);
            }
            builder.transition(source, action, number);
        }
    }
    Ok(builder.finish(first))
}
