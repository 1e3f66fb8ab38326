//! Freedom from deadlock: can the components always go on until all of them have ended?
//!
//! Trace inclusion does not answer this: a component that waits forever has the traces of one that does not. What counts is
//! where a component can be *stable* after a trace: what it then waits for (the stable failures of CSP).
//!
//! - A component waits only inside the system of a routine, and what it offers there is given by that system's state. It
//!   is stable if it can do nothing on its own: no τ, no return, no action that no other component has. So whether a
//!   component is stable, and what it refuses, depends on its control alone and is exact in MP; predicates only decide
//!   whether it gets there. MP reaches whatever the component reaches, so if the MPi are free from deadlock, so are the Ci.
//! - A deadlock is a trace after which every component is stable or has ended, not all but daemons have ended, and no
//!   action is offered by all that have it. It is reported if each component can go its way concretely (CECheck); otherwise the
//!   predicates of one that cannot are refined.
//! - A component that does something on its own forever diverges; that is not a deadlock. An execution that a failed
//!   assumption cuts off does not count. After an error of the program and after `exit`, a component has ended; after
//!   `ERROR` of a routine's system, it is neither stable nor ended.
//!
//! Stable states are marked by transitions, so that the reduction for traces keeps them apart.

use cranelift_entity::EntityRef;
use indexmap::IndexSet;
use lariat_lts::process::trace_of;
use lariat_lts::reduction::reduce;
use lariat_lts::state_search::{StateSearch, find_state};
use lariat_lts::{
    ActionId, Alphabet, Composition, Lts, LtsBuilder, PathGoal, Process, Progress, SearchControl, StateId,
    StateKind, Stopped,
};

use super::decide::{Suspect, Way};
use super::model::{Explored, Model, Small};
use super::{Cegar, Reason};
use crate::abstraction::Control;
use crate::cfa::{Failure, Label};
use crate::component::Component;

/// What a component waits for where it can do nothing on its own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stable {
    Ended,
    /// What it would do next is unsupported.
    Unsupported,
    /// It offers these actions, which other components have too.
    Waits(Vec<ActionId>),
}

/// The reduction of a marked MP, and where it can be stable.
pub(super) struct Stability {
    /// The smallest system with the same traces, without the marks.
    pub reduced: Lts,
    /// By state of the reduced system.
    stable: Vec<Vec<Mark>>,
}

#[derive(Clone, Debug)]
struct Mark {
    action: ActionId,
    stable: Stable,
}

impl Component {
    /// The actions that other components have too; `number` is the position of this one in `all`.
    pub fn shared_with(&self, all: &[Component], number: usize) -> Alphabet {
        let others = all.iter().enumerate().filter(|&(other, _)| other != number);
        let others: Alphabet = others.flat_map(|(_, other)| other.alphabet.iter()).collect();
        let own = self.alphabet.iter();
        own.filter(|&action| others.contains(action)).collect()
    }

    /// What the component waits for; `None` where it can do something on its own.
    pub fn stable(&self, control: Control, shared: &Alphabet) -> Option<Stable> {
        let (location, alternative, state) = match control {
            Control::Init => return None,
            Control::Stop => return Some(Stable::Ended),
            Control::At(location) => {
                return match &self.cfa.locations[location].label {
                    Label::Halt => Some(Stable::Ended),
                    Label::Fail(Failure::Unsupported(_)) => Some(Stable::Unsupported),
                    _ => None,
                };
            }
            Control::Inlined {
                location,
                alternative,
                state,
            } => (location, alternative, state),
        };
        let process = self.inlined(location, alternative)?;
        match process.kind(state) {
            StateKind::Stop | StateKind::End => return Some(Stable::Ended),
            StateKind::Error => return None,
            StateKind::Ordinary => {}
        }
        let mut offers = Vec::new();
        for action in process.export(state) {
            if let Some(value) = self.returned_by(location, alternative, action) {
                if self.cfa.edge_returning(location, value).is_some() {
                    return None;
                }
            } else if shared.contains(action) {
                offers.push(action);
            } else {
                return None;
            }
        }
        Some(Stable::Waits(offers))
    }
}

impl Cegar<'_> {
    /// Predicates only limit which values a component can return. If it had to wait for others to return one, whether it
    /// is stable would depend on them.
    pub(super) fn ends_together(&self, index: usize) -> Option<String> {
        let component = &self.components[index];
        let shared = self.components[index].shared_with(self.components, index);
        let own = &component.own;
        let values = own.values.iter().map(|&(_, action)| action);
        let is_shared = values
            .chain([own.void])
            .chain(own.forbidden())
            .any(|action| shared.contains(action));
        is_shared.then(|| {
            let name = &component.name;
            format!("another component takes part in the return of {name}, which the deadlock search does not support")
        })
    }

    /// MP with its stable states marked, and its reduction.
    pub(super) fn marked_model(
        &self,
        index: usize,
        mp: &Lts,
        shared: &Alphabet,
    ) -> Result<Explored, Stopped> {
        let alphabets = self
            .components
            .iter()
            .flat_map(|component| component.alphabet.iter());
        let first_mark = alphabets.map(|action| action.index() + 1).max().unwrap_or(1);
        let mut marks: IndexSet<Stable> = IndexSet::new();
        let mut builder = LtsBuilder::new();
        builder.extend_alphabet(mp.alphabet().iter());
        for _ in mp.states() {
            builder.state(StateKind::Ordinary);
        }
        let marked = builder.state(StateKind::Stop);
        for (source, action, target) in mp.triples() {
            builder.transition(source, action, target);
        }
        let mark = |number: usize| ActionId::new(first_mark + number);
        for state in mp.states() {
            let control = self.abstractions[index].state(state).control;
            if let Some(stable) = self.components[index].stable(control, shared) {
                let (number, _) = marks.insert_full(stable);
                builder.transition(state, mark(number), marked);
            }
        }
        let marked = builder.finish(mp.initial());
        let kept: Alphabet = shared.iter().chain((0..marks.len()).map(mark)).collect();
        let small = reduce(&marked, &kept, self.budget)?;
        let mut builder = LtsBuilder::new();
        builder.extend_alphabet(shared.iter());
        let mut stable: Vec<Vec<Mark>> = vec![Vec::new(); small.state_count()];
        for _ in small.states() {
            builder.state(StateKind::Ordinary);
        }
        for (source, action, target) in small.triples() {
            let number = action.index().checked_sub(first_mark);
            match number.and_then(|number| marks.get_index(number)) {
                Some(mark) => stable[source.index()].push(Mark {
                    action,
                    stable: mark.clone(),
                }),
                None => builder.transition(source, action, target),
            }
        }
        let reduced = builder.finish(small.initial());
        Ok(Explored {
            mp: marked,
            kept,
            small: Small::Stable(Stability { reduced, stable }),
        })
    }

    /// The search for a deadlock of the reductions, and how many states it has seen.
    pub(super) fn find_deadlock(&self) -> Result<(Option<Suspect>, usize), Stopped> {
        let stability: Vec<&Stability> = self.models.iter().filter_map(Model::stability).collect();
        let processes = stability
            .iter()
            .map(|stability| Box::new(&stability.reduced) as Box<dyn Process + '_>)
            .collect();
        let daemons: Vec<bool> = self
            .components
            .iter()
            .map(|component| component.is_daemon)
            .collect();
        let mut composition = Composition::new(processes);
        let mut silent = |_: Progress| {};
        let mut control = SearchControl::new(self.budget, self.options.state_limit, &mut silent);
        let mut stuck: Option<Vec<Option<ActionId>>> = None;
        let found = find_state(&mut composition, &mut control, |composition, state, _| {
            stuck = stuck_in(&stability, &daemons, composition, composition.tuples().get(state));
            stuck.is_some()
        })?;
        let (path, states) = match found {
            StateSearch::None { states } => return Ok((None, states)),
            StateSearch::Found { path, states, .. } => (path, states),
        };
        let marks = stuck.into_iter().flatten();
        let suspect = Suspect {
            trace: trace_of(&path),
            reason: Reason::Deadlock,
            ways: marks
                .map(|mark| mark.map_or(Way::To(PathGoal::Anywhere), Way::ToMark))
                .collect(),
        };
        Ok((Some(suspect), states))
    }
}

/// Marks of the components that make a tuple of states a deadlock. An unsupported one needs no others.
fn stuck_in(
    stability: &[&Stability],
    daemons: &[bool],
    composition: &Composition<'_>,
    tuple: &[StateId],
) -> Option<Vec<Option<ActionId>>> {
    let marks: Vec<&[Mark]> = stability
        .iter()
        .zip(tuple)
        .map(|(stability, state)| stability.stable[state.index()].as_slice())
        .collect();
    for (index, marks) in marks.iter().enumerate() {
        if let Some(mark) = marks.iter().find(|mark| mark.stable == Stable::Unsupported) {
            let mut chosen = vec![None; stability.len()];
            chosen[index] = Some(mark.action);
            return Some(chosen);
        }
    }
    if marks.iter().any(|marks| marks.is_empty()) {
        return None;
    }
    // Counts through all choices of one mark per component.
    let mut choice = vec![0; marks.len()];
    loop {
        let chosen: Vec<&Mark> = choice
            .iter()
            .zip(&marks)
            .map(|(&own, marks)| &marks[own])
            .collect();
        match enabled_component(composition, &chosen) {
            None if has_waiting(&chosen, daemons) => {
                return Some(chosen.iter().map(|mark| Some(mark.action)).collect());
            }
            None => count_up(&mut choice, &marks, marks.len() - 1)?,
            // The components after it do not take part: their marks make no difference.
            Some(last) => count_up(&mut choice, &marks, last)?,
        }
    }
}

/// Whether a component waits that should end.
fn has_waiting(chosen: &[&Mark], daemons: &[bool]) -> bool {
    let mut all = chosen.iter().zip(daemons);
    all.any(|(mark, &is_daemon)| !is_daemon && mark.stable != Stable::Ended)
}

/// The next choice that differs at a position or before it.
fn count_up(choice: &mut [usize], marks: &[&[Mark]], position: usize) -> Option<()> {
    let position = (0..=position)
        .rev()
        .find(|&position| choice[position] + 1 < marks[position].len())?;
    choice[position] += 1;
    choice[position + 1..].fill(0);
    Some(())
}

/// The last participant of an action that all its participants offer; the earliest such.
fn enabled_component(composition: &Composition<'_>, chosen: &[&Mark]) -> Option<usize> {
    let offers = |index: usize, action: ActionId| match &chosen[index].stable {
        Stable::Waits(offers) => offers.contains(&action),
        Stable::Ended | Stable::Unsupported => false,
    };
    let mut earliest = None;
    for mark in chosen {
        let Stable::Waits(own) = &mark.stable else {
            continue;
        };
        for &action in own {
            let participants = composition.participants(action);
            if participants.iter().all(|&index| offers(index, action)) {
                let last = participants.last().copied();
                earliest = match earliest {
                    None => last,
                    Some(before) => last.map(|last| last.min(before)),
                };
            }
        }
    }
    earliest
}
