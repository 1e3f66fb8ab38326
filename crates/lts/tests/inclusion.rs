//! Trace inclusion against a subset construction that is as simple as it can be.

mod support;

use std::collections::BTreeSet;

use lariat_base::Budget;
use lariat_lts::determinise::{determinise, property};
use lariat_lts::inclusion::ViolationReason;
use lariat_lts::language::accepts;
use lariat_lts::{
    ActionTable, Composition, Inclusion, Lts, Process, SearchControl, StateId, Stopped, trace_inclusion,
};
use support::*;

fn closure(lts: &Lts, states: BTreeSet<StateId>) -> BTreeSet<StateId> {
    let mut closed = states;
    loop {
        let more: BTreeSet<StateId> = closed
            .iter()
            .flat_map(|&state| lts.succ(state, ActionTable::TAU))
            .collect();
        if more.is_subset(&closed) {
            return closed;
        }
        closed.extend(more);
    }
}

/// The length of a shortest violation, by following all pairs of τ-closed sets level by level.
fn naive_violation(implementation: &Lts, specification: &Lts) -> Option<usize> {
    let start = (
        closure(implementation, [implementation.initial()].into()),
        closure(specification, [specification.initial()].into()),
    );
    let mut level = BTreeSet::from([start.clone()]);
    let mut seen = BTreeSet::from([start]);
    for length in 1.. {
        let mut next = BTreeSet::new();
        for (states, sets) in &level {
            for action in implementation.alphabet().iter() {
                let step = |lts: &Lts, from: &BTreeSet<StateId>| {
                    let targets = from.iter().flat_map(|&state| lts.succ(state, action)).collect();
                    closure(lts, targets)
                };
                let targets = step(implementation, states);
                if targets.is_empty() {
                    continue;
                }
                let allowed = match specification.alphabet().contains(action) {
                    true => step(specification, sets),
                    false => sets.clone(),
                };
                if allowed.is_empty() {
                    return Some(length);
                }
                next.insert((targets, allowed));
            }
        }
        level = next
            .into_iter()
            .filter(|pair| seen.insert(pair.clone()))
            .collect();
        if level.is_empty() {
            return None;
        }
    }
    None
}

#[test]
fn random_systems_agree_with_the_naive_construction() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c");
    let mut counts = [0, 0];
    for seed in 0..3000 {
        let mut numbers = Random::new(seed);
        let states = 2 + numbers.below(5);
        let implementation = random_system(&mut numbers, states, &alphabet, 4);
        // A specification with few actions is often violated; one that grew from the
        // implementation is not.
        let observed = 1 + numbers.below(3);
        let specification = match numbers.one_in(2) {
            true => random_system(&mut numbers, 6, &alphabet[..observed], 3),
            false => {
                let mut triples: Vec<_> = implementation
                    .triples()
                    .map(|(source, action, target)| (index(source), action, index(target)))
                    .collect();
                triples.extend(random_triples(&mut numbers, states + 2, &alphabet, 5));
                if numbers.one_in(2) {
                    triples.remove(numbers.below(triples.len()));
                }
                system(states + 2, &triples, alphabet.iter().copied())
            }
        };
        let expected = naive_violation(&implementation, &specification);
        let found = included(&implementation, &specification);
        let length = found.violation().map(|violation| violation.trace().len());
        assert_eq!(length, expected, "seed {seed}");
        counts[usize::from(found.holds())] += 1;
        if let Some(violation) = found.violation() {
            let trace = violation.trace();
            assert!(accepts(&implementation, &trace));
            assert!(!accepts(
                &specification,
                &specification.alphabet().project(&trace)
            ));
            let ViolationReason::Refused { allowed } = &violation.reason else {
                panic!("there is no ERROR state")
            };
            for &action in allowed {
                let mut other = trace[..trace.len() - 1].to_vec();
                other.push(action);
                assert!(accepts(&specification, &specification.alphabet().project(&other)));
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

fn index(state: StateId) -> usize {
    cranelift_entity::EntityRef::index(state)
}

#[test]
fn determinisation_and_properties_keep_the_language() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c");
    for seed in 0..300 {
        let mut numbers = Random::new(seed);
        let lts = random_system(&mut numbers, 5, &alphabet, 3);
        let deterministic = controlled(|control| determinise(&lts, control)).expect("no limit");
        assert!(same_language(&lts, &deterministic), "seed {seed}");
        for (state, action, _) in deterministic.triples() {
            assert!(!action.is_tau() && deterministic.succ(state, action).count() == 1);
        }
        let property = controlled(|control| property(&lts, control)).expect("no limit");
        let other = random_system(&mut numbers, 5, &alphabet, 3);
        let by_inclusion = included(&other, &lts);
        // The two ways to ask: the property as the specification, and as a component.
        assert_eq!(by_inclusion.holds(), included(&other, &property).holds());
        let chaos = system(
            1,
            &alphabet.iter().map(|&action| (0, action, 0)).collect::<Vec<_>>(),
            [],
        );
        let observed = included(&compose(&[&other, &property]), &chaos);
        assert_eq!(by_inclusion.holds(), observed.holds(), "seed {seed}");
        let length = |inclusion: &Inclusion| inclusion.violation().map(|violation| violation.trace().len());
        assert_eq!(length(&by_inclusion), length(&observed));
    }
}

#[test]
fn unobserved_actions_and_errors() {
    let mut actions = ActionTable::new();
    let text = "
        SERVER = (accept -> log -> reply -> SERVER | accept -> fail -> ERROR).
        SPEC = (accept -> reply -> SPEC).
        STRICT = (accept -> reply -> STRICT) + {log}.
    ";
    let server = fsp(text, "SERVER", &mut actions);
    let spec = fsp(text, "SPEC", &mut actions);
    let inclusion = included(&server, &spec);
    let violation = inclusion.violation().expect("ERROR is reached");
    assert_eq!(violation.reason, ViolationReason::ErrorState);
    assert_eq!(actions.names(&violation.trace()), ["accept", "fail"]);
    let strict = fsp(text, "STRICT", &mut actions);
    let inclusion = included(&server, &strict);
    let violation = inclusion.violation().expect("log is refused");
    assert_eq!(actions.names(&violation.trace()).len(), 2);
}

#[test]
fn subsumption_keeps_large_sets_out() {
    // The subsets of "the n-th letter from the end was a" are exponentially many; an
    // implementation that only ever says `a` needs few of them.
    let mut actions = ActionTable::new();
    let [a, b] = names(&mut actions, "a b")[..] else {
        unreachable!()
    };
    let n = 40;
    let mut triples = vec![(0, a, 0), (0, b, 0), (0, a, 1)];
    triples.extend((1..n).flat_map(|state| [(state, a, state + 1), (state, b, state + 1)]));
    let specification = system(n + 1, &triples, [a, b]);
    let implementation = system(2, &[(0, a, 0), (0, b, 1), (1, a, 0), (1, b, 1)], [a, b]);
    match included(&implementation, &specification) {
        Inclusion::Holds { pairs } => assert!(pairs < 100, "{pairs} pairs"),
        Inclusion::Violated { .. } => panic!("everything is allowed"),
    }
}

#[test]
fn limits_stop_the_search_and_progress_is_told() {
    let mut actions = ActionTable::new();
    let text = "
        COUNTER(N=30) = C[0], C[i:0..N] = (when (i < N) up -> C[i+1] | when (i > 0) down -> C[i-1]).
        ||MANY = forall[i:1..4] c[i]:COUNTER(8).
    ";
    let counter = fsp(text, "COUNTER", &mut actions);
    let renamed: Vec<Lts> = (0..4)
        .map(|index| counter.share(&[format!("p{index}")], &mut actions))
        .collect();
    let processes = || -> Vec<Box<dyn Process + '_>> {
        renamed
            .iter()
            .map(|lts| Box::new(lts) as Box<dyn Process>)
            .collect()
    };
    let nothing = system(1, &[], []);
    let budget = Budget::unlimited();
    let mut calls = 0;
    let mut tell = |_| calls += 1;
    let mut control = SearchControl::new(&budget, 10_000, &mut tell);
    let result = trace_inclusion(&mut Composition::new(processes()), &nothing, &mut control);
    assert_eq!(result, Err(Stopped::StateLimit(10_000)));
    assert!(calls >= 2);
    budget.interrupt();
    let mut silent = |_| {};
    let mut control = SearchControl::new(&budget, 10_000, &mut silent);
    let result = trace_inclusion(&mut Composition::new(processes()), &nothing, &mut control);
    assert!(matches!(result, Err(Stopped::Exhausted(_))));
    assert_eq!(fsp(text, "MANY", &mut actions).state_count(), 9_usize.pow(4));
}

/// Each state of a large specification is met once: sets take the space of their members, and pairs are found by them.
#[test]
fn a_large_specification_is_searched_in_a_pass() {
    const STATES: usize = 32_000;
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b");
    let ring: Vec<_> = (0..STATES)
        .map(|state| (state, alphabet[usize::from(state % 7 == 3)], (state + 1) % STATES))
        .collect();
    let ring = system(STATES, &ring, []);
    let free = system(1, &[(0, alphabet[0], 0), (0, alphabet[1], 0)], []);
    let budget = Budget::unlimited();
    let mut silent = |_| {};
    let mut control = SearchControl::new(&budget, usize::MAX, &mut silent);
    let found = trace_inclusion(&mut &ring, &ring, &mut control).expect("an answer");
    assert_eq!(found, Inclusion::Holds { pairs: STATES });
    let found = trace_inclusion(&mut &free, &ring, &mut control).expect("an answer");
    assert_eq!(found.violation().map(|violation| violation.path.len()), Some(1));
    // One state of the process, and all of the specification.
    let a = names(&mut actions, "a")[0];
    let only_a: Vec<_> = (0..STATES)
        .map(|state| (state, a, (state + 1) % STATES))
        .collect();
    let only_a = system(STATES, &only_a, []);
    let one = system(1, &[(0, a, 0)], []);
    let found = trace_inclusion(&mut &one, &only_a, &mut control).expect("an answer");
    assert_eq!(found, Inclusion::Holds { pairs: STATES });
}
