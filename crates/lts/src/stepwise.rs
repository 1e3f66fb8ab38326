//! M1 || … || Mn put together step by step: two systems are composed, what nobody else takes part in is hidden, and the
//! result is reduced before it meets the next.
//!
//! ```text
//! M1 ─┐
//!     ├─ compose ─> whole ─ hide, merge ─> renamed ─ reduce ─┐
//! M2 ─┘                                                      ├─ compose ─> … ─> one small system ─ inclusion
//! M3 ────────────────────────────────────────────────────────┘
//! ```
//!
//! Many copies of one component stay small in this way, although all of their states together are exponentially many: of
//! the participants of a commit only how many have not committed yet remains, of a ring where the token is. Two things
//! make this so. An action that only the composed systems have, and that the specification does not observe, is hidden.
//! One that the specification does observe becomes its *class*: the specification leads to the same states by all actions
//! of a class, so it cannot tell them apart (`p.0.commit` and `p.1.commit`, if it is only about whether anybody commits).
//!
//! Invariants:
//! - What a system may do is kept up to classes: the composition has a trace that the specification does not allow iff
//!   the system at the root has one that the specification over classes does not allow.
//! - A class has two numbers, beyond those of all actions. In the system of a part it has the first. The right one of two
//!   that meet has the second instead, so that they do not synchronise on it.
//! - A trace of a part is followed back through each step that made it: [`Stepwise::expand`].

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use lariat_base::Budget;
use rustc_hash::FxHashMap;

use crate::action::ActionId;
use crate::composition::Composition;
use crate::inclusion::{Inclusion, ViolationReason, trace_inclusion};
use crate::language::{PathGoal, path_with_trace, reach};
use crate::lts::{Lts, StateId, StateKind};
use crate::process::{Process, SearchControl, Stopped, explore, trace_of};
use crate::reduction::reduce;

/// The answer, with the number of states of the largest system that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepwiseInclusion {
    Holds {
        states: usize,
    },
    /// A trace of all systems together, in their own actions.
    Violated {
        trace: Vec<ActionId>,
        reason: ViolationReason,
        /// The system that is in `ERROR` after it.
        error_in: Option<usize>,
        states: usize,
    },
}

/// Whether the specification allows all traces of M1 || … || Mn. No system that is made on the way may have more states
/// than the limit.
pub fn stepwise_inclusion(
    systems: &[&Lts],
    specification: &Lts,
    state_limit: usize,
    budget: &Budget,
) -> Result<StepwiseInclusion, Stopped> {
    let mut stepwise = Stepwise::new(systems, specification, state_limit, budget);
    while let Some((left, right)) = stepwise.next_pair() {
        stepwise.join(left, right)?;
    }
    stepwise.decide()
}

/// A system, or several that were put together.
struct Part {
    /// What stands for it in later compositions.
    system: Lts,
    made_of: MadeOf,
}

enum MadeOf {
    /// One of the given systems.
    Given,
    Two {
        left: usize,
        right: usize,
        /// Their composition; classes of the right one have their second numbers.
        whole: Lts,
        /// The same with classes in place of actions that only these have.
        renamed: Lts,
    },
}

struct Stepwise<'a> {
    systems: &'a [&'a Lts],
    specification: &'a Lts,
    state_limit: usize,
    budget: &'a Budget,
    /// The class of each action that the specification observes.
    classes: FxHashMap<ActionId, usize>,
    /// The number of the first class.
    first_class: usize,
    /// In how many parts that have not been put together yet an action is.
    users: FxHashMap<ActionId, usize>,
    parts: Vec<Part>,
    /// The parts that have not been put together yet.
    open: Vec<usize>,
    largest: usize,
}

/// One action of a trace of a part, followed back to the given systems.
#[derive(Clone, Default)]
struct Expanded {
    /// For each action of the trace: hidden ones that come before it, and what it was before it became a class.
    steps: Vec<(Vec<ActionId>, ActionId)>,
    after: Vec<ActionId>,
}

impl<'a> Stepwise<'a> {
    fn new(systems: &'a [&'a Lts], specification: &'a Lts, state_limit: usize, budget: &'a Budget) -> Self {
        let mut users: FxHashMap<ActionId, usize> = FxHashMap::default();
        for action in systems.iter().flat_map(|system| system.alphabet().iter()) {
            *users.entry(action).or_default() += 1;
        }
        let all = users.keys().copied().chain(specification.alphabet().iter());
        let first_class = all.map(|action| action.index() + 1).max().unwrap_or(1);
        Stepwise {
            systems,
            specification,
            state_limit,
            budget,
            classes: classes(specification),
            first_class,
            users,
            parts: systems
                .iter()
                .map(|&system| Part {
                    system: system.clone(),
                    made_of: MadeOf::Given,
                })
                .collect(),
            open: (0..systems.len()).collect(),
            largest: 0,
        }
    }

    /// A class as an action of a part.
    fn class(&self, number: usize) -> ActionId {
        ActionId::new(self.first_class + 2 * number)
    }

    /// A class as an action of the right one of two parts.
    fn on_the_right(&self, action: ActionId) -> ActionId {
        match action.index() >= self.first_class {
            true => ActionId::new(action.index() + 1),
            false => action,
        }
    }

    /// What an action becomes once nobody else takes part in it; `None` if it is hidden.
    fn merged(&self, action: ActionId) -> Option<ActionId> {
        match action.index().checked_sub(self.first_class) {
            Some(number) => Some(self.class(number / 2)),
            None => self.classes.get(&action).map(|&class| self.class(class)),
        }
    }

    /// The two parts to put together next: two that have actions in common which nobody else has, if there are any, and
    /// of those the smallest.
    fn next_pair(&self) -> Option<(usize, usize)> {
        let mut best: Option<((bool, usize), (usize, usize))> = None;
        for (position, &left) in self.open.iter().enumerate() {
            for &right in &self.open[position + 1..] {
                let (one, other) = (&self.parts[left].system, &self.parts[right].system);
                let (few, many) = match one.alphabet().len() <= other.alphabet().len() {
                    true => (one.alphabet(), other.alphabet()),
                    false => (other.alphabet(), one.alphabet()),
                };
                let mut common = few.iter().filter(|&action| many.contains(action));
                let is_apart = !common.any(|action| self.users.get(&action) == Some(&2));
                let size = one.state_count() * other.state_count();
                if best.is_none_or(|(known, _)| (is_apart, size) < known) {
                    best = Some(((is_apart, size), (left, right)));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    fn join(&mut self, left: usize, right: usize) -> Result<(), Stopped> {
        let second = self.parts[right]
            .system
            .map_actions(|action| vec![self.on_the_right(action)]);
        let first = &self.parts[left].system;
        for action in first.alphabet().iter() {
            if second.alphabet().contains(action)
                && let Some(users) = self.users.get_mut(&action)
            {
                *users -= 1;
            }
        }
        let whole = {
            let mut composition =
                Composition::new(vec![Box::new(first) as Box<dyn Process + '_>, Box::new(&second)]);
            let mut silent = |_| {};
            let mut control = SearchControl::new(self.budget, self.state_limit, &mut silent);
            explore(&mut composition, &mut control)?
        };
        self.largest = self.largest.max(whole.state_count());
        let renamed = whole.map_actions(|action| match self.users.get(&action) {
            Some(&users) if users > 1 => vec![action],
            _ => self.merged(action).into_iter().collect(),
        });
        let system = reduce(&renamed, renamed.alphabet(), self.budget)?;
        self.open.retain(|&part| part != left && part != right);
        self.open.push(self.parts.len());
        self.parts.push(Part {
            system,
            made_of: MadeOf::Two {
                left,
                right,
                whole,
                renamed,
            },
        });
        Ok(())
    }

    /// Trace inclusion of the part that is left, over classes.
    fn decide(&self) -> Result<StepwiseInclusion, Stopped> {
        let Some(&root) = self.open.first() else {
            return Ok(StepwiseInclusion::Holds { states: 0 });
        };
        let is_joined = self.parts.len() > self.systems.len();
        let over_classes = |action| match is_joined {
            true => self.merged(action).into_iter().collect(),
            // A system alone is what it was.
            false => vec![action],
        };
        let system = self.parts[root].system.map_actions(over_classes);
        let specification = self.specification.map_actions(over_classes);
        let mut silent = |_| {};
        let mut control = SearchControl::new(self.budget, self.state_limit, &mut silent);
        let violation = match trace_inclusion(&mut &system, &specification, &mut control)? {
            Inclusion::Holds { pairs } => {
                let states = self.largest.max(pairs);
                return Ok(StepwiseInclusion::Holds { states });
            }
            Inclusion::Violated { violation, .. } => violation,
        };
        let is_error = match violation.path.last() {
            Some(step) => system.kind(step.target) == StateKind::Error,
            None => system.kind(system.initial()) == StateKind::Error,
        };
        let goal = match is_error {
            true => PathGoal::Error,
            false => PathGoal::Anywhere,
        };
        let expanded = self.expand(root, &trace_of(&violation.path), goal)?;
        let mut trace = Vec::new();
        for (before, action) in expanded.steps {
            trace.extend(before);
            trace.push(action);
        }
        trace.extend(expanded.after);
        let mut error_in = None;
        if is_error {
            for (number, system) in self.systems.iter().enumerate() {
                let own = system.alphabet().project(&trace);
                if path_with_trace(&mut &**system, &own, PathGoal::Error, ActionId::is_tau)?.is_some() {
                    error_in = Some(number);
                    break;
                }
            }
        }
        let reason = match violation.reason {
            ViolationReason::Refused { .. } => ViolationReason::Refused {
                allowed: self.allowed_before_last(&trace),
            },
            other => other,
        };
        Ok(StepwiseInclusion::Violated {
            trace,
            reason,
            error_in,
            states: self.largest,
        })
    }

    /// What the specification allows where it refuses the last action.
    fn allowed_before_last(&self, trace: &[ActionId]) -> Vec<ActionId> {
        let mut observed = self.specification.alphabet().project(trace);
        observed.pop();
        let start = [self.specification.initial()].into_iter().collect();
        let states = reach(self.specification, &start, &observed);
        let leads_on = |target: StateId| self.specification.kind(target) != StateKind::Error;
        let mut allowed: Vec<ActionId> = states
            .into_iter()
            .flat_map(|state| self.specification.transitions(state))
            .filter(|transition| !transition.action.is_tau() && leads_on(transition.target))
            .map(|transition| transition.action)
            .collect();
        allowed.sort_unstable();
        allowed.dedup();
        allowed
    }

    /// What the given systems do where a part does a trace.
    fn expand(&self, part: usize, trace: &[ActionId], goal: PathGoal) -> Result<Expanded, Stopped> {
        let MadeOf::Two {
            left,
            right,
            whole,
            renamed,
        } = &self.parts[part].made_of
        else {
            let steps = trace.iter().map(|&action| (Vec::new(), action)).collect();
            return Ok(Expanded {
                steps,
                after: Vec::new(),
            });
        };
        let path = path_with_trace(&mut &*renamed, trace, goal, ActionId::is_tau)?;
        let path =
            path.ok_or_else(|| Stopped::Failed("a composition lacks a trace of its reduction".to_owned()))?;
        // The actions as they were before they became classes or were hidden.
        let mut actions: Vec<(ActionId, bool)> = Vec::new();
        let mut state = renamed.initial();
        for step in &path {
            let becomes = |action: ActionId| match self.is_kept(action, renamed) {
                true => Some(action),
                false => self.merged(action),
            };
            let original = whole.transitions(state).iter().find(|transition| {
                let renamed = match transition.action.is_tau() {
                    true => None,
                    false => becomes(transition.action),
                };
                transition.target == step.target && renamed == (!step.action.is_tau()).then_some(step.action)
            });
            let original = original
                .ok_or_else(|| Stopped::Failed("a renamed composition has a step of its own".to_owned()))?;
            actions.push((original.action, !step.action.is_tau()));
            state = step.target;
        }
        let (first, second) = (&self.parts[*left].system, &self.parts[*right].system);
        let in_first = |action: ActionId| first.alphabet().contains(action);
        let rights: BTreeMap<ActionId, ActionId> = second
            .alphabet()
            .iter()
            .map(|action| (self.on_the_right(action), action))
            .collect();
        let visible = || actions.iter().map(|&(action, _)| action);
        let first_trace: Vec<ActionId> = visible().filter(|&action| in_first(action)).collect();
        let second_trace: Vec<ActionId> = visible()
            .filter_map(|action| rights.get(&action).copied())
            .collect();
        // `ERROR` of the composition is that of one of them.
        let is_error = |system: &Lts, trace: &[ActionId]| {
            let found = path_with_trace(&mut &*system, trace, PathGoal::Error, ActionId::is_tau);
            found.map(|path| path.is_some())
        };
        let first_fails = goal == PathGoal::Error && is_error(first, &first_trace)?;
        let goal_of = |fails: bool| match fails {
            true => PathGoal::Error,
            false => PathGoal::Anywhere,
        };
        let second_goal = goal_of(goal == PathGoal::Error && !first_fails);
        let mut of_first = self.expand(*left, &first_trace, goal_of(first_fails))?;
        let mut of_second = self.expand(*right, &second_trace, second_goal)?;
        let (mut firsts, mut seconds) = (of_first.steps.drain(..), of_second.steps.drain(..));
        let mut expanded = Expanded::default();
        for &(action, is_visible) in &actions {
            let mut concrete = action;
            let own = in_first(action).then(|| firsts.next()).flatten();
            let others = rights.contains_key(&action).then(|| seconds.next()).flatten();
            for (before, of_part) in own.into_iter().chain(others) {
                expanded.after.extend(before);
                concrete = of_part;
            }
            if concrete.is_tau() {
                continue;
            }
            match is_visible {
                true => {
                    let before = std::mem::take(&mut expanded.after);
                    expanded.steps.push((before, concrete));
                }
                false => expanded.after.push(concrete),
            }
        }
        drop((firsts, seconds));
        expanded.after.extend(of_first.after);
        expanded.after.extend(of_second.after);
        Ok(expanded)
    }

    /// Whether an action was kept as it is when a composition was renamed: others take part in it.
    fn is_kept(&self, action: ActionId, renamed: &Lts) -> bool {
        action.index() < self.first_class && renamed.alphabet().contains(action)
    }
}

/// Actions that lead from all states of a system to the same states are in one class.
fn classes(specification: &Lts) -> FxHashMap<ActionId, usize> {
    let mut effects: BTreeMap<ActionId, Vec<(StateId, StateId)>> = BTreeMap::new();
    for action in specification.alphabet().iter() {
        effects.insert(action, Vec::new());
    }
    for (source, action, target) in specification.triples() {
        if let Some(effect) = effects.get_mut(&action) {
            effect.push((source, target));
        }
    }
    let mut numbers: FxHashMap<Vec<(StateId, StateId)>, usize> = FxHashMap::default();
    effects
        .into_iter()
        .map(|(action, effect)| {
            let next = numbers.len();
            (action, *numbers.entry(effect).or_insert(next))
        })
        .collect()
}
