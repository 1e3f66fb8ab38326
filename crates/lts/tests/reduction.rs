//! Reduced systems have the same traces, alone and composed, on random systems.

mod support;

use lariat_base::Budget;
use lariat_lts::inclusion::ViolationReason;
use lariat_lts::language::path_with_trace;
use lariat_lts::reduction::reduce;
use lariat_lts::{
    ActionGuided, ActionId, ActionTable, Alphabet, Composition, Inclusion, Lts, PathGoal, Process,
    trace_inclusion,
};
use support::*;

fn reduced(lts: &Lts, kept: &Alphabet) -> Lts {
    reduce(lts, kept, &Budget::unlimited()).expect("no limit")
}

fn hidden(lts: &Lts, kept: &Alphabet) -> Lts {
    lts.map_actions(|action| match kept.contains(action) {
        true => vec![action],
        false => Vec::new(),
    })
}

#[test]
fn the_same_traces_with_the_fewest_states() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c d");
    let mut smaller = 0;
    for seed in 0..1500 {
        let mut numbers = Random::new(seed);
        let count = 2 + numbers.below(9);
        let lts = random_system(&mut numbers, count, &alphabet, 3);
        let kept: Alphabet = alphabet[..1 + numbers.below(4)].iter().copied().collect();
        let small = reduced(&lts, &kept);
        assert!(same_language(&small, &hidden(&lts, &kept)), "seed {seed}");
        assert!(small.triples().all(|(_, action, _)| kept.contains(action)));
        let is_deterministic = |state| small.export(state).len() == small.transitions(state).len();
        assert!(small.states().all(is_deterministic), "seed {seed}");
        let mut quotient = ActionGuided::new(small.clone());
        quotient.refine_fully(&Budget::unlimited()).expect("no limit");
        assert_eq!(quotient.state_count(), small.state_count(), "seed {seed}");
        smaller += usize::from(small.state_count() < lts.reachable().state_count());
    }
    assert!(smaller > 700, "{smaller}");
}

fn violated(parts: &[Lts], specification: &Lts) -> Option<(Vec<ActionId>, bool)> {
    let processes = parts
        .iter()
        .map(|part| Box::new(part) as Box<dyn Process>)
        .collect();
    let mut composition = Composition::new(processes);
    let found = controlled(|control| trace_inclusion(&mut composition, specification, control));
    match found.expect("no limit") {
        Inclusion::Holds { .. } => None,
        Inclusion::Violated { violation, .. } => {
            // With no step at all, it is an error if it is not the specification's own.
            let is_error =
                violation.reason != ViolationReason::AtStart || specification.alphabet().is_empty();
            let is_refused = matches!(violation.reason, ViolationReason::Refused { .. });
            Some((violation.trace(), is_error && !is_refused))
        }
    }
}

/// What conformance of a composition is decided on, `ERROR` of components included.
#[test]
fn compositions_of_reduced_systems_conform_iff_those_of_the_systems_do() {
    let mut actions = ActionTable::new();
    let all = names(&mut actions, "a b c d e");
    let mut counts = [0, 0, 0];
    for seed in 0..2000 {
        let mut numbers = Random::new(seed);
        let mut parts = Vec::new();
        for _ in 0..2 + numbers.below(2) {
            let own: Vec<ActionId> = all.iter().copied().filter(|_| !numbers.one_in(3)).collect();
            let own = if own.is_empty() { vec![all[0]] } else { own };
            let states = 2 + numbers.below(5);
            parts.push(match numbers.one_in(2) {
                true => with_errors(&mut numbers, states, &own),
                false => random_system(&mut numbers, states, &own, 3),
            });
        }
        let observed: Vec<ActionId> = all[..1 + numbers.below(3)].to_vec();
        let states = 1 + numbers.below(3);
        let mut triples = random_triples(&mut numbers, states, &observed, 6);
        triples.extend((0..states).map(|state| (state, observed[numbers.below(observed.len())], state)));
        triples.extend(observed.iter().map(|&action| (0, action, numbers.below(states))));
        let specification = system(states, &triples, observed);
        let kept: Vec<Alphabet> = (0..parts.len())
            .map(|index| {
                let others = parts.iter().enumerate().filter(|&(other, _)| other != index);
                let others = others.flat_map(|(_, part)| part.alphabet().iter());
                let seen: Alphabet = others.chain(specification.alphabet().iter()).collect();
                let own = parts[index].alphabet().iter();
                own.filter(|&action| seen.contains(action)).collect()
            })
            .collect();
        let small: Vec<Lts> = parts
            .iter()
            .zip(&kept)
            .map(|(part, kept)| reduced(part, kept))
            .collect();
        let (full, found) = (violated(&parts, &specification), violated(&small, &specification));
        assert_eq!(full.is_some(), found.is_some(), "seed {seed}");
        let Some((trace, is_error)) = found else {
            counts[0] += 1;
            continue;
        };
        counts[1 + usize::from(is_error)] += 1;
        // Every component has it, and one of them gets to its error.
        let path = |(part, kept): (&Lts, &Alphabet), goal| {
            let silent = |action: ActionId| !kept.contains(action);
            path_with_trace(&mut &*part, &kept.project(&trace), goal, silent).expect("no limit")
        };
        let each = || parts.iter().zip(&kept);
        assert!(
            each().all(|part| path(part, PathGoal::Anywhere).is_some()),
            "seed {seed}"
        );
        let errs = each().any(|part| path(part, PathGoal::Error).is_some());
        assert!(errs || !is_error, "seed {seed}");
    }
    assert!(counts.iter().all(|&count| count > 80), "{counts:?}");
}
