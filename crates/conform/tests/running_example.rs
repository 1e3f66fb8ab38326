//! The running example of [Magic04]: Figures 2 to 5, Examples 1 to 4.

mod common;

use std::rc::Rc;

use common::{Input, Question, conforms};
use lariat_base::Budget;
use lariat_conform::abstraction::{Abstraction, Control, Mp, MpState};
use lariat_conform::cegar::{CegarVerdict, Levels, Options, Property};
use lariat_conform::cfa::{EdgeKind, Label, LocationId};
use lariat_conform::component::Component;
use lariat_conform::counterexample::Counterexample;
use lariat_conform::infer::Candidate;
use lariat_conform::minimise::{Minimise, MinimiseOptions};
use lariat_lts::{ActionTable, Process, StateId};
use lariat_testkit::Random;

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
    let (p1, p2) = ("(< y 10)".to_owned(), "(< 5 y)".to_owned());
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

/// MP(P) in words: S4[0] is state S4 where its only predicate is false, S2[1]s0 is an inlined state.
struct Words {
    states: Vec<String>,
    transitions: Vec<String>,
}

impl Words {
    fn name(states: &[LocationId], state: &MpState) -> String {
        let place = |location| {
            states
                .iter()
                .position(|&own| own == location)
                .expect("a state of Fig. 4")
        };
        // The first value of a group says that its predicate holds.
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
    }

    fn assert(mut self, states: &str, transitions: &str) {
        let sorted = |text: &str, separator| {
            let parts = text.split(separator).map(|part: &str| part.trim().to_owned());
            let mut parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
            parts.sort_unstable();
            parts
        };
        self.states.sort_unstable();
        self.transitions.sort_unstable();
        assert_eq!(self.states, sorted(states, ' '));
        assert_eq!(self.transitions, sorted(transitions, '\n'));
    }
}

fn abstraction_of(component: &mut Component, branches: &[usize]) -> Abstraction {
    let states = states(component);
    let candidates = branches
        .iter()
        .map(|&branch| Candidate::Condition(states[branch]))
        .collect();
    Abstraction::new(component, candidates).expect("an abstraction")
}

/// What can be reached, as all of the algorithm sees it.
fn reached(question: &mut Question, branches: &[usize]) -> Words {
    let component = &mut question.components[0];
    let states = states(component);
    let mut abstraction = abstraction_of(component, branches);
    let mut mp = Mp {
        component,
        abstraction: &mut abstraction,
    };
    let lts = mp.explore(&question.budget, 1000).expect("a small system");
    let name = |state: StateId| Words::name(&states, abstraction.state(state));
    Words {
        states: lts.states().map(name).collect(),
        transitions: lts
            .triples()
            .map(|(source, action, target)| {
                format!(
                    "{} {} {}",
                    name(source),
                    question.actions.name(action),
                    name(target)
                )
            })
            .collect(),
    }
}

/// S_I of Definition 8 as Definition 7 puts it together, reachable or not, with T_I of §5.4 from each state.
fn defined(question: &mut Question, branches: &[usize]) -> Words {
    let component = &mut question.components[0];
    let locations = states(component);
    let mut abstraction = abstraction_of(component, branches);
    let stop = MpState {
        control: Control::Stop,
        valuation: Rc::from([]),
    };
    let mut all = vec![MpState::init(), stop];
    for &location in &locations {
        let count = abstraction.predicates_at(location).count() as u32;
        for number in 0..2_u16.pow(count) {
            let valuation: Rc<[u16]> = (0..count).rev().map(|bit| number >> bit & 1).collect();
            let mut controls = vec![Control::At(location)];
            if let Some(process) = component.inlined(location, 0) {
                controls.extend(process.states().map(|state| Control::Inlined {
                    location,
                    alternative: 0,
                    state,
                }));
            }
            all.extend(controls.into_iter().map(|control| MpState {
                control,
                valuation: Rc::clone(&valuation),
            }));
        }
    }
    // Γ_S1(00) = ¬(y < 10) ∧ ¬(y > 5) has no model, so nothing is admissible with it: no transition enters or leaves this
    // state. Valuations without models are never made.
    all.retain(|state| Words::name(&locations, state) != "S1[00]");
    let mut words = Words {
        states: Vec::new(),
        transitions: Vec::new(),
    };
    for state in all {
        let name = Words::name(&locations, &state);
        for (action, target) in abstraction.steps(component, &state, None).expect("a solver") {
            let (action, target) = (question.actions.name(action), Words::name(&locations, &target));
            words.transitions.push(format!("{name} {action} {target}"));
        }
        words.states.push(name);
    }
    words
}

/// Example 4, Fig. 6(a): P = ∅, so that P_s = ∅ and Γ_s(⊥) = true at every state. s0, s1, s2 of an inlined state are the
/// states A1, A2, STOP of Do_A and B1, B2, STOP of Do_B.
///
/// Definition 7: a state for each of S0 … S9, INIT, STOP, and (S2, ⊥, c), (S3, ⊥, c) for the states c of Do_A, Do_B.
///
/// §5.4, where all formulas are admissible with true but false:
/// - INIT: Guard is true.
/// - S0 (y = 8): WP of true is true. S1 (x == 0), S4 (y < 10), S5 (y > 5): true is admissible with the condition and with
///   its negation, so both successors.
/// - S2, S3: the guard is true (1, 2); a and b do not lead to STOP (3); they are followed by return{} which is a τ to the
///   next statement (5).
/// - S6, S8 return 0 and 2, which are values of return actions of Spec and exclude the other: 0 == 2 is inadmissible.
///   S7, S9 return 1 and 3, for which there is no action: the special one (footnote 2).
#[test]
fn mp_without_predicates() {
    let transitions = "INIT tau S0[]
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
         S9[] return{other} STOP";
    let states = "INIT STOP S0[] S1[] S2[] S2[]s0 S2[]s1 S3[] S3[]s0 S3[]s1 S4[] S5[] S6[] S7[] S8[] S9[]";
    reached(&mut question("SPEC"), &[]).assert(states, transitions);
    let states = format!("{states} S2[]s2 S3[]s2");
    defined(&mut question("SPEC"), &[]).assert(&states, transitions);
}

/// Example 4, Fig. 6(b): P = {p1, p2} with p1 = (y < 10), p2 = (y > 5), and P_s as in Example 2: P_S1 = {p1, p2}, P_S2 =
/// P_S4 = {p1}, P_S3 = P_S5 = {p2}, ∅ elsewhere. S1[10] is S1 where p1 holds and p2 does not.
///
/// - INIT to S0: as before. S0 (y = 8): WP of Γ_S1(V) is 8 < 10 or its negation, and 8 > 5 or its negation: only 11.
/// - S1 (x == 0): both conditions are admissible with every Γ_S1(V). To S2: Γ_S1(V) ∧ Γ_S2(V′) is admissible iff V′ is the
///   value of p1 in V; to S3 iff it is that of p2. S1[00] is no state: see above.
/// - S2, S3: valuations stay as they are inside of Do_A and Do_B; to S4 and S5 Γ_S2(V) and Γ_S4(V′) are about the same
///   predicate, so V′ = V.
/// - S4 (y < 10): p1 decides. S5 (y > 5): p2 decides. S6 to S9 as before.
#[test]
fn mp_with_both_predicates() {
    let reachable = "INIT tau S0[]
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
         S8[] return{2} STOP";
    let not_reachable = "
         S1[10] tau S2[1]
         S1[10] tau S3[0]
         S1[01] tau S2[0]
         S1[01] tau S3[1]
         S2[0] tau S2[0]s0
         S2[0]s0 a S2[0]s1
         S2[0]s1 tau S4[0]
         S3[0] tau S3[0]s0
         S3[0]s0 b S3[0]s1
         S3[0]s1 tau S5[0]
         S4[0] tau S7[]
         S5[0] tau S9[]
         S7[] return{other} STOP
         S9[] return{other} STOP";
    let states = "INIT STOP S0[] S1[11] S2[1] S2[1]s0 S2[1]s1 S3[1] S3[1]s0 S3[1]s1 S4[1] S5[1] S6[] S8[]";
    reached(&mut question("SPEC"), &[4, 5]).assert(states, reachable);
    let more = "S1[10] S1[01] S2[1]s2 S2[0] S2[0]s0 S2[0]s1 S2[0]s2 S3[1]s2 S3[0] S3[0]s0 S3[0]s1 S3[0]s2
        S4[0] S5[0] S7[] S9[]";
    let (states, transitions) = (format!("{states} {more}"), format!("{reachable}{not_reachable}"));
    defined(&mut question("SPEC"), &[4, 5]).assert(&states, &transitions);
}

#[test]
fn verdicts() {
    for levels in Levels::ALL {
        for mode in Minimise::ALL {
            let options = Options {
                levels,
                minimise: MinimiseOptions {
                    mode,
                    ..MinimiseOptions::default()
                },
                ..Options::default()
            };
            let (verdict, statistics) = question("SPEC").run(Property::Conformance, &options);
            assert!(conforms(&verdict));
            let branches = statistics.components[0].candidates;
            match mode {
                // All that the path passes.
                Minimise::Path => assert!(branches >= 2, "{branches}"),
                _ => assert_eq!(branches, 2, "{mode:?}"),
            }
            let mut wrong = question("WRONG");
            let CegarVerdict::Violates(violation) = wrong.run(Property::Conformance, &options).0 else {
                panic!("2 is returned");
            };
            assert_eq!(wrong.actions.names(&violation.trace), ["b", "return{other}"]);
            let mut only_a = question("ONLY_A");
            let CegarVerdict::Violates(violation) = only_a.run(Property::Conformance, &options).0 else {
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

/// What is kept of a candidate from one counterexample to the next makes no difference.
#[test]
fn one_candidate_eliminates_the_same_with_what_is_kept() {
    let mut question = question("SPEC");
    let component = &mut question.components[0];
    let mut abstraction = Abstraction::new(component, Vec::new()).expect("an abstraction");
    let mut random = Random::new(1);
    let mut paths = Vec::new();
    for _ in 0..120 {
        let mut mp = Mp {
            component: &mut *component,
            abstraction: &mut abstraction,
        };
        let mut state = mp.initial().expect("a state");
        let (mut controls, mut actions) = (vec![Control::Init], Vec::new());
        loop {
            let mut steps = Vec::new();
            mp.successors(state, &mut steps).expect("successors");
            if steps.is_empty() || random.one_in(12) {
                break;
            }
            let step = random.choose(&steps);
            state = step.target;
            controls.push(mp.abstraction.state(state).control);
            actions.push(step.action);
        }
        paths.push(Counterexample { controls, actions });
    }
    let (mut eliminated, mut kept) = (0, 0);
    for path in &paths {
        for &candidate in component.candidates().iter() {
            let afresh = component.eliminates(&[candidate], path).expect("an answer");
            let again = component.eliminates_again(&[candidate], path).expect("an answer");
            if component.touches(candidate, path).expect("an answer") {
                assert_eq!(afresh, again, "{candidate:?} of {path:?}");
            }
            eliminated += usize::from(afresh);
            kept += usize::from(!afresh);
        }
    }
    assert!(eliminated > 10 && kept > 10, "{eliminated} and {kept}");
}
