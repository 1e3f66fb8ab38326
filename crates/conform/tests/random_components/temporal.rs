//! Temporal formulas, and whether a system has an execution without one: by guessing at each position which of its parts
//! hold, and checking the guesses against the next position. Nothing here uses the library under test.

use std::collections::{BTreeMap, BTreeSet};

use crate::systems::{Random, System, TAU};

#[derive(Clone, Debug)]
pub enum Formula {
    Action(String),
    /// The number of a fluent.
    Fluent(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
}

#[derive(Clone, Debug)]
pub struct Fluent {
    pub initiating: String,
    pub terminating: String,
    pub initially: bool,
}

pub fn random_fluents(numbers: &mut Random, actions: &[String]) -> Vec<Fluent> {
    let Some(initiating) = actions.get(numbers.below(actions.len().max(1))) else {
        return Vec::new();
    };
    let others: Vec<&String> = actions.iter().filter(|action| *action != initiating).collect();
    match others.get(numbers.below(others.len().max(1))) {
        Some(&terminating) => vec![Fluent {
            initiating: initiating.clone(),
            terminating: terminating.clone(),
            initially: numbers.one_in(3),
        }],
        None => Vec::new(),
    }
}

impl Formula {
    /// `temporal`: how many temporal operators it may have.
    pub fn random(
        numbers: &mut Random,
        actions: &[String],
        fluents: &[Fluent],
        depth: usize,
        temporal: &mut usize,
    ) -> Formula {
        let one = |numbers: &mut Random, temporal: &mut usize| {
            Box::new(Formula::random(
                numbers,
                actions,
                fluents,
                depth.saturating_sub(1),
                temporal,
            ))
        };
        let choice = match depth {
            0 => numbers.below(2),
            _ => numbers.below(10),
        };
        if choice >= 5 && *temporal > 0 {
            *temporal -= 1;
            return match choice {
                5 => Formula::Next(one(numbers, temporal)),
                6 => Formula::Until(one(numbers, temporal), one(numbers, temporal)),
                7 | 8 => Formula::Always(one(numbers, temporal)),
                _ => Formula::Eventually(one(numbers, temporal)),
            };
        }
        match choice {
            0 if !fluents.is_empty() => Formula::Fluent(numbers.below(fluents.len())),
            2 => Formula::Not(one(numbers, temporal)),
            3 => Formula::And(one(numbers, temporal), one(numbers, temporal)),
            4 => Formula::Or(one(numbers, temporal), one(numbers, temporal)),
            _ => Formula::Action(actions[numbers.below(actions.len())].clone()),
        }
    }

    /// Combinations of `[]<> a`: under fairness they depend only on which actions are repeated for ever.
    pub fn random_fair(numbers: &mut Random, actions: &[String]) -> Formula {
        let again = |numbers: &mut Random| {
            let action = Formula::Action(actions[numbers.below(actions.len())].clone());
            Box::new(Formula::Always(Box::new(Formula::Eventually(Box::new(action)))))
        };
        match numbers.below(4) {
            0 => Formula::Or(Box::new(Formula::Not(again(numbers))), again(numbers)),
            1 => Formula::And(again(numbers), again(numbers)),
            2 => Formula::Or(again(numbers), again(numbers)),
            _ => *again(numbers),
        }
    }

    pub fn text(&self) -> String {
        match self {
            Formula::Action(name) => name.clone(),
            Formula::Fluent(number) => format!("F{number}"),
            Formula::Not(one) => format!("!{}", one.text()),
            Formula::And(one, other) => format!("({} && {})", one.text(), other.text()),
            Formula::Or(one, other) => format!("({} || {})", one.text(), other.text()),
            Formula::Next(one) => format!("X {}", one.text()),
            Formula::Until(one, other) => format!("({} U {})", one.text(), other.text()),
            Formula::Always(one) => format!("[] {}", one.text()),
            Formula::Eventually(one) => format!("<> {}", one.text()),
        }
    }
}

/// Parts of a formula, the smaller ones first. What is always or eventually is said with until.
enum Part {
    True,
    Action(String),
    Fluent(usize),
    Not(usize),
    And(usize, usize),
    Next(usize, usize),
    Until(usize, usize, usize),
}

/// The number of a part; `guesses` counts the parts that say something about the next position.
fn parts(formula: &Formula, into: &mut Vec<Part>, guesses: &mut usize) -> usize {
    let mut guess = || {
        *guesses += 1;
        *guesses - 1
    };
    let part = match formula {
        Formula::Action(name) => Part::Action(name.clone()),
        Formula::Fluent(number) => Part::Fluent(*number),
        Formula::Not(one) => Part::Not(parts(one, into, guesses)),
        Formula::And(one, other) => Part::And(parts(one, into, guesses), parts(other, into, guesses)),
        Formula::Or(one, other) => {
            let (one, other) = (parts(one, into, guesses), parts(other, into, guesses));
            into.extend([Part::Not(one), Part::Not(other)]);
            into.push(Part::And(into.len() - 2, into.len() - 1));
            Part::Not(into.len() - 1)
        }
        Formula::Next(one) => {
            let own = guess();
            Part::Next(parts(one, into, guesses), own)
        }
        Formula::Until(one, other) => {
            let own = guess();
            Part::Until(parts(one, into, guesses), parts(other, into, guesses), own)
        }
        Formula::Eventually(one) => {
            let own = guess();
            into.push(Part::True);
            let always = into.len() - 1;
            Part::Until(always, parts(one, into, guesses), own)
        }
        Formula::Always(one) => {
            let own = guess();
            into.push(Part::True);
            let always = into.len() - 1;
            let one = parts(one, into, guesses);
            into.push(Part::Not(one));
            into.push(Part::Until(always, into.len() - 1, own));
            Part::Not(into.len() - 1)
        }
    };
    into.push(part);
    into.len() - 1
}

/// A state of the system (`None` after its end), the fluents, and the values of all parts at the last position (none before the
/// first).
type Node = (Option<usize>, Vec<bool>, Option<(Vec<bool>, usize)>);

/// A state of the system and the number of one of its steps.
type Step = (usize, usize);

/// A target, whether it is a position, and the step of the system.
type Edge = (usize, bool, Option<Step>);

/// Whether some execution does not have the property; `None` if there are too many states.
pub fn is_violated(
    system: &System,
    formula: &Formula,
    fluents: &[Fluent],
    is_fair: bool,
    limit: usize,
) -> Option<bool> {
    let (mut all, mut guesses) = (Vec::new(), 0);
    let whole = parts(formula, &mut all, &mut guesses);
    let evaluate = |action: Option<&str>, fluents: &[bool], guessed: usize| -> Vec<bool> {
        let mut values: Vec<bool> = Vec::new();
        for part in &all {
            let guess = |number: &usize| guessed >> number & 1 == 1;
            values.push(match part {
                Part::True => true,
                Part::Action(name) => action == Some(name.as_str()),
                Part::Fluent(number) => fluents[*number],
                Part::Not(one) => !values[*one],
                Part::And(one, other) => values[*one] && values[*other],
                Part::Next(_, own) => guess(own),
                Part::Until(one, other, own) => values[*other] || (values[*one] && guess(own)),
            });
        }
        values
    };
    let (reaches, terminal) = (reachability(system), terminal_states(system));
    let may_end = |state: usize| {
        let is_silent_cycle = silent_cycle(system, state);
        let is_fair_end = terminal[state]
            && (0..system.steps.len())
                .filter(|&other| reaches[state].contains(&other))
                .all(|other| system.steps[other].iter().all(|(action, _)| action == TAU));
        system.steps[state].is_empty() || (is_silent_cycle && (!is_fair || is_fair_end))
    };
    let initially = fluents.iter().map(|fluent| fluent.initially).collect();
    let start: Node = (Some(system.initial), initially, None);
    let mut numbers: BTreeMap<Node, usize> = BTreeMap::from([(start.clone(), 0)]);
    let mut order = vec![start];
    // Target, whether it is a position, the step of the system.
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while let Some(node) = order.get(edges.len()).cloned() {
        let (state, now, last) = &node;
        let mut steps: Vec<(Option<String>, Option<usize>, Option<Step>)> = Vec::new();
        match state {
            None => steps.push((None, None, None)),
            Some(state) => {
                for (index, (action, target)) in system.steps[*state].iter().enumerate() {
                    steps.push((Some(action.clone()), Some(*target), Some((*state, index))));
                }
                if may_end(*state) {
                    steps.push((None, None, None));
                }
            }
        }
        let mut own = Vec::new();
        let mut go = |next: Node, is_position: bool, step| {
            let number = *numbers.entry(next.clone()).or_insert_with(|| {
                order.push(next);
                order.len() - 1
            });
            own.push((number, is_position, step));
        };
        for (action, target, step) in steps {
            if action.as_deref() == Some(TAU) {
                go((target, now.clone(), last.clone()), false, step);
                continue;
            }
            let after: Vec<bool> = fluents
                .iter()
                .zip(now)
                .map(|(fluent, &before)| match action.as_ref() {
                    Some(action) if *action == fluent.initiating => true,
                    Some(action) if *action == fluent.terminating => false,
                    _ => before,
                })
                .collect();
            for guessed in 0..1 << guesses {
                let values = evaluate(action.as_deref(), &after, guessed);
                let is_consistent = match last {
                    None => !values[whole],
                    Some((_, before)) => all.iter().enumerate().all(|(number, part)| match part {
                        Part::Next(one, own) => (before >> own & 1 == 1) == values[*one],
                        Part::Until(_, _, own) => (before >> own & 1 == 1) == values[number],
                        _ => true,
                    }),
                };
                if is_consistent {
                    go((target, after.clone(), Some((values, guessed))), true, step);
                }
            }
        }
        edges.push(own);
        if order.len() > limit {
            return None;
        }
    }
    // A node on a cycle with everything that must happen again and again.
    let graph: Vec<Vec<usize>> = edges
        .iter()
        .map(|own| own.iter().map(|&(target, ..)| target).collect())
        .collect();
    let mut done: BTreeSet<usize> = BTreeSet::new();
    for node in 0..order.len() {
        if done.contains(&node) {
            continue;
        }
        let forward = closure(&graph, node);
        let around: BTreeSet<usize> = forward
            .into_iter()
            .filter(|&other| other == node || closure(&graph, other).contains(&node))
            .collect();
        done.extend(&around);
        let inside = || {
            let own = around.iter().flat_map(|&node| &edges[node]);
            own.filter(|(target, ..)| around.contains(target))
        };
        let is_kept = all.iter().enumerate().all(|(number, part)| match part {
            Part::Until(_, other, _) => inside().any(|(target, is_position, _)| {
                let values = order[*target].2.as_ref();
                *is_position && values.is_some_and(|(values, _)| !values[number] || values[*other])
            }),
            _ => true,
        });
        let is_fair_cycle = match (is_fair, order[node].0) {
            (true, Some(state)) => {
                let taken: BTreeSet<(usize, usize)> = inside().filter_map(|&(_, _, step)| step).collect();
                let own: usize = reaches[state]
                    .iter()
                    .map(|&state| system.steps[state].len())
                    .sum();
                terminal[state] && taken.len() == own
            }
            _ => true,
        };
        if inside().any(|&(_, is_position, _)| is_position) && is_kept && is_fair_cycle {
            return Some(true);
        }
    }
    Some(false)
}

/// What can be reached from a node, itself included.
fn closure(graph: &[Vec<usize>], node: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::from([node]);
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        for &target in &graph[node] {
            if seen.insert(target) {
                open.push(target);
            }
        }
    }
    seen
}

fn reachability(system: &System) -> Vec<BTreeSet<usize>> {
    let graph: Vec<Vec<usize>> = system
        .steps
        .iter()
        .map(|steps| steps.iter().map(|&(_, target)| target).collect())
        .collect();
    (0..graph.len()).map(|state| closure(&graph, state)).collect()
}

/// States that everything reachable from them can get back to.
fn terminal_states(system: &System) -> Vec<bool> {
    let reaches = reachability(system);
    let is_terminal = |state: usize| {
        reaches[state]
            .iter()
            .all(|&other| reaches[other].contains(&state))
    };
    (0..system.steps.len()).map(is_terminal).collect()
}

fn silent_cycle(system: &System, state: usize) -> bool {
    let silent: Vec<Vec<usize>> = system
        .steps
        .iter()
        .map(|steps| {
            let own = steps.iter().filter(|(action, _)| action == TAU);
            own.map(|&(_, target)| target).collect()
        })
        .collect();
    silent[state]
        .iter()
        .any(|&next| closure(&silent, next).contains(&state))
}
