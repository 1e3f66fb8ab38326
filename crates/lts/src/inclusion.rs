//! Trace inclusion L(M) ⊆ L(Spec), the notion of conformance of seed 004.
//!
//! The specification is determinised and complemented on the fly. It observes the actions of
//! its own alphabet only: M conforms iff the projection of every trace of M on the
//! specification's alphabet is a trace of the specification (Definitions 4 and 5). An `ERROR`
//! state of M is a violation too.
//!
//! The search visits pairs of a state m of M and a set S of states of the specification. A pair
//! (m, S) is passed over if some (m, S′) with S′ ⊆ S was expanded before: whatever is refused
//! from S is refused from S′. Since S′ was reached by no more actions, the first violation
//! found is still a shortest.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::action::ActionId;
use crate::determinise::{Determinised, SetId};
use crate::lts::{Lts, StateId, StateKind};
use crate::process::{Process, SearchControl, Step, Stopped, trace_of};
use crate::search::LayeredSearch;

/// The answer, with the number of pairs that were expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inclusion {
    Holds { pairs: usize },
    Violated { violation: Violation, pairs: usize },
}

impl Inclusion {
    pub fn holds(&self) -> bool {
        matches!(self, Inclusion::Holds { .. })
    }

    pub fn violation(&self) -> Option<&Violation> {
        match self {
            Inclusion::Holds { .. } => None,
            Inclusion::Violated { violation, .. } => Some(violation),
        }
    }
}

/// A path of M that the specification does not allow, with as few visible actions as possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub path: Vec<Step>,
    pub reason: ViolationReason,
}

impl Violation {
    /// The visible actions of the path, those that the specification does not observe included.
    pub fn trace(&self) -> Vec<ActionId> {
        trace_of(&self.path)
    }
}

/// What is wrong with the last step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ViolationReason {
    /// The specification refuses it; these are what it would have allowed there.
    Refused { allowed: Vec<ActionId> },
    /// It leads to `ERROR`.
    ErrorState,
    /// There is no step: the specification, or the process, starts in `ERROR`.
    AtStart,
}

pub fn trace_inclusion(
    process: &mut dyn Process,
    specification: &Lts,
    control: &mut SearchControl<'_>,
) -> Result<Inclusion, Stopped> {
    let mut sets = Determinised::new(specification);
    let mut expanded = Antichain::default();
    let initial = process.initial()?;
    let first = match process.kind(initial) {
        StateKind::Error => Determinised::EMPTY,
        _ => sets.initial(),
    };
    let mut search = LayeredSearch::new((initial, first));
    let mut transitions = Vec::new();
    while let Some((node, (state, set))) = search.pop() {
        if set == Determinised::EMPTY {
            let reason = match search.origin(node) {
                None => ViolationReason::AtStart,
                Some(_) if process.kind(state) == StateKind::Error => ViolationReason::ErrorState,
                Some(((_, before), _)) => ViolationReason::Refused {
                    allowed: sets.enabled(before),
                },
            };
            let path = search.path(node);
            return Ok(Inclusion::Violated {
                violation: Violation { path, reason },
                pairs: expanded.pairs,
            });
        }
        if !expanded.insert(state, set, &sets) {
            continue;
        }
        control.check(expanded.pairs, search.depth())?;
        transitions.clear();
        process.successors(state, &mut transitions)?;
        for transition in &transitions {
            let target = if process.kind(transition.target) == StateKind::Error {
                Determinised::EMPTY
            } else if specification.alphabet().contains(transition.action) {
                sets.step(set, transition.action)
            } else {
                set
            };
            if target == Determinised::EMPTY || !expanded.covers(transition.target, target, &sets) {
                let step = Step {
                    action: transition.action,
                    target: transition.target,
                };
                search.push(node, step, (transition.target, target));
            }
        }
    }
    Ok(Inclusion::Holds {
        pairs: expanded.pairs,
    })
}

/// For each state of M the smallest sets with which it was expanded.
#[derive(Default)]
struct Antichain {
    minimal: FxHashMap<StateId, SmallVec<[SetId; 2]>>,
    pairs: usize,
}

impl Antichain {
    fn covers(&self, state: StateId, set: SetId, sets: &Determinised<'_>) -> bool {
        self.minimal.get(&state).is_some_and(|minimal| {
            minimal.contains(&set) || minimal.iter().any(|&smaller| sets.is_subset(smaller, set))
        })
    }

    /// Whether the pair is not covered yet and so must be expanded.
    fn insert(&mut self, state: StateId, set: SetId, sets: &Determinised<'_>) -> bool {
        if self.covers(state, set, sets) {
            return false;
        }
        let minimal = self.minimal.entry(state).or_default();
        minimal.retain(|larger| !sets.is_subset(set, *larger));
        minimal.push(set);
        self.pairs += 1;
        true
    }
}
