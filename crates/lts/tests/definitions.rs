//! Definitions 1 to 5 and Theorem 1 of [Magic04].

mod support;

use lariat_lts::language::{accepts, path_with_trace, reach};
use lariat_lts::process::trace_of;
use lariat_lts::state_search::{StateSearch, find_state};
use lariat_lts::{ActionId, ActionTable, Alphabet, Lts, PathGoal, ReturnValue, StateKind};
use support::*;

const FIGURE_3: &str = "
    DO_A = (a -> return{} -> STOP).
    DO_B = (b -> return{} -> STOP).
    // C1 to C13 of the figure.
    SPEC = (tau -> tau -> (tau -> a -> tau -> (tau -> RETURN_0 | tau -> RETURN_0)
                          | tau -> b -> tau -> RETURN_2)),
    RETURN_0 = (return{0} -> STOP),
    RETURN_2 = (return{2} -> STOP).
";

#[test]
fn figure_3_has_the_traces_of_the_paper() {
    let mut actions = ActionTable::new();
    let do_a = fsp(FIGURE_3, "DO_A", &mut actions);
    assert_eq!((do_a.state_count(), do_a.transition_count()), (3, 2));
    let found = traces(&do_a, &actions, 3);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["", "a", "a return{}"]);
    let spec = fsp(FIGURE_3, "SPEC", &mut actions);
    let found = traces(&spec, &actions, 3);
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        ["", "a", "a return{0}", "b", "b return{2}"]
    );
    assert!(
        spec.triples()
            .all(|(_, action, target)| (spec.kind(target) == StateKind::Stop)
                == actions[action].return_value().is_some()),
        "s -a-> STOP iff a is a return action (§3.4)"
    );
    let zero = actions.returning(ReturnValue::Int(0));
    assert_eq!(actions[zero].return_value(), Some(ReturnValue::Int(0)));
    assert!(spec.alphabet().contains(zero));
}

#[test]
fn successors_exports_and_projections() {
    let mut actions = ActionTable::new();
    let [a, b, c] = names(&mut actions, "a b c")[..] else {
        unreachable!()
    };
    let tau = ActionTable::TAU;
    let lts = system(4, &[(0, a, 1), (0, a, 2), (0, tau, 3), (3, b, 0)], [a, b, c]);
    let states: Vec<_> = lts.states().collect();
    assert_eq!(lts.succ(states[0], a).collect::<Vec<_>>(), [states[1], states[2]]);
    assert_eq!(lts.export(states[0]), [tau, a]);
    assert!(lts.export(states[1]).is_empty() && lts.kind(states[1]) == StateKind::Stop);
    let after = reach(&lts, &[states[0]].into(), &[b, a]);
    assert_eq!(after.into_iter().collect::<Vec<_>>(), [states[1], states[2]]);
    assert!(accepts(&lts, &[b, b]) && !accepts(&lts, &[c]));
    let only_a: Alphabet = [a].into_iter().collect();
    assert_eq!(only_a.project(&[b, a, c, a]), [a, a]);
    let path = path_with_trace(&mut &lts, &[b, a], PathGoal::Anywhere, ActionId::is_tau)
        .expect("no limit")
        .expect("a trace");
    assert_eq!(trace_of(&path), [b, a]);
    assert_eq!(path.len(), 3);
    assert_eq!(
        path_with_trace(&mut &lts, &[c], PathGoal::Anywhere, ActionId::is_tau),
        Ok(None)
    );
}

#[test]
fn composition_is_associative_and_commutative() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c d");
    for seed in 0..150 {
        let mut numbers = Random::new(seed);
        let one = random_system(&mut numbers, 3, &alphabet[..2], 5);
        let two = random_system(&mut numbers, 3, &alphabet[1..3], 5);
        let three = random_system(&mut numbers, 3, &alphabet[1..], 5);
        let flat = compose(&[&one, &two, &three]);
        let left = compose(&[&compose(&[&one, &two]), &three]);
        let right = compose(&[&one, &compose(&[&two, &three])]);
        let turned = compose(&[&three, &one, &two]);
        for other in [&left, &right, &turned] {
            assert_eq!(flat.alphabet(), other.alphabet());
            assert!(same_language(&flat, other), "seed {seed}");
        }
    }
}

#[test]
fn composition_preserves_inclusion() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c");
    for seed in 0..150 {
        let mut numbers = Random::new(seed);
        let mut parts = Vec::new();
        let mut larger_parts = Vec::new();
        for shared in [&alphabet[..2], &alphabet[1..]] {
            let mut triples = random_triples(&mut numbers, 4, shared, 4);
            parts.push(system(4, &triples, shared.iter().copied()));
            triples.extend(random_triples(&mut numbers, 4, shared, 4));
            larger_parts.push(system(4, &triples, shared.iter().copied()));
            assert!(included(&parts[parts.len() - 1], &larger_parts[parts.len() - 1]).holds());
        }
        let small = compose(&parts.iter().collect::<Vec<_>>());
        let large = compose(&larger_parts.iter().collect::<Vec<_>>());
        assert!(included(&small, &large).holds(), "seed {seed}");
    }
}

#[test]
fn a_trace_is_checked_on_each_component_by_itself() {
    let mut actions = ActionTable::new();
    let alphabet = names(&mut actions, "a b c");
    for seed in 0..100 {
        let mut numbers = Random::new(seed);
        let parts = [
            random_system(&mut numbers, 3, &alphabet[..2], 4),
            random_system(&mut numbers, 3, &alphabet[1..], 4),
            random_system(&mut numbers, 2, &alphabet, 4),
        ];
        let whole = compose(&[&parts[0], &parts[1], &parts[2]]);
        for trace in all_traces(&alphabet, 4) {
            let alone = parts
                .iter()
                .all(|part| accepts(part, &part.alphabet().project(&trace)));
            assert_eq!(accepts(&whole, &trace), alone, "seed {seed}");
        }
    }
}

#[test]
fn errors_and_ends_of_components() {
    let mut actions = ActionTable::new();
    let text = "
        A = (x -> END). B = (y -> STOP). C = (x -> ERROR).
        ||BOTH = (A || B). ||WRONG = (A || B || C).
    ";
    let both = fsp(text, "BOTH", &mut actions);
    let kinds: Vec<StateKind> = both.states().map(|state| both.kind(state)).collect();
    assert_eq!(kinds.iter().filter(|&&kind| kind == StateKind::Stop).count(), 1);
    assert_eq!(both.state_count(), 4);
    let wrong = fsp(text, "WRONG", &mut actions);
    assert_eq!(
        wrong
            .states()
            .filter(|&state| wrong.kind(state) == StateKind::Error)
            .count(),
        1
    );
}

#[test]
fn deadlocks_are_found_by_a_shortest_trace() {
    let mut actions = ActionTable::new();
    let text = "
        FORK = (get -> put -> FORK).
        DINER = (sit -> right.get -> left.get -> eat -> left.put -> right.put -> rise -> DINER).
        ||TABLE(N=3) = forall[i:0..N-1] (diner[i]:DINER || {diner[i].left, diner[(i+1)%N].right}::FORK).
        DONE = (work -> return{} -> STOP).
    ";
    let table = fsp(text, "TABLE", &mut actions);
    let stuck = |system: &Lts| {
        controlled(|control| find_state(&mut &*system, control, |_, _, transitions| transitions.is_empty()))
            .expect("no limit")
    };
    let StateSearch::Found { path, state, .. } = stuck(&table) else {
        panic!("three diners with one fork each are stuck")
    };
    assert_eq!(path.len(), 6);
    assert!(table.transitions(state).is_empty());
    let done = fsp(text, "DONE", &mut actions);
    assert!(matches!(stuck(&done), StateSearch::Found { states: 3, .. }));
    let never = controlled(|control| find_state(&mut &done, control, |_, _, _| false)).expect("no limit");
    assert_eq!(never, StateSearch::None { states: 3 });
}
