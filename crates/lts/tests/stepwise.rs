//! Compositions that are made step by step allow what compositions that are made at once allow.

mod support;

use lariat_base::Budget;
use lariat_lts::inclusion::ViolationReason;
use lariat_lts::language::{accepts, path_with_trace};
use lariat_lts::stepwise::{StepwiseInclusion, stepwise_inclusion};
use lariat_lts::{ActionId, ActionTable, Inclusion, Lts, PathGoal};
use support::*;

fn stepwise(systems: &[&Lts], specification: &Lts) -> StepwiseInclusion {
    stepwise_inclusion(systems, specification, 1_000_000, &Budget::unlimited()).expect("no limit")
}

/// Random systems over a few of the actions each, some with errors, against a random specification. A trace that is
/// found is one of every system, and the specification refuses it.
#[test]
fn step_by_step_and_at_once_agree() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c d e f g");
    let (mut held, mut refused, mut errors, mut expanded) = (0, 0, 0, 0);
    for seed in 0..3000 {
        let mut numbers = Random::new(seed);
        let count = 1 + numbers.below(4);
        let parts: Vec<Lts> = (0..count)
            .map(|_| {
                let own: Vec<ActionId> = alphabet.iter().copied().filter(|_| numbers.one_in(2)).collect();
                let own = if own.is_empty() { vec![alphabet[0]] } else { own };
                let states = 2 + numbers.below(5);
                match numbers.one_in(4) {
                    true => with_errors(&mut numbers, states, &own),
                    false => random_system(&mut numbers, states, &own, 4),
                }
            })
            .collect();
        let parts: Vec<&Lts> = parts.iter().collect();
        let observed = 2 + numbers.below(3);
        let states = 1 + numbers.below(4);
        let mut specification = random_system(&mut numbers, states, &alphabet[..observed], 5);
        if numbers.one_in(2) {
            // Actions that it cannot tell apart.
            let (first, second) = (alphabet[0], alphabet[1]);
            specification = specification.map_actions(|action| match action == first || action == second {
                true => vec![first, second],
                false => vec![action],
            });
        }
        let whole = compose(&parts);
        let expected = included(&whole, &specification);
        match stepwise(&parts, &specification) {
            StepwiseInclusion::Holds { .. } => {
                assert!(expected.holds(), "seed {seed}: {expected:?}");
                held += 1;
            }
            StepwiseInclusion::Violated {
                trace,
                reason,
                error_in,
                ..
            } => {
                assert!(!expected.holds(), "seed {seed}: {:?}", actions.names(&trace));
                for (number, part) in parts.iter().enumerate() {
                    let goal = match error_in == Some(number) {
                        true => PathGoal::Error,
                        false => PathGoal::Anywhere,
                    };
                    let own = part.alphabet().project(&trace);
                    let path = path_with_trace(&mut &**part, &own, goal, ActionId::is_tau).expect("no limit");
                    assert!(
                        path.is_some(),
                        "seed {seed}: {:?} of {number}",
                        actions.names(&trace)
                    );
                }
                match reason {
                    ViolationReason::Refused { allowed } => {
                        let observed = specification.alphabet().project(&trace);
                        assert!(!accepts(&specification, &observed), "seed {seed}");
                        let before = &observed[..observed.len() - 1];
                        for action in specification.alphabet().iter() {
                            let next = [before, &[action]].concat();
                            let is_allowed = allowed.contains(&action);
                            assert_eq!(accepts(&specification, &next), is_allowed, "seed {seed}");
                        }
                        refused += 1;
                    }
                    ViolationReason::ErrorState | ViolationReason::AtStart => {
                        assert!(error_in.is_some(), "seed {seed}");
                        errors += 1;
                    }
                }
                expanded += usize::from(count > 2);
            }
        }
    }
    assert!(
        held > 500 && refused > 500 && errors > 50 && expanded > 300,
        "{held} {refused} {errors} {expanded}"
    );
}

/// All of them together have more than 5^16 states.
#[test]
fn many_participants_of_a_commit() {
    let count = 16;
    let mut actions = ActionTable::new();
    let text = format!(
        "const N = {count}
        range I = 0..N-1
        P = (yes -> (commit -> committed -> STOP | abort -> aborted -> STOP) | no -> abort -> aborted -> STOP).
        ||PS = (forall[i:I] p[i]:P).
        VOTES = V[0][1],
        V[i:0..N][ok:0..1] = (when (i < N) p[i].yes -> V[i+1][ok] | when (i < N) p[i].no -> V[i+1][0]
            | when (i == N) decide -> D[0][ok]),
        D[i:0..N][ok:0..1] = (when (i < N && ok == 1) p[i].commit -> D[i+1][ok]
            | when (i < N && ok == 0) p[i].abort -> D[i+1][ok] | when (i == N) end -> STOP).
        AGREE = (p[I].committed -> YES | p[I].aborted -> NO), YES = (p[I].committed -> YES), NO = (p[I].aborted -> NO).
        NEVER = (p[I].aborted -> NEVER) + {{p[I].committed}}."
    );
    let coordinator = fsp(&text, "VOTES", &mut actions);
    let participants: Vec<Lts> = (0..count)
        .map(|number| {
            let own = text.replace(
                "||PS = (forall[i:I] p[i]:P).",
                &format!("||PS = (p[{number}]:P)."),
            );
            fsp(&own, "PS", &mut actions)
        })
        .collect();
    let mut all: Vec<&Lts> = participants.iter().collect();
    all.push(&coordinator);
    let agree = stepwise(&all, &fsp(&text, "AGREE", &mut actions));
    assert!(
        matches!(agree, StepwiseInclusion::Holds { states } if states < 20_000),
        "{agree:?}"
    );
    let StepwiseInclusion::Violated { trace, .. } = stepwise(&all, &fsp(&text, "NEVER", &mut actions)) else {
        panic!("everybody can commit");
    };
    let names = actions.names(&trace);
    assert_eq!(names.iter().filter(|name| name.ends_with(".yes")).count(), count);
    assert!(names.last().is_some_and(|name| name.ends_with(".committed")));
}

#[test]
fn one_system_is_what_it_is() {
    let mut actions = ActionTable::new();
    let text = "A = (a -> b -> A). S = (a -> S) + {b}.";
    let (system, specification) = (fsp(text, "A", &mut actions), fsp(text, "S", &mut actions));
    let StepwiseInclusion::Violated { trace, reason, .. } = stepwise(&[&system], &specification) else {
        panic!("b is not allowed");
    };
    assert_eq!(actions.names(&trace), ["a", "b"]);
    let Inclusion::Violated { violation, .. } = included(&system, &specification) else {
        panic!("b is not allowed");
    };
    assert_eq!(reason, violation.reason);
}
