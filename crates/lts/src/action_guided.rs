//! Action-guided abstraction and refinement ([Magic04] §7, §8, Fig. 9).
//!
//! The states of an explicit system MP are partitioned; the partition determines the abstraction
//! MA, whose transitions exist where some concrete transition does. At first two states are
//! together iff they have the same enabled actions and, beyond the paper, the same kind: no
//! `ERROR` hides behind a `STOP`. Refinement splits one abstract state at a time.
//!
//! Invariants:
//! - The abstract states are disjoint, not empty, and cover MP; L(MP) ⊆ L(MA).
//! - A count is kept for each abstract transition: how many concrete ones it stands for. A split
//!   changes only those from, to and inside the split state, at the cost of the transitions of
//!   the states that move; the largest part keeps the old number and does not move.
//! - An abstract state that is split stays ordinary or stays an end, whole.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, SecondaryMap};
use lariat_base::Budget;

use crate::action::{ActionId, Alphabet};
use crate::language::{PathGoal, path_with_trace};
use crate::lts::{Lts, StateId, StateKind, Transition};
use crate::process::{PathStep, Process, SearchControl, Stopped, explore};

/// MA with the MP it abstracts. Abstract states are numbered from 0 like states of a system.
pub struct ActionGuided {
    concrete: Lts,
    /// Sources of the transitions into a state; `target` is the source.
    predecessors: SecondaryMap<StateId, Vec<Transition>>,
    /// [s] for each concrete state s.
    abstract_state: SecondaryMap<StateId, Option<StateId>>,
    members: Vec<Vec<StateId>>,
    transitions: Vec<BTreeMap<Transition, usize>>,
}

/// What became of a trace of MA.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// It is a trace of MP: this is a path with it.
    Feasible(Vec<PathStep>),
    /// It is not a trace of MA any more: these abstract states were split, in this order.
    /// Everything else is unchanged.
    Eliminated { split: Vec<StateId> },
}

impl ActionGuided {
    /// MA0: states with the same enabled actions are together.
    pub fn new(concrete: Lts) -> Self {
        Self::within(concrete, |_| 0)
    }

    /// The coarsest abstraction that keeps states apart that have different classes or different
    /// enabled actions. With the partition of an older abstraction as classes, refinement goes
    /// on where it was.
    pub fn within(concrete: Lts, class: impl Fn(StateId) -> usize) -> Self {
        let mut groups: BTreeMap<(StateKind, Vec<ActionId>, usize), StateId> = BTreeMap::new();
        let mut abstraction = ActionGuided {
            predecessors: SecondaryMap::new(),
            abstract_state: SecondaryMap::new(),
            members: Vec::new(),
            transitions: Vec::new(),
            concrete,
        };
        for state in abstraction.concrete.states() {
            let key = (
                abstraction.concrete.kind(state),
                abstraction.concrete.export(state),
                class(state),
            );
            let next = StateId::new(abstraction.members.len());
            let group = *groups.entry(key).or_insert(next);
            if group == next {
                abstraction.members.push(Vec::new());
                abstraction.transitions.push(BTreeMap::new());
            }
            abstraction.members[group.index()].push(state);
            abstraction.abstract_state[state] = Some(group);
        }
        let triples: Vec<_> = abstraction.concrete.triples().collect();
        for (source, action, target) in triples {
            abstraction.predecessors[target].push(Transition {
                action,
                target: source,
            });
            abstraction.count(source, action, target);
        }
        abstraction
    }

    pub fn concrete(&self) -> &Lts {
        &self.concrete
    }

    pub fn state_count(&self) -> usize {
        self.members.len()
    }

    /// [s].
    pub fn abstract_of(&self, state: StateId) -> StateId {
        self.abstract_state[state].expect("every concrete state is in an abstract one")
    }

    /// The concrete states of an abstract one.
    pub fn members(&self, state: StateId) -> &[StateId] {
        &self.members[state.index()]
    }

    fn count(&mut self, source: StateId, action: ActionId, target: StateId) {
        let transition = Transition {
            action,
            target: self.abstract_of(target),
        };
        let from = self.abstract_of(source);
        *self.transitions[from.index()].entry(transition).or_default() += 1;
    }

    fn uncount(&mut self, source: StateId, action: ActionId, target: StateId) {
        let transition = Transition {
            action,
            target: self.abstract_of(target),
        };
        let from = self.abstract_of(source).index();
        if let Some(count) = self.transitions[from].get_mut(&transition) {
            *count -= 1;
            if *count == 0 {
                self.transitions[from].remove(&transition);
            }
        }
    }

    /// Split(SA, u, a): states of u stay together iff their a-successors are in the same abstract
    /// states. Returns the parts with new numbers; none if u stays whole.
    pub fn split(&mut self, state: StateId, action: ActionId) -> Vec<StateId> {
        let mut parts: BTreeMap<BTreeSet<StateId>, Vec<StateId>> = BTreeMap::new();
        for &member in self.members(state) {
            let successors = self
                .concrete
                .succ(member, action)
                .map(|target| self.abstract_of(target))
                .collect();
            parts.entry(successors).or_default().push(member);
        }
        let mut parts: Vec<Vec<StateId>> = parts.into_values().collect();
        parts.sort_by_key(|part| (std::cmp::Reverse(part.len()), part[0]));
        let mut parts = parts.into_iter();
        self.members[state.index()] = parts.next().unwrap_or_default();
        parts.map(|part| self.move_out(part)).collect()
    }

    /// Makes an abstract state of states that were members of another.
    fn move_out(&mut self, part: Vec<StateId>) -> StateId {
        let new = StateId::new(self.members.len());
        self.transitions.push(BTreeMap::new());
        // Transitions inside the part are met twice; they are counted at their sources only.
        let inside: BTreeSet<StateId> = part.iter().copied().collect();
        let mut touched = Vec::new();
        for &member in &part {
            let outgoing = self.concrete.transitions(member).iter();
            touched.extend(outgoing.map(|transition| (member, transition.action, transition.target)));
            let incoming = self.predecessors[member].iter();
            touched.extend(
                incoming
                    .filter(|transition| !inside.contains(&transition.target))
                    .map(|transition| (transition.target, transition.action, member)),
            );
        }
        for &(source, action, target) in &touched {
            self.uncount(source, action, target);
        }
        for &member in &part {
            self.abstract_state[member] = Some(new);
        }
        self.members.push(part);
        for &(source, action, target) in &touched {
            self.count(source, action, target);
        }
        new
    }

    /// Fig. 9: splits until the projection of the trace on the alphabet is not a trace of MA that
    /// leads to the goal, unless it is one of MP.
    pub fn refine(
        &mut self,
        trace: &[ActionId],
        goal: PathGoal,
        budget: &Budget,
    ) -> Result<Refinement, Stopped> {
        let trace = self.concrete.alphabet().project(trace);
        if let Some(path) = path_with_trace(&mut &self.concrete, &trace, goal, ActionId::is_tau)? {
            return Ok(Refinement::Feasible(path));
        }
        let mut split = Vec::new();
        while let Some(path) = path_with_trace(&mut &*self, &trace, goal, ActionId::is_tau)? {
            budget.check()?;
            split.extend(self.split_along(&path));
        }
        Ok(Refinement::Eliminated { split })
    }

    /// Splits the last abstract state of a spurious abstract path that concrete states follow.
    fn split_along(&mut self, path: &[PathStep]) -> Option<StateId> {
        let mut reachable = BTreeSet::from([self.concrete.initial()]);
        let mut current = self.abstract_of(self.concrete.initial());
        for step in path {
            reachable = reachable
                .into_iter()
                .flat_map(|state| self.concrete.succ(state, step.action))
                .filter(|&target| self.abstract_of(target) == step.target)
                .collect();
            if reachable.is_empty() {
                let parts = self.split(current, step.action);
                debug_assert!(!parts.is_empty(), "the split is proper by Theorem 2");
                return Some(current);
            }
            current = step.target;
        }
        None
    }

    /// Splits until nothing can be split: the bisimulation quotient.
    pub fn refine_fully(&mut self, budget: &Budget) -> Result<(), Stopped> {
        let mut stable = false;
        while !stable {
            stable = true;
            let mut next = 0;
            while next < self.state_count() {
                budget.check()?;
                let state = StateId::new(next);
                let actions: BTreeSet<ActionId> = self.transitions[next]
                    .keys()
                    .map(|transition| transition.action)
                    .collect();
                for action in actions {
                    stable &= self.split(state, action).is_empty();
                }
                next += 1;
            }
        }
        Ok(())
    }

    /// The reachable part of MA as an explicit system.
    pub fn quotient(&self) -> Result<Lts, Stopped> {
        let budget = Budget::unlimited();
        let mut silent = |_| {};
        explore(
            &mut &*self,
            &mut SearchControl::new(&budget, usize::MAX, &mut silent),
        )
    }
}

impl Process for &ActionGuided {
    fn alphabet(&self) -> &Alphabet {
        self.concrete.alphabet()
    }

    fn initial(&mut self) -> Result<StateId, Stopped> {
        Ok(self.abstract_of(self.concrete.initial()))
    }

    fn kind(&self, state: StateId) -> StateKind {
        self.concrete.kind(self.members(state)[0])
    }

    fn successors(&mut self, state: StateId, into: &mut Vec<Transition>) -> Result<(), Stopped> {
        into.extend(self.transitions[state.index()].keys());
        Ok(())
    }
}
