//! Parts of a search: a decision means the same however calls are inlined and shared.

mod support;

use lariat_base::Budget;
use lariat_engine::{ExpandPolicy, MergePolicy, SearchOptions, SearchOutcome, Session, SplitPolicy};
use lariat_options::{CallName, Decision, Halves, Partition};

const EXPANSIONS: [ExpandPolicy; 4] = [
    ExpandPolicy::OverRefine,
    ExpandPolicy::UnderWiden,
    ExpandPolicy::Adaptive,
    ExpandPolicy::Eager,
];
const MERGES: [MergePolicy; 4] = [
    MergePolicy::Tree,
    MergePolicy::First,
    MergePolicy::Maxc,
    MergePolicy::Opt,
];

/// The two calls of `leaf` exclude each other, so they may share one instance.
const SHARED_LEAF: &str = "
    procedure leaf(x: int) returns (r: int) { if (*) { r := x + 1; } else { r := x + 2; } }
    procedure p() returns (r: int) { if (*) { call r := leaf(10); } else { r := 1; } }
    procedure q() returns (r: int) { if (*) { call r := leaf(20); } else { r := 2; } }
    procedure main() { var r: int; if (*) { call r := p(); } else { call r := q(); } assume r == WANTED; }
";
/// What `main` can get.
const RESULTS: [i32; 6] = [1, 2, 11, 12, 21, 22];

fn decision(calls: &[(u32, &str)], reached: bool) -> Decision {
    let site = calls.iter().map(|&(call, callee)| CallName {
        call,
        callee: callee.to_owned(),
    });
    let site = site.collect();
    Decision { site, reached }
}

fn options(expand: ExpandPolicy, merge: MergePolicy, decisions: &[Decision]) -> SearchOptions {
    SearchOptions {
        expand,
        merge,
        in_place: false,
        unavoidable: false,
        check_dag: true,
        partition: Partition {
            decisions: decisions.to_vec(),
            ..Partition::default()
        },
        ..SearchOptions::default()
    }
}

fn outcome(wanted: i32, options: SearchOptions) -> SearchOutcome {
    let problem = support::problem(&SHARED_LEAF.replace("WANTED", &wanted.to_string()));
    let mut silent = |_| {};
    match Session::new(problem, options, Budget::unlimited(), &mut silent) {
        Ok(mut search) => search.run(),
        Err(error) => SearchOutcome::Unknown {
            reason: error.to_string(),
            bound: None,
        },
    }
}

#[test]
fn a_decision_leaves_out_what_it_says_whatever_is_shared() {
    let by_p = |reached| decision(&[(1, "p"), (0, "leaf")], reached);
    let by_q = |reached| decision(&[(0, "q"), (0, "leaf")], reached);
    let q = |reached| decision(&[(0, "q")], reached);
    let cases: [(&[Decision], &[i32]); 8] = [
        (&[], &RESULTS),
        (&[by_p(true)], &[11, 12]),
        (&[by_p(false)], &[1, 2, 21, 22]),
        (&[by_p(false), by_q(false)], &[1, 2]),
        (&[by_q(true), by_p(false)], &[21, 22]),
        (&[by_p(true), by_q(true)], &[]),
        (&[q(true), by_q(false)], &[2]),
        (&[q(false), by_p(false)], &[1]),
    ];
    for expand in EXPANSIONS {
        for merge in MERGES {
            for (decisions, left) in cases {
                for wanted in RESULTS {
                    let reached = match outcome(wanted, options(expand, merge, decisions)) {
                        SearchOutcome::Reached(_) => true,
                        SearchOutcome::Proved => false,
                        _ => panic!("no answer for {wanted}"),
                    };
                    assert_eq!(
                        reached,
                        left.contains(&wanted),
                        "{wanted} with {expand:?}, {merge:?}, {decisions:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn decisions_of_another_program_are_no_answer() {
    for site in [&[(1, "q")][..], &[(7, "p")], &[(1, "p"), (1, "leaf")]] {
        let options = options(ExpandPolicy::Eager, MergePolicy::First, &[decision(site, false)]);
        let outcome = outcome(3, options);
        let SearchOutcome::Unknown { reason, .. } = outcome else {
            panic!("{site:?} was taken");
        };
        assert!(reason.contains("does not belong"), "{reason}");
    }
}

/// Both halves of a search that is split as soon as possible, and how many instances it had.
fn halves(expand: ExpandPolicy) -> (Halves, u64) {
    let problem = support::problem(&SHARED_LEAF.replace("WANTED", "3"));
    let options = SearchOptions {
        split: SplitPolicy::EachRound { depth: 1 },
        ..options(expand, MergePolicy::First, &[])
    };
    let mut silent = |_| {};
    let mut search = Session::new(problem, options, Budget::unlimited(), &mut silent).expect("a search");
    let outcome = search.run();
    assert!(matches!(outcome, SearchOutcome::Unknown { .. }));
    let halves = search.take_split().expect("the search is split");
    assert!(search.take_split().is_none());
    // This search goes on with one half, and has an answer.
    let kept = halves.reached.decisions.last().expect("a decision").clone();
    search.decide(kept).expect("the call is there");
    assert!(matches!(search.run(), SearchOutcome::Proved));
    (halves, search.stats().inlined)
}

#[test]
fn a_search_is_split_and_its_parts_have_an_answer() {
    for expand in EXPANSIONS {
        let (halves, inlined) = halves(expand);
        assert!(inlined >= 1);
        let (blocked, reached) = (&halves.blocked.decisions, &halves.reached.decisions);
        assert_eq!((blocked.len(), reached.len()), (1, 1));
        assert_eq!(blocked[0].site, reached[0].site);
        assert_eq!((blocked[0].reached, reached[0].reached), (false, true));
        assert!(halves.blocked.is_first() && !halves.reached.is_first());
        for wanted in RESULTS {
            // Each execution is in one of the parts.
            let found = [&halves.blocked, &halves.reached].map(|partition| {
                let options = SearchOptions {
                    partition: partition.clone(),
                    ..options(expand, MergePolicy::First, &[])
                };
                matches!(outcome(wanted, options), SearchOutcome::Reached(_))
            });
            assert_eq!(
                found.iter().filter(|&&found| found).count(),
                1,
                "{wanted}, {expand:?}"
            );
        }
    }
}

/// `a` calls `inner` twice on ways that exclude each other, and so does `b`; the entry calls `a` or `b`.
const TWO_SIDES: &str = "
    procedure {:entrypoint} main() {
        var x: int; var way: bool;
        if (way) { call x := a(); } else { call x := b(); }
        assume x == 77;
    }
    procedure a() returns (x: int) {
        var way: bool; var y: int;
        if (way) { call y := inner(); x := y; } else { call y := other(); x := y + 10; }
    }
    procedure b() returns (x: int) {
        var way: bool; var y: int;
        if (way) { call y := inner(); x := y + 20; } else { call y := other(); x := y + 30; }
    }
    procedure inner() returns (y: int) { havoc y; assume y == 1 || y == 2; }
    procedure other() returns (y: int) { havoc y; assume y == 3 || y == 4; }
";

/// The calls that a search is split at, when each time the half is searched on in which the call is made.
fn calls_reached(expand: ExpandPolicy, depth: usize) -> Vec<Vec<String>> {
    let options = SearchOptions {
        split: SplitPolicy::EachRound { depth },
        ..options(expand, MergePolicy::First, &[])
    };
    let mut silent = |_| {};
    let problem = support::problem(TWO_SIDES);
    let mut search = Session::new(problem, options, Budget::unlimited(), &mut silent).expect("a search");
    let mut calls = Vec::new();
    loop {
        let outcome = search.run();
        let Some(halves) = search.take_split() else {
            assert!(matches!(outcome, SearchOutcome::Proved), "{expand:?}");
            return calls;
        };
        let decision = halves.reached.decisions.last().expect("a decision").clone();
        calls.push(decision.site.iter().map(|call| call.callee.clone()).collect());
        search.decide(decision).expect("the call is there");
    }
}

#[test]
fn a_search_is_not_split_at_calls_that_its_decisions_exclude() {
    for expand in EXPANSIONS {
        let calls = calls_reached(expand, 4);
        let sides: Vec<&str> = calls.iter().map(|call| call[0].as_str()).collect();
        // Once a call of one side must be made there is nothing left to decide about the other.
        assert!(!calls.is_empty(), "{expand:?}");
        assert!(
            sides.iter().all(|side| *side == sides[0]),
            "{expand:?}: {calls:?}"
        );
    }
}
