//! Labelled transition systems as simple as they can be: actions are their names, everything is computed by enumeration.
//! Nothing here uses the library under test.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub use lariat_testkit::Random;

pub const TAU: &str = "tau";

#[derive(Clone, Debug, Default)]
pub struct System {
    pub alphabet: BTreeSet<String>,
    pub initial: usize,
    /// By state; τ is [`TAU`].
    pub steps: Vec<Vec<(String, usize)>>,
}

impl System {
    /// As a process of FSP.
    pub fn fsp(&self, name: &str) -> String {
        let state = |index: usize| format!("Q{index}");
        let mut text = format!("{name} = {}", state(self.initial));
        let mut hides = false;
        for (index, steps) in self.steps.iter().enumerate() {
            let mut choices = Vec::new();
            for (action, target) in steps {
                hides |= action == TAU;
                let action = if action == TAU { "hidden" } else { action };
                choices.push(format!("{action} -> {}", state(*target)));
            }
            let body = match choices.is_empty() {
                true => "STOP".to_owned(),
                false => format!("({})", choices.join(" | ")),
            };
            let _ = write!(text, ",\n  {} = {body}", state(index));
        }
        let alphabet: Vec<&str> = self.alphabet.iter().map(String::as_str).collect();
        if !alphabet.is_empty() {
            let _ = write!(text, " + {{{}}}", alphabet.join(", "));
        }
        if hides {
            text.push_str(" \\ {hidden}");
        }
        text + ".\n"
    }

    fn closure(&self, states: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut closed = states;
        let mut open: Vec<usize> = closed.iter().copied().collect();
        while let Some(state) = open.pop() {
            for (action, target) in &self.steps[state] {
                if action == TAU && closed.insert(*target) {
                    open.push(*target);
                }
            }
        }
        closed
    }

    fn after(&self, states: &BTreeSet<usize>, wanted: &str) -> BTreeSet<usize> {
        let targets = states
            .iter()
            .flat_map(|&state| &self.steps[state])
            .filter(|(action, _)| action == wanted)
            .map(|&(_, target)| target)
            .collect();
        self.closure(targets)
    }

    fn start(&self) -> BTreeSet<usize> {
        self.closure([self.initial].into())
    }

    pub fn accepts(&self, trace: &[String]) -> bool {
        let mut states = self.start();
        for action in trace {
            states = self.after(&states, action);
        }
        !states.is_empty()
    }

    /// The same language with fewer states: where there is nothing but one internal step, it is taken at once.
    pub fn without_internal_chains(&self) -> System {
        let resolve = |mut state: usize| {
            let mut seen = BTreeSet::new();
            while let [(action, target)] = self.steps[state].as_slice()
                && action == TAU
                && seen.insert(state)
            {
                state = *target;
            }
            state
        };
        let mut numbers = BTreeMap::new();
        let mut order = vec![resolve(self.initial)];
        numbers.insert(order[0], 0);
        let mut steps = Vec::new();
        while let Some(&state) = order.get(steps.len()) {
            let mut own = BTreeSet::new();
            for (action, target) in &self.steps[state] {
                let target = resolve(*target);
                let number = *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    order.len() - 1
                });
                own.insert((action.clone(), number));
            }
            steps.push(own.into_iter().collect());
        }
        System {
            alphabet: self.alphabet.clone(),
            initial: 0,
            steps,
        }
    }

    /// Parallel composition (Definition 5); `None` if it has too many states.
    pub fn composed(&self, other: &System, limit: usize) -> Option<System> {
        let mut numbers = BTreeMap::from([((self.initial, other.initial), 0)]);
        let mut order = vec![(self.initial, other.initial)];
        let mut steps = Vec::new();
        while let Some(&(left, right)) = order.get(steps.len()) {
            let mut targets = Vec::new();
            for (action, target) in &self.steps[left] {
                if action == TAU || !other.alphabet.contains(action) {
                    targets.push((action.clone(), (*target, right)));
                } else {
                    let both = other.steps[right].iter().filter(|(own, _)| own == action);
                    targets.extend(both.map(|(_, second)| (action.clone(), (*target, *second))));
                }
            }
            for (action, target) in &other.steps[right] {
                if action == TAU || !self.alphabet.contains(action) {
                    targets.push((action.clone(), (left, *target)));
                }
            }
            let mut own = Vec::new();
            for (action, pair) in targets {
                let number = *numbers.entry(pair).or_insert_with(|| {
                    order.push(pair);
                    order.len() - 1
                });
                own.push((action, number));
            }
            steps.push(own);
            if order.len() > limit {
                return None;
            }
        }
        Some(System {
            alphabet: self.alphabet.union(&other.alphabet).cloned().collect(),
            initial: 0,
            steps,
        })
    }

    /// Actions outside of the alphabet become internal, and the rest deterministic; `None` if there are too many states.
    pub fn observed(&self, alphabet: &BTreeSet<String>, limit: usize) -> Option<System> {
        let hidden = System {
            alphabet: alphabet.clone(),
            initial: self.initial,
            steps: self
                .steps
                .iter()
                .map(|steps| {
                    let name = |action: &String| match alphabet.contains(action) {
                        true => action.clone(),
                        false => TAU.to_owned(),
                    };
                    steps
                        .iter()
                        .map(|(action, target)| (name(action), *target))
                        .collect()
                })
                .collect(),
        };
        let start = hidden.start();
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let mut order = vec![start];
        let mut steps = Vec::new();
        while let Some(states) = order.get(steps.len()).cloned() {
            let mut own = Vec::new();
            for action in alphabet {
                let target = hidden.after(&states, action);
                if target.is_empty() {
                    continue;
                }
                let number = *numbers.entry(target.clone()).or_insert_with(|| {
                    order.push(target);
                    order.len() - 1
                });
                own.push((action.clone(), number));
            }
            steps.push(own);
            if order.len() > limit {
                return None;
            }
        }
        Some(System {
            alphabet: alphabet.clone(),
            initial: 0,
            steps,
        })
    }

    /// The number of visible actions of a shortest trace that the specification does not allow, by following all pairs of
    /// τ-closed sets level by level. `Err` if there are too many.
    pub fn shortest_violation(&self, specification: &System, limit: usize) -> Result<Option<usize>, ()> {
        let start = (self.start(), specification.start());
        let mut level = BTreeSet::from([start.clone()]);
        let mut seen = BTreeSet::from([start]);
        let mut length = 0;
        while !level.is_empty() {
            length += 1;
            let mut next = BTreeSet::new();
            for (states, allowed) in &level {
                for action in &self.alphabet {
                    let targets = self.after(states, action);
                    if targets.is_empty() {
                        continue;
                    }
                    let allowed = match specification.alphabet.contains(action) {
                        true => specification.after(allowed, action),
                        false => allowed.clone(),
                    };
                    if allowed.is_empty() {
                        return Ok(Some(length));
                    }
                    next.insert((targets, allowed));
                }
            }
            level = next
                .into_iter()
                .filter(|pair| seen.insert(pair.clone()))
                .collect();
            if seen.len() > limit {
                return Err(());
            }
        }
        Ok(None)
    }

    /// Whether two systems can get to where neither goes on, nor both together, though one of them has not ended that is no
    /// daemon: with a trace, after this trace. `None` if there are too many states.
    pub fn deadlocks(
        &self,
        other: &System,
        daemons: [bool; 2],
        trace: Option<&[String]>,
        limit: usize,
    ) -> Option<bool> {
        let start = (self.initial, other.initial, 0);
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some((left, right, done)) = open.pop() {
            let mut targets = Vec::new();
            for (action, target) in &self.steps[left] {
                if action == TAU || !other.alphabet.contains(action) {
                    targets.push((action, *target, right));
                } else {
                    let both = other.steps[right].iter().filter(|(own, _)| own == action);
                    targets.extend(both.map(|(_, second)| (action, *target, *second)));
                }
            }
            for (action, target) in &other.steps[right] {
                if action == TAU || !self.alphabet.contains(action) {
                    targets.push((action, left, *target));
                }
            }
            let has_ended = |steps: &[(String, usize)], is_daemon: bool| is_daemon || steps.is_empty();
            let have_ended =
                has_ended(&self.steps[left], daemons[0]) && has_ended(&other.steps[right], daemons[1]);
            if targets.is_empty() && !have_ended && trace.is_none_or(|trace| done == trace.len()) {
                return Some(true);
            }
            for (action, left, right) in targets {
                let next = match trace {
                    None => 0,
                    Some(_) if action == TAU => done,
                    Some(trace) if trace.get(done) == Some(action) => done + 1,
                    Some(_) => continue,
                };
                if seen.insert((left, right, next)) {
                    open.push((left, right, next));
                }
            }
            if seen.len() > limit {
                return None;
            }
        }
        Some(false)
    }
}
