//! Temporal properties, priorities, simulation and bisimulation of small systems.

mod support;

use lariat_base::{Budget, SourceMap};
use lariat_lts::compact::Compact;
use lariat_lts::equivalence::{Relation, difference};
use lariat_lts::fsp::{self, CompileError, Compiler};
use lariat_lts::ltl::{Fairness, Formulas, Lasso, find_violation};
use lariat_lts::{ActionTable, Lts};
use support::controlled;

/// The first process of a text and a violation of an assertion, or of a progress property if it has that name.
fn violation(
    text: &str,
    process: &str,
    property: &str,
    fairness: Fairness,
) -> Option<(Vec<String>, Vec<String>)> {
    let mut actions = ActionTable::new();
    let mut sources = SourceMap::new();
    let source = sources.add("model.fsp", text);
    let (model, diagnostics) = fsp::parse(source, text);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let budget = Budget::unlimited();
    let mut formulas = Formulas::new();
    let mut compiler = Compiler::new(&model, &mut actions, &budget, 10_000);
    let lts = compiler.compile(process, &[]).expect("a process");
    let formula = match model.progress.iter().any(|known| known.name.text == property) {
        true => compiler.progress(property, &mut formulas),
        false => compiler.assertion(property, &mut formulas),
    };
    let formula = formula.unwrap_or_else(|error| panic!("{property}: {error:?}"));
    let (lasso, _) =
        controlled(|control| find_violation(&lts, &formulas, formula, fairness, control)).expect("no limit");
    let names = |steps: &[lariat_lts::PathStep]| -> Vec<String> {
        let visible = steps.iter().filter(|step| !step.action.is_tau());
        visible.map(|step| actions.name(step.action)).collect()
    };
    lasso.map(|Lasso { stem, cycle, .. }| (names(&stem), names(&cycle)))
}

const MODEL: &str = "
SERVER = (req -> (ack -> SERVER | nack -> SERVER)).
ENDS = (req -> ack -> STOP).
SILENT = (req -> WORK), WORK = (hidden -> WORK | ack -> SILENT) \\ {hidden}.
SLOTS = (enter[1] -> exit[1] -> SLOTS | enter[2] -> exit[2] -> SLOTS).
fluent WAITING = <req, {ack, nack}>
fluent IN[i:1..2] = <enter[i], exit[i]>
fluent OPEN = <enter[1], exit[1]> initially True
assert ANSWERED = [] (req -> <> (ack || nack))
assert SERVED = [] (req -> <> ack)
assert AGAIN = []<> req
assert ALTERNATE = [] (req -> X !req) && (!ack W req)
assert WAITS = [] (WAITING -> (WAITING U {ack, nack}))
assert MUTEX = [] !(IN[1] && IN[2])
assert SOME = exists[i:1..2] <> enter[i]
assert ALL = forall[i:1..2] <> enter[i]
assert EACH = forall[i:1..2] [] (enter[i] -> X exit[i])
assert BOTH = MUTEX && SOME
assert CONSTANTS = X X true && X !false && (True || False)
assert NEVER = [] (enter[1] -> false)
assert CLOSED = <> !OPEN
progress ACKS = {ack}
progress ASKED = if {req} then {ack, nack}
";

#[test]
fn properties_of_small_servers() {
    let none = |process, property| violation(MODEL, process, property, Fairness::None);
    assert_eq!(none("SERVER", "ANSWERED"), None);
    assert_eq!(none("SERVER", "AGAIN"), None);
    assert_eq!(none("SERVER", "ALTERNATE"), None);
    assert_eq!(none("SERVER", "WAITS"), None);
    let (stem, cycle) = none("SERVER", "SERVED").expect("it may always refuse");
    assert!(
        stem.contains(&"req".to_owned()) && !cycle.contains(&"ack".to_owned()),
        "{stem:?} {cycle:?}"
    );
    // What ends does nothing for ever.
    let (stem, cycle) = none("ENDS", "AGAIN").expect("it ends");
    assert_eq!(
        (stem, cycle),
        (vec!["req".to_owned(), "ack".to_owned()], Vec::new())
    );
    assert_eq!(none("ENDS", "ANSWERED"), None);
    // Silent steps without end are an execution, too.
    let (stem, cycle) = none("SILENT", "ANSWERED").expect("it may go on silently");
    assert_eq!((stem, cycle), (vec!["req".to_owned()], Vec::new()));
}

#[test]
fn fluents_have_indices_and_initial_values() {
    let none = |process, property| violation(MODEL, process, property, Fairness::None);
    assert_eq!(none("SLOTS", "MUTEX"), None);
    assert_eq!(none("SLOTS", "BOTH"), None);
    assert_eq!(none("SLOTS", "CONSTANTS"), None);
    assert_eq!(none("ENDS", "CONSTANTS"), None);
    assert!(none("SLOTS", "NEVER").is_some());
    assert_eq!(none("SLOTS", "EACH"), None);
    assert!(none("SLOTS", "ALL").is_some());
    assert!(none("SLOTS", "CLOSED").is_some());
    assert_eq!(violation(MODEL, "SLOTS", "CLOSED", Fairness::Choice), None);
    assert_eq!(violation(MODEL, "SLOTS", "ALL", Fairness::Choice), None);
}

#[test]
fn fair_executions_take_every_choice_again_and_again() {
    let fair = |process, property| violation(MODEL, process, property, Fairness::Choice);
    assert_eq!(fair("SERVER", "SERVED"), None);
    assert_eq!(fair("SERVER", "ACKS"), None);
    assert_eq!(fair("SERVER", "ASKED"), None);
    assert_eq!(fair("SILENT", "ANSWERED"), None);
    assert!(fair("ENDS", "ACKS").is_some());
    assert_eq!(fair("ENDS", "ASKED"), None);
    let trap = "P = (a -> P | b -> Q), Q = (b -> Q). progress A = {a} progress B = {b}";
    let (stem, cycle) = violation(trap, "P", "A", Fairness::Choice).expect("a trap");
    assert_eq!((stem, cycle), (vec!["b".to_owned()], vec!["b".to_owned()]));
    assert_eq!(violation(trap, "P", "B", Fairness::Choice), None);
}

#[test]
fn priorities_choose() {
    let text = "A = (a -> A). B = (b -> B). HID = (t -> a -> HID) \\ {t}.
        ||HIGH = (A || B) << {a}. ||LOW = (A || B) >> {a}. ||SILENT = (HID || B) >> {b}.
        assert ONLYA = [] a assert ONLYB = [] b";
    assert_eq!(violation(text, "HIGH", "ONLYA", Fairness::None), None);
    assert_eq!(violation(text, "LOW", "ONLYB", Fairness::None), None);
    // τ comes before what is low.
    assert_eq!(violation(text, "SILENT", "ONLYA", Fairness::None), None);
}

#[test]
fn mistakes_in_formulas_are_told() {
    let refused = |text: &str, name: &str| {
        let mut actions = ActionTable::new();
        let mut sources = SourceMap::new();
        let source = sources.add("model.fsp", text);
        let (model, diagnostics) = fsp::parse(source, text);
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        let budget = Budget::unlimited();
        let compiled =
            Compiler::new(&model, &mut actions, &budget, 100).assertion(name, &mut Formulas::new());
        match compiled {
            Err(CompileError::Input(diagnostics)) => {
                let texts: Vec<String> = diagnostics
                    .iter()
                    .map(|own| own.render(&sources, false))
                    .collect();
                texts.join("\n")
            }
            other => panic!("{other:?}"),
        }
    };
    for (text, name, message) in [
        ("assert A = [] B", "A", "there is no fluent `B`"),
        ("assert A = [] B assert B = <> A", "A", "part of itself"),
        ("assert ANSWERED = [] a", "ANSWRED", "did you mean `ANSWERED`?"),
        (
            "fluent F = <a, {a, b}> assert A = [] F",
            "A",
            "both starts and ends",
        ),
        (
            "fluent F[i:1..2] = <a[i], b[i]> assert A = [] F[3]",
            "A",
            "there is no `F[3]`",
        ),
        (
            "assert A = forall[i:0..99] <> a[i]",
            "A",
            "different propositions",
        ),
    ] {
        let found = refused(text, name);
        assert!(found.contains(message), "{text}\n{found}");
    }
}

fn systems(text: &str) -> (Lts, Lts) {
    let mut actions = ActionTable::new();
    let mut sources = SourceMap::new();
    let source = sources.add("model.fsp", text);
    let (model, _) = fsp::parse(source, text);
    let budget = Budget::unlimited();
    let mut compiler = Compiler::new(&model, &mut actions, &budget, 10_000);
    let first = compiler.compile("P", &[]).expect("P");
    (first, compiler.compile("Q", &[]).expect("Q"))
}

#[test]
fn simulation_and_bisimulation_differ_where_they_should() {
    let follows = |text: &str, relation| {
        let (first, second) = systems(text);
        let found = controlled(|control| difference(&first, &second, relation, control)).expect("no limit");
        found.map(|found| found.plays.len())
    };
    use Relation::{Simulation, WeakBisimulation};
    // The classical example: the same traces, but one of them chooses early.
    let early = "P = (a -> (b -> STOP | c -> STOP)). Q = (a -> b -> STOP | a -> c -> STOP).";
    assert_eq!(follows(early, Simulation), Some(2));
    let late = "P = (a -> b -> STOP | a -> c -> STOP). Q = (a -> (b -> STOP | c -> STOP)).";
    assert_eq!(follows(late, Simulation), None);
    assert!(follows(late, WeakBisimulation).is_some());
    // Silent steps that decide nothing do not matter; those that do, do.
    let silent = "P = (t -> a -> P) \\ {t}. Q = (a -> Q).";
    assert_eq!(follows(silent, WeakBisimulation), None);
    let decides = "P = (a -> P | t -> b -> P) \\ {t}. Q = (a -> Q | b -> Q).";
    assert_eq!(follows(decides, Simulation), None);
    assert!(follows(decides, WeakBisimulation).is_some());
}

/// Compact systems are bisimilar to what they are made of, and have the same paths.
#[test]
fn compact_systems_cannot_be_told_apart() {
    let mut numbers = support::Random::new(7);
    let mut actions = ActionTable::new();
    let alphabet = [actions.named("a"), actions.named("b")];
    for _ in 0..200 {
        let states = 2 + numbers.below(6);
        let lts = support::random_system(&mut numbers, states, &alphabet, 2);
        let compact = Compact::new(&lts, &Budget::unlimited()).expect("no limit");
        let told = controlled(|control| difference(&lts, &compact.lts, Relation::WeakBisimulation, control));
        assert_eq!(told.expect("no limit"), None);
        // A random walk of the compact system is one of the system.
        let (mut at, mut path) = (compact.lts.initial(), Vec::new());
        for _ in 0..8 {
            let transitions = compact.lts.transitions(at);
            if transitions.is_empty() {
                break;
            }
            let next = transitions[numbers.below(transitions.len())];
            path.push(lariat_lts::PathStep {
                action: next.action,
                target: next.target,
            });
            at = next.target;
        }
        let expanded = compact.expand(&lts, &path).expect("a path");
        let mut state = lts.initial();
        for step in &expanded {
            assert!(lts.succ(state, step.action).any(|target| target == step.target));
            state = step.target;
        }
        assert_eq!(compact.class(state), at);
    }
}

/// A formula has no end of its own: the next definition may start with what could be an operator.
#[test]
fn definitions_follow_a_formula() {
    let model = "
P = (a -> P).
assert LAST = []<> a
||BOTH = (p:P || q:P).
assert NEXT = []<> a || []<> b
||COPIES(N=2) = (forall[i:1..N] c[i]:P).
assert UNTIL = <> a
U = (b -> U).
";
    assert_eq!(violation(model, "P", "LAST", Fairness::None), None);
    assert_eq!(violation(model, "P", "NEXT", Fairness::None), None);
    assert!(violation(model, "U", "UNTIL", Fairness::None).is_some());
}
