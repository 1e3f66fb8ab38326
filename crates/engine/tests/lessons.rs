//! Lessons of spurious counterexamples: what they save, and that they are right.

mod support;

use lariat_base::Budget;
use lariat_engine::{ExpandPolicy, SearchEvent, SearchOptions, SearchOutcome, Session};

/// `middle` and `leaf` never change the state, whichever way they go; `main` asks for a change.
const UNCHANGED: &str = "
    var state: int;
    procedure leaf(x: int) modifies state;
    {
      if (x > 0) { state := state + 1; state := state - 1; } else { state := state * 1; }
    }
    procedure middle(x: int) modifies state;
    {
      if (*) { call leaf(x); } else { call leaf(x + 1); }
    }
    procedure main() modifies state;
    {
      state := 7;
      if (*) { call middle(1); } else { call middle(2); }
      assume state == WANTED;
    }
";

fn options(lessons: bool) -> SearchOptions {
    SearchOptions {
        expand: ExpandPolicy::OverRefine,
        in_place: false,
        unavoidable: false,
        lessons,
        ..SearchOptions::default()
    }
}

/// The outcome, how many instances there were, and how many facts are known in the end.
fn search(text: &str, options: SearchOptions) -> (SearchOutcome, u64, usize) {
    let mut silent = |_: SearchEvent| {};
    let problem = support::problem(text);
    let mut session = Session::new(problem, options, Budget::unlimited(), &mut silent).expect("a session");
    let outcome = session.run();
    let summaries = session.problem().summaries.values().flatten();
    let facts = summaries.map(|summary| summary.facts.len()).sum();
    (outcome, session.stats().inlined, facts)
}

#[test]
fn a_lesson_saves_inlining() {
    let text = UNCHANGED.replace("WANTED", "8");
    let (outcome, with, facts) = search(&text, options(true));
    assert!(matches!(outcome, SearchOutcome::Proved));
    assert!(facts > 0);
    let (outcome, without, facts) = search(&text, options(false));
    assert!(matches!(outcome, SearchOutcome::Proved));
    assert_eq!(facts, 0);
    assert!(with < without, "{with} instances with lessons, {without} without");
}

#[test]
fn lessons_exclude_no_execution() {
    let text = UNCHANGED.replace("WANTED", "7");
    let (outcome, _, _) = search(&text, options(true));
    assert!(matches!(outcome, SearchOutcome::Reached(_)));
}
