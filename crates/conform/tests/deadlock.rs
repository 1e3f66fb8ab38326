//! Freedom from deadlock: what is one, what is none, and what only looks like one.

mod common;

use common::{Input, Question, conforms};
use lariat_base::Budget;
use lariat_conform::cegar::{CegarVerdict, Options, Property, Reason, Stable, Statistics};

const FSP: &str = "
SPEC = (a.x -> SPEC).
AX = (a.x -> return{} -> STOP).
AY = (a.y -> return{} -> STOP).
BX = (b.x -> return{} -> STOP).
BY = (b.y -> return{} -> STOP).
AX_FREE = (a.free_x -> return{} -> STOP).
AY_FREE = (a.free_y -> return{} -> STOP).
BX_FREE = (b.free_x -> return{} -> STOP).
BY_FREE = (b.free_y -> return{} -> STOP).
X = (a.x -> a.free_x -> return{} -> STOP | b.x -> b.free_x -> return{} -> STOP).
Y = (a.y -> a.free_y -> return{} -> STOP | b.y -> b.free_y -> return{} -> STOP).
WORK = (work -> return{} -> STOP).
";

type Routines<'t> = &'t [(&'t str, &'t [&'t str], &'t [(&'t str, &'t str)])];

const ROUTINES: Routines<'_> = &[
    ("a_x", &[], &[("true", "AX")]),
    ("a_y", &[], &[("true", "AY")]),
    ("b_x", &[], &[("true", "BX")]),
    ("b_y", &[], &[("true", "BY")]),
    ("a_free_x", &[], &[("true", "AX_FREE")]),
    ("a_free_y", &[], &[("true", "AY_FREE")]),
    ("b_free_x", &[], &[("true", "BX_FREE")]),
    ("b_free_y", &[], &[("true", "BY_FREE")]),
    ("x", &[], &[("true", "X")]),
    ("y", &[], &[("true", "Y")]),
    ("work", &[], &[("true", "WORK")]),
];

const DECLARATIONS: &str = "
void a_x(void); void a_y(void); void a_free_x(void); void a_free_y(void);
void b_x(void); void b_y(void); void b_free_x(void); void b_free_y(void);
void x(void); void y(void); void work(void); int next(void);
";

/// Whether two components and two locks are free, the trace and what each component waits for.
fn ask(a: &str, b: &str) -> (CegarVerdict, Statistics, Vec<String>, Vec<Option<Stable>>) {
    let texts: Vec<String> = [a, b, "for (;;) x();", "for (;;) y();"]
        .iter()
        .map(|body| format!("{DECLARATIONS}\nvoid run(void) {{ {body} }}"))
        .collect();
    let names = ["a", "b", "x", "y"];
    let components: Vec<(&str, &str, &str)> = names
        .iter()
        .zip(&texts)
        .map(|(&name, text)| (name, text.as_str(), "run"))
        .collect();
    let input = Input {
        components: &components,
        fsp: FSP,
        specification: "SPEC",
        routines: ROUTINES,
        errors: false,
    };
    let mut question = Question::new(&input, Budget::unlimited());
    let (verdict, statistics) = question.run(Property::DeadlockFreedom, &Options::default());
    let (mut trace, mut stuck) = (Vec::new(), Vec::new());
    if let CegarVerdict::Violates(violation) = &verdict {
        assert_eq!(violation.reason, Reason::Deadlock);
        trace = question.actions.names(&violation.trace);
        for (index, run) in violation.runs.iter().enumerate() {
            let component = &question.components[index];
            let shared = component.shared_with(&question.components, index);
            let last = *run.path.controls.last().expect("a path has a start");
            stuck.push(component.stable(last, &shared));
        }
        // All are stable, and not all have ended.
        assert!(stuck.iter().all(Option::is_some));
        assert!(stuck.iter().any(|stable| *stable != Some(Stable::Ended)));
    }
    (verdict, statistics, trace, stuck)
}

const A: &str = "for (;;) { a_x(); a_y(); a_free_y(); a_free_x(); }";

const A_ONCE: &str = "a_x(); a_y(); a_free_y(); a_free_x();";
const B_ONCE: &str = "b_x(); b_y(); b_free_y(); b_free_x();";

#[test]
fn locks_that_are_taken_in_one_order() {
    let (verdict, ..) = ask(A, "for (;;) { b_x(); b_y(); b_free_y(); b_free_x(); }");
    assert!(conforms(&verdict));
}

#[test]
fn locks_that_are_taken_in_both_orders() {
    let (verdict, _, mut trace, stuck) = ask(A, "for (;;) { b_y(); b_x(); b_free_x(); b_free_y(); }");
    assert!(!conforms(&verdict));
    trace.sort();
    assert_eq!(trace, ["a.x", "b.y"]);
    let waits = |stable: &Option<Stable>| matches!(stable, Some(Stable::Waits(offers)) if offers.len() == 1);
    assert!(stuck.iter().all(waits));
}

/// The wrong order is on a branch that is never taken; it takes predicates to see that.
#[test]
fn a_deadlock_that_no_execution_reaches() {
    let wrong = |condition: &str| {
        format!(
            "int n = next(), m = 0;
             if (n > 3) m = 1;
             for (;;) {{
                 if (m == 1 && n {condition}) {{ b_y(); b_x(); b_free_x(); b_free_y(); }}
                 else {{ b_x(); b_y(); b_free_y(); b_free_x(); }}
             }}"
        )
    };
    let (verdict, statistics, ..) = ask(A, &wrong("< 2"));
    assert!(conforms(&verdict));
    assert!(statistics.predicate_iterations > 1, "{statistics:?}");
    let (verdict, ..) = ask(A, &wrong("> 2"));
    assert!(!conforms(&verdict));
}

#[test]
fn who_waits_for_what_has_ended_is_stuck() {
    // Both end; the locks wait forever.
    let (verdict, _, trace, stuck) = ask(A_ONCE, B_ONCE);
    assert!(!conforms(&verdict));
    assert!(trace.contains(&"a.free_x".to_owned()) && trace.contains(&"b.free_x".to_owned()));
    assert_eq!(stuck[..2], [Some(Stable::Ended), Some(Stable::Ended)]);
}

/// One that goes on by itself forever diverges; the others may wait.
#[test]
fn divergence_is_no_deadlock() {
    for forever in ["for (;;) work();", "for (;;) next();"] {
        let (verdict, ..) = ask(&format!("{A_ONCE} {forever}"), B_ONCE);
        assert!(conforms(&verdict), "{forever}");
    }
    let (verdict, ..) = ask(&format!("{A_ONCE} while (next()) work();"), B_ONCE);
    assert!(!conforms(&verdict), "it may also end");
}

/// The locks then share no actions with other components, so they do not have to wait.
#[test]
fn what_no_other_component_has_is_not_waited_for() {
    let (verdict, ..) = ask("a_x(); a_free_x();", "return;");
    assert!(conforms(&verdict));
}
