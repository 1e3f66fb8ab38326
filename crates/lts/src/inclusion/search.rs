//! The search for a violation, which can be continued after parts of the process have changed.
//!
//! Invariants, between two runs:
//! - Nodes are pairs that were expanded. Each was reached from its parent, which comes before it,
//!   by a step that still exists; its depth is the number of visible actions on the way.
//! - For each step of a node there is a child, a pending entry, or an entry that was dropped
//!   because a node no deeper than it has the same state and a subset of its set. A node for
//!   which this does not hold is pending to be expanded again.
//! - Pending work is done in the order of its depth, so the first violation is a shortest.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Inclusion, Violation, ViolationReason};
use crate::action::ActionId;
use crate::determinise::{Determinised, SetId};
use crate::lts::{Lts, StateId, StateKind};
use crate::process::{PathStep, Process, SearchControl, Stopped};

/// A state of M and what the specification may have reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Pair {
    state: StateId,
    set: SetId,
}

/// A pair that a step of a node leads to; the initial pair comes from no node.
#[derive(Clone, Copy)]
struct Entry {
    origin: Option<(usize, ActionId)>,
    pair: Pair,
}

struct Node {
    pair: Pair,
    origin: Option<(usize, ActionId)>,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Work {
    Visit(Entry),
    ExpandAgain(usize),
}

struct Dropped {
    entry: Entry,
    covered_by: usize,
}

/// A search for traces of a process that a specification does not allow.
pub struct InclusionSearch<'s> {
    specification: &'s Lts,
    sets: Determinised<'s>,
    nodes: Vec<Node>,
    /// By their state and the first state of their set: one of the states of every set that contains it.
    nodes_of: FxHashMap<(StateId, StateId), SmallVec<[usize; 2]>>,
    pending: BTreeMap<usize, VecDeque<Work>>,
    /// Only kept if the search may be continued.
    dropped: Option<Vec<Dropped>>,
    started: bool,
    expansions: usize,
}

impl<'s> InclusionSearch<'s> {
    /// A search that can be continued after [`InclusionSearch::forget`].
    pub fn new(specification: &'s Lts) -> Self {
        InclusionSearch {
            dropped: Some(Vec::new()),
            ..Self::once(specification)
        }
    }

    pub(super) fn once(specification: &'s Lts) -> Self {
        InclusionSearch {
            specification,
            sets: Determinised::new(specification),
            nodes: Vec::new(),
            nodes_of: FxHashMap::default(),
            pending: BTreeMap::new(),
            dropped: None,
            started: false,
            expansions: 0,
        }
    }

    /// How often the successors of a pair were computed, in all runs.
    pub fn expansions(&self) -> usize {
        self.expansions
    }

    /// Searches on until there is an answer. The process must be the one of the last run, but for
    /// the states that were forgotten since then.
    pub fn run(
        &mut self,
        process: &mut dyn Process,
        control: &mut SearchControl<'_>,
    ) -> Result<Inclusion, Stopped> {
        if !self.started {
            let state = process.initial()?;
            let set = match process.kind(state) {
                StateKind::Error => Determinised::EMPTY,
                _ => self.sets.initial(),
            };
            let pair = Pair { state, set };
            self.add_pending(0, Work::Visit(Entry { origin: None, pair }));
            self.started = true;
        }
        while let Some((depth, work)) = self.next_work() {
            if let Work::Visit(entry) = work
                && entry.pair.set == Determinised::EMPTY
            {
                // It stays a violation until one of its states is forgotten.
                self.pending.entry(depth).or_default().push_front(work);
                return Ok(Inclusion::Violated {
                    violation: self.violation(entry, process),
                    pairs: self.nodes.len(),
                });
            }
            if let Err(stopped) = self.perform(work, depth, process, control) {
                self.pending.entry(depth).or_default().push_front(work);
                return Err(stopped);
            }
        }
        Ok(Inclusion::Holds {
            pairs: self.nodes.len(),
        })
    }

    /// After a violation was found: others that are as short, in the order in which the search meets them. They stay
    /// violations like the first one. The state limit ends the search for more, and so does as much work as the first one took.
    pub fn others(
        &mut self,
        process: &mut dyn Process,
        control: &mut SearchControl<'_>,
        most: usize,
    ) -> Result<Vec<Violation>, Stopped> {
        let Some((&depth, _)) = self.pending.first_key_value() else {
            return Ok(Vec::new());
        };
        let mut found: Vec<Entry> = Vec::new();
        let mut stopped = None;
        let until = 2 * self.expansions;
        while found.len() <= most
            && self.expansions < until
            && let Some(work) = self.pending.get_mut(&depth).and_then(VecDeque::pop_front)
        {
            match work {
                Work::Visit(entry) if entry.pair.set == Determinised::EMPTY => found.push(entry),
                _ => {
                    if let Err(reason) = self.perform(work, depth, process, control) {
                        self.pending.entry(depth).or_default().push_front(work);
                        stopped = Some(reason);
                        break;
                    }
                }
            }
        }
        for &entry in found.iter().rev() {
            let waiting = self.pending.entry(depth).or_default();
            waiting.push_front(Work::Visit(entry));
        }
        match stopped {
            Some(reason) if !matches!(reason, Stopped::StateLimit(_)) => Err(reason),
            _ => {
                let others = found.into_iter().skip(1);
                Ok(others.map(|entry| self.violation(entry, process)).collect())
            }
        }
    }

    fn next_work(&mut self) -> Option<(usize, Work)> {
        loop {
            let mut first = self.pending.first_entry()?;
            let depth = *first.key();
            match first.get_mut().pop_front() {
                Some(work) => return Some((depth, work)),
                None => drop(first.remove()),
            }
        }
    }

    fn add_pending(&mut self, depth: usize, work: Work) {
        self.pending.entry(depth).or_default().push_back(work);
    }

    /// Nothing has changed if this fails.
    fn perform(
        &mut self,
        work: Work,
        depth: usize,
        process: &mut dyn Process,
        control: &mut SearchControl<'_>,
    ) -> Result<(), Stopped> {
        let pair = match work {
            Work::Visit(entry) => {
                if self.drop_if_covered(entry, depth) {
                    return Ok(());
                }
                entry.pair
            }
            Work::ExpandAgain(node) => self.nodes[node].pair,
        };
        control.check(self.nodes.len(), depth)?;
        let mut transitions = Vec::new();
        process.successors(pair.state, &mut transitions)?;
        self.expansions += 1;
        let node = match work {
            Work::Visit(entry) => self.add_node(entry, depth),
            Work::ExpandAgain(node) => node,
        };
        for transition in &transitions {
            let set = if process.kind(transition.target) == StateKind::Error {
                Determinised::EMPTY
            } else if self.specification.alphabet().contains(transition.action) {
                self.sets.step(pair.set, transition.action)
            } else {
                pair.set
            };
            let entry = Entry {
                origin: Some((node, transition.action)),
                pair: Pair {
                    state: transition.target,
                    set,
                },
            };
            let depth = depth + usize::from(!transition.action.is_tau());
            if set == Determinised::EMPTY || !self.drop_if_covered(entry, depth) {
                self.add_pending(depth, Work::Visit(entry));
            }
        }
        Ok(())
    }

    fn add_node(&mut self, entry: Entry, depth: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node {
            pair: entry.pair,
            origin: entry.origin,
            depth,
        });
        self.index(node);
        node
    }

    fn index(&mut self, node: usize) {
        let pair = self.nodes[node].pair;
        // Pairs with an empty set are violations and are never expanded.
        if let Some(first) = self.sets.states(pair.set).first() {
            self.nodes_of.entry((pair.state, first)).or_default().push(node);
        }
    }

    fn drop_if_covered(&mut self, entry: Entry, depth: usize) -> bool {
        let covers = |&&node: &&usize| {
            let node = &self.nodes[node];
            node.depth <= depth && self.sets.is_subset(node.pair.set, entry.pair.set)
        };
        let mut firsts = self.sets.states(entry.pair.set).iter();
        let covering = firsts.find_map(|first| {
            let nodes = self.nodes_of.get(&(entry.pair.state, first))?;
            nodes.iter().find(covers).copied()
        });
        let Some(covered_by) = covering else {
            return false;
        };
        if let Some(dropped) = &mut self.dropped {
            dropped.push(Dropped { entry, covered_by });
        }
        true
    }

    fn violation(&mut self, last: Entry, process: &dyn Process) -> Violation {
        let mut path = Vec::new();
        let mut at = (last.pair.state, last.origin);
        while let (target, Some((node, action))) = at {
            path.push(PathStep { action, target });
            at = (self.nodes[node].pair.state, self.nodes[node].origin);
        }
        path.reverse();
        let reason = match last.origin {
            None => ViolationReason::AtStart,
            Some(_) if process.kind(last.pair.state) == StateKind::Error => ViolationReason::ErrorState,
            Some((node, _)) => ViolationReason::Refused {
                allowed: self.sets.enabled(self.nodes[node].pair.set),
            },
        };
        Violation { path, reason }
    }

    /// Forgets everything about states that have changed: the pairs with them and what was found
    /// through those. All other states must have the transitions they had, except to and from
    /// changed and new states.
    pub fn forget(&mut self, changed: impl Fn(StateId) -> bool) {
        let Some(dropped) = self.dropped.take() else {
            *self = Self::once(self.specification);
            return;
        };
        // New numbers of the nodes that stay. Parents come before their children.
        let mut kept: Vec<Option<usize>> = Vec::with_capacity(self.nodes.len());
        let mut again: BTreeSet<usize> = BTreeSet::new();
        let mut count = 0;
        for node in &self.nodes {
            let parent = node.origin.map(|(parent, _)| kept[parent]);
            let stays = parent != Some(None) && !changed(node.pair.state);
            if !stays && let Some(Some(parent)) = parent {
                again.insert(parent);
            }
            kept.push(stays.then_some(count));
            count += usize::from(stays);
        }
        self.started = kept.first().is_none_or(Option::is_some) && self.started;
        let moved = |origin: Option<(usize, ActionId)>| match origin {
            None => Some(None),
            Some((node, action)) => kept[node].map(|node| Some((node, action))),
        };
        let entries = |entry: Entry| {
            moved(entry.origin).map(|origin| Entry {
                origin,
                pair: entry.pair,
            })
        };
        let pending = std::mem::take(&mut self.pending);
        let mut waiting: Vec<(usize, Entry)> = Vec::new();
        for (depth, work) in pending
            .into_iter()
            .flat_map(|(depth, queue)| queue.into_iter().map(move |work| (depth, work)))
        {
            match work {
                Work::Visit(entry) => waiting.extend(entries(entry).map(|entry| (depth, entry))),
                Work::ExpandAgain(node) => again.extend(kept[node]),
            }
        }
        let mut nodes = Vec::with_capacity(count);
        for (node, kept) in std::mem::take(&mut self.nodes).into_iter().zip(&kept) {
            if let (Some(_), Some(origin)) = (kept, moved(node.origin)) {
                nodes.push(Node { origin, ..node });
            }
        }
        let mut still_dropped = Vec::new();
        for Dropped { entry, covered_by } in dropped {
            let Some(entry) = entries(entry) else { continue };
            match kept[covered_by] {
                Some(covered_by) => still_dropped.push(Dropped { entry, covered_by }),
                None => {
                    let depth = entry.origin.map_or(0, |(parent, action)| {
                        nodes[parent].depth + usize::from(!action.is_tau())
                    });
                    waiting.push((depth, entry));
                }
            }
        }
        self.nodes = nodes;
        self.resume(waiting, still_dropped, again, changed);
    }

    /// Puts together what is left: entries of nodes that are expanded again will come back.
    fn resume(
        &mut self,
        waiting: Vec<(usize, Entry)>,
        dropped: Vec<Dropped>,
        mut again: BTreeSet<usize>,
        changed: impl Fn(StateId) -> bool,
    ) {
        let parents = waiting
            .iter()
            .map(|(_, entry)| entry)
            .chain(dropped.iter().map(|dropped| &dropped.entry))
            .filter(|entry| changed(entry.pair.state))
            .filter_map(|entry| entry.origin);
        again.extend(parents.map(|(parent, _)| parent));
        let comes_back = |entry: &Entry| {
            entry.origin.is_some_and(|(parent, _)| again.contains(&parent))
                || (entry.origin.is_none() && changed(entry.pair.state))
        };
        self.nodes_of.clear();
        for node in 0..self.nodes.len() {
            self.index(node);
        }
        self.dropped = Some(
            dropped
                .into_iter()
                .filter(|dropped| !comes_back(&dropped.entry))
                .collect(),
        );
        for (depth, entry) in waiting {
            if comes_back(&entry) {
                self.started &= entry.origin.is_some();
            } else {
                self.add_pending(depth, Work::Visit(entry));
            }
        }
        for node in again {
            self.add_pending(self.nodes[node].depth, Work::ExpandAgain(node));
        }
    }
}
