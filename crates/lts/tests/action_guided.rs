//! Action-guided abstraction ([Magic04] §7, §8) on random systems.

mod support;

use std::collections::BTreeSet;

use lariat_base::Budget;
use lariat_lts::language::{accepts, path_with_trace};
use lariat_lts::process::trace_of;
use lariat_lts::{
    ActionGuided, ActionId, ActionTable, Lts, PathGoal, Process, Refinement, StateId, Transition,
};
use support::*;

/// The abstract transitions that the partition defines, computed anew.
fn existential(abstraction: &ActionGuided) -> BTreeSet<(StateId, ActionId, StateId)> {
    abstraction
        .concrete()
        .triples()
        .map(|(source, action, target)| {
            (
                abstraction.abstract_of(source),
                action,
                abstraction.abstract_of(target),
            )
        })
        .collect()
}

fn kept(abstraction: &ActionGuided) -> BTreeSet<(StateId, ActionId, StateId)> {
    let mut all = BTreeSet::new();
    for state in abstraction.concrete().states() {
        let source = abstraction.abstract_of(state);
        assert!(abstraction.members(source).contains(&state));
        let mut transitions: Vec<Transition> = Vec::new();
        (&mut &*abstraction)
            .successors(source, &mut transitions)
            .expect("no limit");
        all.extend(
            transitions
                .iter()
                .map(|transition| (source, transition.action, transition.target)),
        );
    }
    all
}

/// The number of classes of the coarsest bisimulation that also respects kinds of states.
fn bisimulation_classes(lts: &Lts) -> usize {
    let mut class: Vec<usize> = lts.states().map(|state| lts.kind(state) as usize).collect();
    let mut count = 0;
    loop {
        let mut numbers = std::collections::BTreeMap::new();
        let next: Vec<usize> = lts
            .states()
            .map(|state| {
                let moves: BTreeSet<(ActionId, usize)> = lts
                    .transitions(state)
                    .iter()
                    .map(|transition| (transition.action, class[index(transition.target)]))
                    .collect();
                let fresh = numbers.len();
                *numbers.entry((class[index(state)], moves)).or_insert(fresh)
            })
            .collect();
        class = next;
        if numbers.len() == count {
            return count;
        }
        count = numbers.len();
    }
}

fn index(state: StateId) -> usize {
    cranelift_entity::EntityRef::index(state)
}

#[test]
fn states_with_the_same_enabled_actions_start_together() {
    let mut actions = ActionTable::new();
    let [a, b] = names(&mut actions, "a b")[..] else {
        unreachable!()
    };
    let lts = system(5, &[(0, a, 1), (1, a, 2), (2, b, 3), (3, a, 4)], []);
    let abstraction = ActionGuided::new(lts);
    // {0, 1, 3} do a, {2} does b, {4} has stopped.
    assert_eq!(abstraction.state_count(), 3);
    let quotient = abstraction.quotient().expect("no limit");
    assert!(accepts(&quotient, &[a, a, a, b, a, a]));
    assert_eq!(quotient.transition_count(), 4);
    assert_eq!(existential(&abstraction), kept(&abstraction));
}

#[test]
fn a_spurious_trace_is_eliminated_by_splitting() {
    let mut actions = ActionTable::new();
    let [a, b] = names(&mut actions, "a b")[..] else {
        unreachable!()
    };
    let lts = system(5, &[(0, a, 1), (1, a, 2), (2, b, 3), (3, a, 4)], []);
    let mut abstraction = ActionGuided::new(lts);
    let budget = Budget::unlimited();
    let other = actions.named("not-mine");
    let refinement = abstraction.refine(&[a, other, b], PathGoal::Anywhere, &budget);
    assert!(matches!(refinement, Ok(Refinement::Eliminated { split }) if !split.is_empty()));
    assert!(!accepts(&abstraction.quotient().expect("no limit"), &[a, b]));
    let Ok(Refinement::Feasible(path)) = abstraction.refine(&[a, a, b], PathGoal::Anywhere, &budget) else {
        panic!("a a b is a trace")
    };
    assert_eq!(trace_of(&path), [a, a, b]);
    assert_eq!(
        abstraction.refine(&[b], PathGoal::Anywhere, &budget),
        Ok(Refinement::Eliminated { split: Vec::new() })
    );
}

#[test]
fn random_refinements_keep_the_abstraction_sound_and_local_changes_exact() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b");
    let budget = Budget::unlimited();
    let mut splits_done = 0;
    for seed in 0..300 {
        let mut numbers = Random::new(seed);
        let states = 6 + numbers.below(12);
        let lts = random_system(&mut numbers, states, &alphabet, 5);
        let mut abstraction = ActionGuided::new(lts.clone());
        let mut before = abstraction.quotient().expect("no limit");
        assert!(included(&lts, &before).holds());
        for trace in all_traces(&alphabet, 4) {
            let refinement = abstraction
                .refine(&trace, PathGoal::Anywhere, &budget)
                .expect("no limit");
            assert_eq!(existential(&abstraction), kept(&abstraction), "seed {seed}");
            match refinement {
                Refinement::Feasible(path) => assert_eq!(trace_of(&path), trace),
                Refinement::Eliminated { split } => {
                    splits_done += split.len();
                    assert_eq!(
                        path_with_trace(&mut &abstraction, &trace, PathGoal::Anywhere, ActionId::is_tau),
                        Ok(None)
                    );
                    let after = abstraction.quotient().expect("no limit");
                    assert!(included(&lts, &after).holds() && included(&after, &before).holds());
                    before = after;
                }
            }
        }
    }
    assert!(splits_done > 200, "{splits_done}");
}

#[test]
fn splitting_converges_to_the_bisimulation_quotient() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c");
    let budget = Budget::unlimited();
    for seed in 0..300 {
        let mut numbers = Random::new(seed);
        let lts = random_system(&mut numbers, 12, &alphabet, 6);
        let mut abstraction = ActionGuided::new(lts.clone());
        abstraction.refine_fully(&budget).expect("no limit");
        assert_eq!(
            abstraction.state_count(),
            bisimulation_classes(&lts),
            "seed {seed}"
        );
        assert_eq!(existential(&abstraction), kept(&abstraction));
        let quotient = abstraction.quotient().expect("no limit");
        assert!(same_language(&lts, &quotient), "seed {seed}");
        // An abstraction that starts from this partition has it already.
        let again = ActionGuided::within(lts, |state| index(abstraction.abstract_of(state)));
        assert_eq!(again.state_count(), abstraction.state_count());
    }
}

#[test]
fn counterexamples_alone_lead_to_the_language() {
    // The loop of Fig. 1 without predicates: check, refine, check again.
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b");
    let budget = Budget::unlimited();
    let (mut smaller, mut verdicts) = (0, [0, 0]);
    for seed in 0..400 {
        let mut numbers = Random::new(seed);
        let lts = random_system(&mut numbers, 10, &alphabet, 6).reachable();
        let spec = random_system(&mut numbers, 6, &alphabet, 3);
        let mut abstraction = ActionGuided::new(lts.clone());
        let verdict = loop {
            let abstract_lts = abstraction.quotient().expect("no limit");
            let inclusion = included(&abstract_lts, &spec);
            let Some(violation) = inclusion.violation() else {
                break true;
            };
            match abstraction.refine(&violation.trace(), PathGoal::Anywhere, &budget) {
                Ok(Refinement::Feasible(_)) => break false,
                Ok(Refinement::Eliminated { split }) => assert!(!split.is_empty()),
                Err(stopped) => panic!("{stopped}"),
            }
        };
        assert_eq!(verdict, included(&lts, &spec).holds(), "seed {seed}");
        verdicts[usize::from(verdict)] += 1;
        smaller += usize::from(abstraction.state_count() < lts.state_count());
    }
    assert!(
        smaller > 100 && verdicts.iter().all(|&count| count > 10),
        "{smaller} {verdicts:?}"
    );
}
