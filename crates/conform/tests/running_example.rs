//! The running example of seed 004: Figures 2 to 5, Examples 1 to 4.

mod common;

use common::{Input, Question, conforms};
use lariat_base::Budget;
use lariat_conform::abstraction::{Abstraction, Control, Mp};
use lariat_conform::cegar::{Levels, Options, Verdict};
use lariat_conform::cfa::{EdgeKind, Label, LocationId};
use lariat_conform::component::Component;
use lariat_conform::infer::Candidate;
use lariat_conform::minimise::{Minimise, MinimiseOptions};
use lariat_lts::{ActionTable, Process, StateId};

const COMPONENT: &str = "
void do_a(void);
void do_b(void);

int component(void) {
    int x, y = 8;
    if (x == 0) {
        do_a();
        if (y < 10) return 0; else return 1;
    } else {
        do_b();
        if (y > 5) return 2; else return 3;
    }
}
";

const FSP: &str = "
DO_A = (a -> return{} -> STOP).
DO_B = (b -> return{} -> STOP).
SPEC = (a -> return{0} -> STOP | b -> return{2} -> STOP).
WRONG = (a -> return{0} -> STOP | b -> return{3} -> STOP).
ONLY_A = (a -> return{0} -> STOP) + {b, return{2}}.
";

fn question(specification: &str) -> Question {
    Question::new(
        &Input {
            components: &[("component", COMPONENT, "component")],
            fsp: FSP,
            specification,
            routines: &[
                ("do_a", &[], &[("true", "DO_A")]),
                ("do_b", &[], &[("true", "DO_B")]),
            ],
            errors: false,
        },
        Budget::unlimited(),
    )
}

/// S0 to S9 of Fig. 4, found by their statements.
fn states(component: &Component) -> Vec<LocationId> {
    let cfa = &component.cfa;
    let next = |location, kind: Option<EdgeKind>| {
        cfa.edges_of(location)
            .find(|(_, edge)| kind.is_none_or(|kind| edge.kind == kind))
            .map(|(_, edge)| edge.target)
            .expect("an edge")
    };
    let s0 = cfa.initial;
    let s1 = next(s0, None);
    let (s2, s3) = (next(s1, Some(EdgeKind::Then)), next(s1, Some(EdgeKind::Else)));
    let (s4, s5) = (next(s2, None), next(s3, None));
    let (s6, s7) = (next(s4, Some(EdgeKind::Then)), next(s4, Some(EdgeKind::Else)));
    let (s8, s9) = (next(s5, Some(EdgeKind::Then)), next(s5, Some(EdgeKind::Else)));
    vec![s0, s1, s2, s3, s4, s5, s6, s7, s8, s9]
}

/// Example 1.
#[test]
fn the_automaton_has_the_states_of_figure_4() {
    let question = question("SPEC");
    let component = &question.components[0];
    let states = states(component);
    assert_eq!(component.cfa.locations.len(), 10);
    let label = |index: usize| &component.cfa.locations[states[index]].label;
    assert!(matches!(label(0), Label::Assign(_)));
    for branch in [1, 4, 5] {
        assert!(matches!(label(branch), Label::Branch { .. }), "{branch}");
    }
    for call in [2, 3] {
        assert!(matches!(label(call), Label::Call(_)), "{call}");
    }
    let returned: Vec<String> = (6..10)
        .map(|index| match label(index) {
            Label::Return(Some(value)) => component.cfa.pool.term_text(*value).to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(returned, ["0", "1", "2", "3"]);
}

/// Example 2.
#[test]
fn inferred_predicates() {
    let mut question = question("SPEC");
    let component = &mut question.components[0];
    let states = states(component);
    let candidates = vec![Candidate::Condition(states[4]), Candidate::Condition(states[5])];
    let abstraction = Abstraction::new(component, candidates).expect("an abstraction");
    let found: Vec<Vec<String>> = states
        .iter()
        .map(|&state| {
            abstraction
                .predicates_at(state)
                .map(|predicate| {
                    component
                        .cfa
                        .pool
                        .term_text(component.predicates.term(predicate))
                        .to_string()
                })
                .collect()
        })
        .collect();
    let (p1, p2) = ("y < 10".to_owned(), "5 < y".to_owned());
    let expected = [
        vec![],
        vec![p1.clone(), p2.clone()],
        vec![p1.clone()],
        vec![p2.clone()],
        vec![p1],
        vec![p2],
        vec![],
        vec![],
        vec![],
        vec![],
    ];
    assert_eq!(found, expected);
}

/// All transitions of MP(P), in words: S4[0] is state S4 with the first value of its only predicate.
fn transitions(question: &mut Question, branches: &[usize]) -> Vec<String> {
    let component = &mut question.components[0];
    let states = states(component);
    let candidates = branches
        .iter()
        .map(|&branch| Candidate::Condition(states[branch]))
        .collect();
    let mut abstraction = Abstraction::new(component, candidates).expect("an abstraction");
    let mut mp = Mp {
        component,
        abstraction: &mut abstraction,
    };
    let lts = mp.explore(&question.budget, 1000).expect("a small system");
    let name = |state: StateId| {
        let state = abstraction.state(state);
        let place = |location| {
            states
                .iter()
                .position(|&own| own == location)
                .expect("a state of Fig. 4")
        };
        let values: String = state
            .valuation
            .iter()
            .map(|value| if *value == 0 { '1' } else { '0' })
            .collect();
        match state.control {
            Control::Init => "INIT".to_owned(),
            Control::Stop => "STOP".to_owned(),
            Control::At(location) => format!("S{}[{values}]", place(location)),
            Control::Inlined { location, state, .. } => {
                format!("S{}[{values}]{}", place(location), state)
            }
        }
    };
    lts.triples()
        .map(|(source, action, target)| {
            format!(
                "{} {} {}",
                name(source),
                question.actions.name(action),
                name(target)
            )
        })
        .collect()
}

fn assert_transitions(mut found: Vec<String>, expected: &str) {
    let mut expected: Vec<&str> = expected
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
}

/// Example 4, Fig. 6(a).
#[test]
fn mp_without_predicates() {
    let found = transitions(&mut question("SPEC"), &[]);
    assert_transitions(
        found,
        "INIT tau S0[]
         S0[] tau S1[]
         S1[] tau S2[]
         S1[] tau S3[]
         S2[] tau S2[]s0
         S2[]s0 a S2[]s1
         S2[]s1 tau S4[]
         S3[] tau S3[]s0
         S3[]s0 b S3[]s1
         S3[]s1 tau S5[]
         S4[] tau S6[]
         S4[] tau S7[]
         S5[] tau S8[]
         S5[] tau S9[]
         S6[] return{0} STOP
         S7[] return{other} STOP
         S8[] return{2} STOP
         S9[] return{other} STOP",
    );
}

/// Example 4, Fig. 6(b), as far as it can be reached.
#[test]
fn mp_with_both_predicates() {
    let found = transitions(&mut question("SPEC"), &[4, 5]);
    assert_transitions(
        found,
        "INIT tau S0[]
         S0[] tau S1[11]
         S1[11] tau S2[1]
         S1[11] tau S3[1]
         S2[1] tau S2[1]s0
         S2[1]s0 a S2[1]s1
         S2[1]s1 tau S4[1]
         S3[1] tau S3[1]s0
         S3[1]s0 b S3[1]s1
         S3[1]s1 tau S5[1]
         S4[1] tau S6[]
         S5[1] tau S8[]
         S6[] return{0} STOP
         S8[] return{2} STOP",
    );
}

#[test]
fn verdicts() {
    for levels in [Levels::Predicates, Levels::Both] {
        for mode in [Minimise::None, Minimise::Greedy, Minimise::Optimal] {
            let options = Options {
                levels,
                minimise: MinimiseOptions {
                    mode,
                    ..MinimiseOptions::default()
                },
                ..Options::default()
            };
            let (verdict, statistics) = question("SPEC").run(&options);
            assert!(conforms(&verdict));
            assert_eq!(statistics.components[0].candidates, 2);
            let mut wrong = question("WRONG");
            let Verdict::Violates(violation) = wrong.run(&options).0 else {
                panic!("2 is returned");
            };
            assert_eq!(wrong.actions.names(&violation.trace), ["b", "return{other}"]);
            let mut only_a = question("ONLY_A");
            let Verdict::Violates(violation) = only_a.run(&options).0 else {
                panic!("b is done");
            };
            assert_eq!(only_a.actions.names(&violation.trace), ["b"]);
        }
    }
}

#[test]
fn the_process_is_deterministic() {
    let mut question = question("SPEC");
    let mut abstraction = Abstraction::new(&mut question.components[0], Vec::new()).expect("an abstraction");
    let mut mp = Mp {
        component: &mut question.components[0],
        abstraction: &mut abstraction,
    };
    let initial = mp.initial().expect("a state");
    let (mut first, mut second) = (Vec::new(), Vec::new());
    mp.successors(initial, &mut first).expect("successors");
    mp.successors(initial, &mut second).expect("successors");
    assert_eq!(first, second);
    assert_eq!(first[0].action, ActionTable::TAU);
}
