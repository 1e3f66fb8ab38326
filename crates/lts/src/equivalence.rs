//! Weak simulation and weak bisimulation of two systems, and what tells them apart.
//!
//! A weak step is τ* a τ*, or τ*. The second system simulates the first if it can answer every weak step of it with the same
//! action, again and again; they are bisimilar if each can answer the other in one relation. Where one silently goes on for
//! ever makes no difference. Both are greatest fixed points: pairs are given up until all that are left can be answered. The
//! round in which a pair was given up says how to tell it apart.

use std::collections::VecDeque;

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

use crate::action::{ActionId, ActionTable};
use crate::lts::{Lts, StateId, StateKind};
use crate::process::{PathStep, SearchControl, Stopped};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The second system can do whatever the first does.
    Simulation,
    /// Each can do whatever the other does.
    WeakBisimulation,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    First,
    Second,
}

/// A play that one side wins: it does something, the other answers, and so on; the last step has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Who does what; an action that is τ is a choice that the other side cannot see.
    pub plays: Vec<(Side, ActionId)>,
    /// What the first system does in it, its answers included.
    pub path: Vec<PathStep>,
}

/// The weak steps of a system.
struct Weak {
    /// By state: actions with the states that they can lead to, sorted; τ is the empty step.
    steps: Vec<FxHashMap<ActionId, Vec<usize>>>,
}

/// The most pairs of states that are compared.
const MAX_PAIRS: usize = 20_000_000;

/// What tells the systems apart; `None` if nothing does.
pub fn difference(
    first: &Lts,
    second: &Lts,
    relation: Relation,
    control: &mut SearchControl<'_>,
) -> Result<Option<Difference>, Stopped> {
    let pairs = first.state_count().saturating_mul(second.state_count());
    if pairs > MAX_PAIRS {
        return Err(Stopped::StateLimit(MAX_PAIRS));
    }
    let game = Game {
        weak: [Weak::new(first, control)?, Weak::new(second, control)?],
        systems: [first, second],
        relation,
    };
    let rounds = game.rounds(control)?;
    let start = (first.initial().index(), second.initial().index());
    Ok(game.play(start, &rounds))
}

impl Weak {
    fn new(lts: &Lts, control: &mut SearchControl<'_>) -> Result<Weak, Stopped> {
        let mut closures: Vec<Vec<usize>> = Vec::new();
        for state in lts.states() {
            control.check(closures.len(), 0)?;
            let mut seen = vec![false; lts.state_count()];
            seen[state.index()] = true;
            let (mut open, mut closure) = (vec![state], Vec::new());
            while let Some(state) = open.pop() {
                closure.push(state.index());
                for target in lts.succ(state, ActionTable::TAU) {
                    if !std::mem::replace(&mut seen[target.index()], true) {
                        open.push(target);
                    }
                }
            }
            closure.sort_unstable();
            closures.push(closure);
        }
        let mut steps = Vec::new();
        for state in lts.states() {
            control.check(steps.len(), 0)?;
            let mut own: FxHashMap<ActionId, Vec<usize>> = FxHashMap::default();
            own.insert(ActionTable::TAU, closures[state.index()].clone());
            for &before in &closures[state.index()] {
                for transition in lts.transitions(StateId::new(before)) {
                    if !transition.action.is_tau() {
                        let targets = own.entry(transition.action).or_default();
                        targets.extend(&closures[transition.target.index()]);
                    }
                }
            }
            for targets in own.values_mut() {
                targets.sort_unstable();
                targets.dedup();
            }
            steps.push(own);
        }
        Ok(Weak { steps })
    }
}

/// The round in which each pair was given up; 0 if it never was.
struct Rounds {
    second_count: usize,
    round: Vec<u32>,
}

impl Rounds {
    fn of(&self, (first, second): (usize, usize)) -> u32 {
        self.round[first * self.second_count + second]
    }
}

struct Game<'g> {
    systems: [&'g Lts; 2],
    weak: [Weak; 2],
    relation: Relation,
}

impl Game<'_> {
    fn sides(&self) -> &'static [Side] {
        match self.relation {
            Relation::Simulation => &[Side::First],
            Relation::WeakBisimulation => &[Side::First, Side::Second],
        }
    }

    fn rounds(&self, control: &mut SearchControl<'_>) -> Result<Rounds, Stopped> {
        let (first, second) = (self.systems[0].state_count(), self.systems[1].state_count());
        let mut rounds = Rounds {
            second_count: second,
            round: vec![0; first * second],
        };
        let is_error = |lts: &Lts, state: usize| lts.kind(StateId::new(state)) == StateKind::Error;
        for one in 0..first {
            for other in 0..second {
                if is_error(self.systems[0], one) != is_error(self.systems[1], other) {
                    rounds.round[one * second + other] = 1;
                }
            }
        }
        for round in 2.. {
            let mut given_up = Vec::new();
            for one in 0..first {
                control.check(0, 0)?;
                for other in 0..second {
                    let pair = (one, other);
                    if rounds.of(pair) == 0 && self.attack(pair, &rounds, round).is_some() {
                        given_up.push(one * second + other);
                    }
                }
            }
            if given_up.is_empty() {
                break;
            }
            for place in given_up {
                rounds.round[place] = round;
            }
        }
        Ok(rounds)
    }

    /// A step of one side from a pair to which every answer leads to a pair that was given up before a round.
    fn attack(&self, pair: (usize, usize), rounds: &Rounds, before: u32) -> Option<(Side, ActionId, usize)> {
        let is_given_up = |pair| (1..before).contains(&rounds.of(pair));
        for &side in self.sides() {
            let (own, answering) = match side {
                Side::First => (&self.weak[0].steps[pair.0], &self.weak[1].steps[pair.1]),
                Side::Second => (&self.weak[1].steps[pair.1], &self.weak[0].steps[pair.0]),
            };
            let mut actions: Vec<ActionId> = own.keys().copied().collect();
            actions.sort_unstable();
            for action in actions {
                let answers = answering.get(&action).map_or(&[][..], Vec::as_slice);
                for &target in &own[&action] {
                    let paired = |answer: usize| match side {
                        Side::First => (target, answer),
                        Side::Second => (answer, target),
                    };
                    if answers.iter().all(|&answer| is_given_up(paired(answer))) {
                        return Some((side, action, target));
                    }
                }
            }
        }
        None
    }

    fn play(&self, start: (usize, usize), rounds: &Rounds) -> Option<Difference> {
        let mut pair = start;
        if rounds.of(pair) == 0 {
            return None;
        }
        let (mut plays, mut path) = (Vec::new(), Vec::new());
        while rounds.of(pair) > 1 {
            let (side, action, target) = self.attack(pair, rounds, rounds.of(pair))?;
            plays.push((side, action));
            let answering = match side {
                Side::First => self.weak[1].steps[pair.1].get(&action),
                Side::Second => self.weak[0].steps[pair.0].get(&action),
            };
            let paired = |answer: usize| match side {
                Side::First => (target, answer),
                Side::Second => (answer, target),
            };
            // The answer that holds out longest.
            let answers = answering.into_iter().flatten();
            let next = answers
                .map(|&answer| paired(answer))
                .max_by_key(|&pair| rounds.of(pair));
            let reached = next.map_or_else(
                || matches!(side, Side::First).then_some(target),
                |next| Some(next.0),
            );
            if let Some(reached) = reached {
                path.extend(self.way(pair.0, action, reached)?);
            }
            match next {
                Some(next) => pair = next,
                None => break,
            }
        }
        Some(Difference { plays, path })
    }

    /// A weak step of the first system as a path.
    fn way(&self, start: usize, action: ActionId, end: usize) -> Option<Vec<PathStep>> {
        let lts = self.systems[0];
        // Whether the action was done, too.
        let first = (StateId::new(start), action.is_tau());
        let wanted = (StateId::new(end), true);
        let mut origin: FxHashMap<(StateId, bool), ((StateId, bool), PathStep)> = FxHashMap::default();
        let mut open = VecDeque::from([first]);
        while let Some(at) = open.pop_front() {
            if at == wanted {
                let (mut steps, mut at) = (Vec::new(), at);
                while at != first {
                    let (before, step) = origin.get(&at)?;
                    steps.push(*step);
                    at = *before;
                }
                steps.reverse();
                return Some(steps);
            }
            for transition in lts.transitions(at.0) {
                let next = match (transition.action.is_tau(), transition.action == action && !at.1) {
                    (true, _) => (transition.target, at.1),
                    (false, true) => (transition.target, true),
                    (false, false) => continue,
                };
                if next != first && !origin.contains_key(&next) {
                    let step = PathStep {
                        action: transition.action,
                        target: transition.target,
                    };
                    origin.insert(next, (at, step));
                    open.push_back(next);
                }
            }
        }
        None
    }
}
