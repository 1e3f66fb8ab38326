//! Smaller systems with the same traces, to be composed instead of the larger ones.
//!
//! Whether traces of a composition are allowed depends on the traces of its components only
//! (Theorem 1 of seed 004), and of those on the actions that somebody else has: the specification
//! or another component. A reduced system is the smallest deterministic one with these traces.
//!
//! Invariants:
//! - A trace over the kept actions leads to `ERROR` in the reduced system iff it, or a beginning of
//!   it, can lead to `ERROR` in the system; up to there both have the same traces.
//! - A reduced system is not larger than a bound that is linear in the size of the system: where
//!   the subset construction would pass it, actions are hidden and nothing else is done.

use cranelift_entity::EntityRef;
use indexmap::IndexSet;
use lariat_base::Budget;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::action::{ActionId, Alphabet};
use crate::lts::{Lts, LtsBuilder, StateId, StateKind};
use crate::process::Stopped;

/// The smallest deterministic system with the traces over the kept actions, if it is not too large.
pub fn reduce(lts: &Lts, kept: &Alphabet, budget: &Budget) -> Result<Lts, Stopped> {
    let subsets = Subsets {
        lts,
        kept,
        sets: IndexSet::default(),
        members: 0,
        seen: vec![0; lts.state_count()],
        searches: 0,
    };
    match subsets.explore(budget)? {
        Some(deterministic) => minimise(&deterministic, kept, budget),
        None => Ok(lts.map_actions(|action| match kept.contains(action) {
            true => vec![action],
            false => Vec::new(),
        })),
    }
}

/// A deterministic system: where the actions of a state lead. `None` is `ERROR`.
type Deterministic = Vec<Option<Vec<(ActionId, usize)>>>;

struct Subsets<'a> {
    lts: &'a Lts,
    kept: &'a Alphabet,
    /// What may have been reached by a trace: only states that can do a kept action at once, in
    /// order. States that cannot add nothing to what follows.
    sets: IndexSet<Box<[StateId]>, FxBuildHasher>,
    members: usize,
    /// The number of the last search that met a state.
    seen: Vec<usize>,
    searches: usize,
}

impl Subsets<'_> {
    fn explore(mut self, budget: &Budget) -> Result<Option<Deterministic>, Stopped> {
        let size = self.lts.state_count() + self.lts.transition_count();
        let (most_sets, most_members) = (1000 + 4 * size, 100_000 + 100 * size);
        let mut found: Deterministic = Vec::new();
        // `ERROR` is the empty set's business: it is numbered apart from the sets.
        let mut numbers: Vec<usize> = Vec::new();
        let mut error: Option<usize> = None;
        let mut order: Vec<Option<usize>> = Vec::new();
        let mut number = |set: Option<usize>, numbers: &mut Vec<usize>, order: &mut Vec<Option<usize>>| {
            let known = match set {
                None => error,
                Some(set) => numbers.get(set).copied(),
            };
            known.unwrap_or_else(|| {
                let new = order.len();
                order.push(set);
                match set {
                    None => error = Some(new),
                    Some(_) => numbers.push(new),
                }
                new
            })
        };
        let initial = self.closed([self.lts.initial()]);
        number(initial, &mut numbers, &mut order);
        while let Some(&set) = order.get(found.len()) {
            budget.check()?;
            if self.sets.len() > most_sets || self.members > most_members {
                return Ok(None);
            }
            let Some(set) = set else {
                found.push(None);
                continue;
            };
            let mut steps: Vec<(ActionId, StateId)> = Vec::new();
            for &state in &self.sets[set] {
                let visible = self.lts.transitions(state).iter();
                let visible = visible.filter(|transition| self.kept.contains(transition.action));
                steps.extend(visible.map(|transition| (transition.action, transition.target)));
            }
            steps.sort_unstable();
            steps.dedup();
            let mut targets = Vec::new();
            for group in steps.chunk_by(|one, other| one.0 == other.0) {
                let target = self.closed(group.iter().map(|&(_, target)| target));
                targets.push((group[0].0, number(target, &mut numbers, &mut order)));
            }
            found.push(Some(targets));
        }
        Ok(Some(found))
    }

    /// The number of the set that is reached without a kept action; `None` if that is `ERROR`.
    fn closed(&mut self, states: impl IntoIterator<Item = StateId>) -> Option<usize> {
        self.searches += 1;
        let mut set = Vec::new();
        let mut open: Vec<StateId> = states.into_iter().collect();
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut self.seen[state.index()], self.searches) == self.searches {
                continue;
            }
            if self.lts.kind(state) == StateKind::Error {
                return None;
            }
            let mut is_member = false;
            for transition in self.lts.transitions(state) {
                match self.kept.contains(transition.action) {
                    true => is_member = true,
                    false => open.push(transition.target),
                }
            }
            if is_member {
                set.push(state);
            }
        }
        set.sort_unstable();
        let (index, is_new) = self.sets.insert_full(set.into_boxed_slice());
        if is_new {
            self.members += self.sets[index].len();
        }
        Some(index)
    }
}

/// Puts together what has the same traces.
fn minimise(system: &Deterministic, kept: &Alphabet, budget: &Budget) -> Result<Lts, Stopped> {
    let mut classes: Vec<usize> = system.iter().map(|steps| usize::from(steps.is_none())).collect();
    let mut count = 0;
    loop {
        budget.check()?;
        let mut numbers: FxHashMap<(bool, Vec<(ActionId, usize)>), usize> = FxHashMap::default();
        let next: Vec<usize> = system
            .iter()
            .map(|steps| {
                let targets = steps.iter().flatten();
                let targets = targets
                    .map(|&(action, target)| (action, classes[target]))
                    .collect();
                let fresh = numbers.len();
                *numbers.entry((steps.is_none(), targets)).or_insert(fresh)
            })
            .collect();
        classes = next;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let mut builder = LtsBuilder::new();
    builder.extend_alphabet(kept.iter());
    let mut of_class: Vec<StateId> = Vec::new();
    let mut representatives = Vec::new();
    for (index, &class) in classes.iter().enumerate() {
        // Classes are numbered in the order of their first members.
        if class == of_class.len() {
            let kind = match &system[index] {
                None => StateKind::Error,
                Some(steps) if steps.is_empty() => StateKind::Stop,
                Some(_) => StateKind::Ordinary,
            };
            of_class.push(builder.state(kind));
            representatives.push(index);
        }
    }
    for (class, &representative) in representatives.iter().enumerate() {
        for &(action, target) in system[representative].iter().flatten() {
            builder.transition(of_class[class], action, of_class[classes[target]]);
        }
    }
    Ok(builder.finish(of_class[classes[0]]))
}
