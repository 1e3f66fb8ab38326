//! A search that is continued after splits finds what a new one finds, with less work.

mod support;

use lariat_base::Budget;
use lariat_lts::language::accepts;
use lariat_lts::{
    ActionGuided, ActionId, ActionTable, Composition, Inclusion, InclusionSearch, PathGoal, Process,
    Refinement, StateId, Tuples, trace_inclusion,
};
use support::*;

fn composition(parts: &[ActionGuided], tuples: Tuples) -> Composition<'_> {
    let processes = parts
        .iter()
        .map(|part| Box::new(part) as Box<dyn Process>)
        .collect();
    Composition::with_tuples(processes, tuples)
}

fn length(inclusion: &Inclusion) -> Option<usize> {
    inclusion.violation().map(|violation| violation.trace().len())
}

/// Splits the components until the trace is eliminated; `None` if all of them have it.
fn refine(parts: &mut [ActionGuided], trace: &[ActionId]) -> Option<Vec<(usize, StateId)>> {
    let budget = Budget::unlimited();
    for (index, part) in parts.iter_mut().enumerate() {
        match part.refine(trace, PathGoal::Anywhere, &budget).expect("no limit") {
            Refinement::Feasible(_) => {}
            Refinement::Eliminated { split } => {
                return Some(split.into_iter().map(|state| (index, state)).collect());
            }
        }
    }
    None
}

#[test]
fn continued_searches_agree_with_new_ones() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c d");
    let (mut continued_work, mut new_work, mut rounds) = (0, 0, 0);
    let mut verdicts = [0, 0];
    for seed in 0..200 {
        let mut numbers = Random::new(seed);
        let systems = [&alphabet[..3], &alphabet[1..]].map(|own| {
            let mut triples = random_triples(&mut numbers, 14, own, 8);
            // A ring keeps most states reachable.
            triples.extend((0..14).map(|state| (state, own[state * state % 3], (state + 1) % 14)));
            system(14, &triples, own.iter().copied()).reachable()
        });
        let spec = match numbers.one_in(2) {
            true => random_system(&mut numbers, 8, &alphabet[..2], 3),
            false => compose(&[&systems[0], &systems[1]]),
        };
        let mut parts = systems.clone().map(ActionGuided::new);
        let mut search = InclusionSearch::new(&spec);
        let mut tuples = Tuples::default();
        let verdict = loop {
            rounds += 1;
            let mut process = composition(&parts, tuples);
            let continued = controlled(|control| search.run(&mut process, control)).expect("no limit");
            let mut fresh = InclusionSearch::new(&spec);
            let mut other = composition(&parts, Tuples::default());
            let anew = controlled(|control| fresh.run(&mut other, control)).expect("no limit");
            assert_eq!(length(&continued), length(&anew), "seed {seed}");
            let once = controlled(|control| trace_inclusion(&mut other, &spec, control)).expect("no limit");
            assert_eq!(once, anew, "seed {seed}");
            new_work += fresh.expansions();
            drop(other);
            tuples = process.into_tuples();
            let Some(violation) = continued.violation() else {
                break true;
            };
            let trace = violation.trace();
            assert!(!accepts(&spec, &spec.alphabet().project(&trace)));
            let Some(split) = refine(&mut parts, &trace) else {
                break false;
            };
            search.forget(|state| split.iter().any(|&(part, old)| tuples.get(state)[part] == old));
        };
        continued_work += search.expansions();
        let whole = compose(&[&systems[0], &systems[1]]);
        assert_eq!(verdict, included(&whole, &spec).holds(), "seed {seed}");
        verdicts[usize::from(verdict)] += 1;
    }
    assert!(
        rounds > 500 && verdicts.iter().all(|&count| count > 30),
        "{rounds} {verdicts:?}"
    );
    // Random systems are the hard case: their states are near to each other, so splits reach far.
    assert!(
        continued_work < new_work,
        "{continued_work} expansions against {new_work}"
    );
}

/// Others are as short as the first, different from it, and are found again by the next run.
#[test]
fn other_violations_are_as_short() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c");
    let mut count = 0;
    for seed in 0..200 {
        let mut numbers = Random::new(seed);
        let own = system(
            10,
            &random_triples(&mut numbers, 10, &alphabet, 25),
            alphabet.iter().copied(),
        );
        let spec = random_system(&mut numbers, 6, &alphabet, 3);
        let mut search = InclusionSearch::new(&spec);
        let first = controlled(|control| search.run(&mut &own, control)).expect("no limit");
        let Some(violation) = first.violation() else {
            continue;
        };
        let others = controlled(|control| search.others(&mut &own, control, 4)).expect("no limit");
        assert!(others.len() <= 4, "seed {seed}");
        for other in &others {
            let trace = other.trace();
            assert_eq!(trace.len(), violation.trace().len(), "seed {seed}");
            assert!(accepts(&own, &trace), "seed {seed}");
            assert!(!accepts(&spec, &spec.alphabet().project(&trace)), "seed {seed}");
            assert_ne!(other.path, violation.path, "seed {seed}");
        }
        let again = controlled(|control| search.run(&mut &own, control)).expect("no limit");
        assert_eq!(
            again.violation().map(|violation| &violation.path),
            Some(&violation.path)
        );
        count += others.len();
    }
    assert!(count > 50, "{count}");
}
