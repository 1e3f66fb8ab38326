//! The search on small programs: what it answers, what it inlines, and that it is deterministic.

mod support;

use lariat_base::Budget;
use lariat_engine::{ExpandPolicy, MergePolicy, SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_options::{LogStage, UnfoldingFlags};

fn options(expand: ExpandPolicy, max_bound: u32) -> SearchOptions {
    SearchOptions {
        expand,
        max_bound,
        unavoidable: false,
        merge: MergePolicy::Tree,
        check_dag: true,
        log: true,
        ..SearchOptions::default()
    }
}

fn flags(seed: u32) -> UnfoldingFlags {
    UnfoldingFlags {
        seed,
        ..UnfoldingFlags::default()
    }
}

const EXPANSIONS: [ExpandPolicy; 6] = [
    ExpandPolicy::OverRefine,
    ExpandPolicy::UnderWiden,
    ExpandPolicy::Interleave(0.3),
    ExpandPolicy::Interleave(0.5),
    ExpandPolicy::Adaptive,
    ExpandPolicy::Eager,
];

/// The outcome in words.
fn words(outcome: &SearchOutcome) -> String {
    match outcome {
        SearchOutcome::Reached(_) => "reached".into(),
        SearchOutcome::Proved => "proved".into(),
        SearchOutcome::Bounded { bound, cut, deep } if deep.is_empty() => {
            format!("bounded({bound}) by {} procedures", cut.len())
        }
        SearchOutcome::Bounded { bound, cut, deep } => {
            format!(
                "bounded({bound}) by {} procedures and {} deep ones",
                cut.len(),
                deep.len()
            )
        }
        SearchOutcome::Unknown { reason, .. } => format!("unknown: {reason}"),
    }
}

/// The outcome in words, the steps of the search, and everything that the solver was told.
fn run(text: &str, options: SearchOptions) -> (String, Vec<String>, String) {
    let mut steps = Vec::new();
    let mut note = |event: SearchEvent| {
        if let SearchEvent::Log(LogStage::Unfolding, text) = event {
            // The seconds differ from run to run.
            steps.push(text.split(" (").next().unwrap_or_default().to_owned());
        }
    };
    let problem = support::problem(text);
    let mut search = Session::new(problem, options, Budget::unlimited(), &mut note).expect("a search");
    let outcome = words(&search.run());
    let told = search.to_smtlib();
    drop(search);
    (outcome, steps, told)
}

/// Two branches of which each calls a procedure that itself chooses between two. Both chains must
/// be refuted, each only when its leaf is known.
const TWO_CHAINS: &str = "
    procedure main() {
        var x: int, y: int;
        assume x == 0 && y == 0;
        if (*) { call above(x, y); } else { call below(x, y); }
    }
    procedure above(x: int, y: int) {
        var d: bool;
        if (d) { call one(x, y); } else { call two(x, y); }
    }
    procedure below(x: int, y: int) {
        var d: bool;
        if (d) { call one(x, y); } else { call two(x, y); }
    }
    procedure one(x: int, y: int) { if (*) { assume y == x + 1; } else { assume y == x + 2; } }
    procedure two(x: int, y: int) { if (*) { assume y == x - 1; } else { assume y == x - 2; } }
";

#[test]
fn all_policies_prove_and_find() {
    let feasible = TWO_CHAINS.replace("y == x - 2", "y == x");
    for expand in EXPANSIONS {
        for merge in MergePolicy::ALL {
            for (unavoidable, follow) in [(false, false), (true, false), (false, true), (true, true)] {
                let options = SearchOptions {
                    merge,
                    unavoidable,
                    follow,
                    ..options(expand, 1)
                };
                assert_eq!(run(TWO_CHAINS, options.clone()).0, "proved", "{options:?}");
                assert_eq!(run(&feasible, options.clone()).0, "reached", "{options:?}");
            }
        }
    }
}

/// A counterexample through a chain of calls is found along its path: query type 2 is asked once.
#[test]
fn a_path_is_followed_into_what_was_inlined() {
    let text = "
        procedure main() { var x: int; if (*) { call a(x); } else { call b(x); } }
        procedure a(x: int) { if (*) { assume x > 0; call b(x); } else { assume x > 1; call b(x); } }
        procedure b(x: int) { if (*) { assume x > 2; call c(x); } else { assume x > 3; call c(x); } }
        procedure c(x: int) { if (*) { assume x == GOAL; } else { assume x == GOAL; } }
    ";
    let queries = |text: &str, follow: bool| {
        let options = SearchOptions {
            follow,
            ..options(ExpandPolicy::OverRefine, 1)
        };
        let (outcome, steps, _) = run(text, options);
        let asked = |start: &str| steps.iter().filter(|step| step.starts_with(start)).count();
        (outcome, asked("bound"), asked("along"))
    };
    let feasible = text.replace("GOAL", "4");
    let (outcome, asked, along) = queries(&feasible, true);
    assert_eq!((outcome.as_str(), asked), ("reached", 1));
    assert!(along >= 2, "{along} queries along the path");
    let (outcome, asked, along) = queries(&feasible, false);
    assert_eq!((outcome.as_str(), along), ("reached", 0));
    assert!(asked > 1, "{asked} queries of type 2");
    // A path that ends says nothing about others.
    let infeasible = text.replace("GOAL", "2");
    assert_eq!(queries(&infeasible, true).0, "proved");
}

#[test]
fn only_calls_on_counterexamples_are_inlined() {
    // `unneeded` cannot be on an execution that satisfies what is assumed before it.
    let text = "
        procedure main() {
            var x: int;
            if (x > 0) { assume x < 0; call unneeded(x); } else { call needed(x); }
        }
        procedure needed(x: int) { if (*) { assume x == 1; } else { assume x == 2; } }
        procedure unneeded(x: int) { if (*) { assume x == 1; } else { assume x == 2; } }
    ";
    let (outcome, steps, _) = run(text, options(ExpandPolicy::OverRefine, 1));
    assert_eq!(outcome, "proved");
    let inlined: Vec<&String> = steps.iter().filter(|step| step.starts_with("inline")).collect();
    assert_eq!(inlined, ["inline main/needed"]);
}

#[test]
fn the_bound_is_blamed_only_where_it_matters() {
    let recursive = "
        var g: int;
        procedure main() { g := 0; call count(); assume GOAL; }
        procedure count() { if (*) { g := g + 1; call count(); } }
    ";
    // Whatever `count` does, the goal is false.
    let unreachable = recursive.replace("GOAL", "g != g");
    assert_eq!(
        run(&unreachable, options(ExpandPolicy::OverRefine, 2)).0,
        "proved"
    );
    // Five activations are needed, one more than the bound.
    let deep = recursive.replace("GOAL", "g == 4");
    for expand in EXPANSIONS {
        for merge in MergePolicy::ALL {
            let outcome = |max_bound| {
                let options = SearchOptions {
                    merge,
                    ..options(expand, max_bound)
                };
                run(&deep, options).0
            };
            assert_eq!(outcome(4), "bounded(4) by 1 procedures", "{expand:?}, {merge:?}");
            assert_eq!(outcome(5), "reached", "{expand:?}, {merge:?}");
        }
    }
}

#[test]
fn the_stack_depth_cuts_calls() {
    let chain = "
        var g: int;
        procedure main() { call a(); }
        procedure a() { call b(); }
        procedure b() { call c(); }
        procedure c() { if (*) { assume g == 1; } else { assume g == 2; } }
    ";
    let mut shallow = options(ExpandPolicy::OverRefine, 1);
    shallow.unfolding.stack_depth = Some(3);
    assert_eq!(
        run(chain, shallow.clone()).0,
        "bounded(1) by 0 procedures and 1 deep ones"
    );
    shallow.unfolding.stack_depth = Some(4);
    assert_eq!(run(chain, shallow).0, "reached");
}

#[test]
fn the_same_input_gives_the_same_transcript() {
    for expand in EXPANSIONS {
        for merge in MergePolicy::ALL {
            let options = SearchOptions {
                merge,
                unfolding: flags(5),
                ..options(expand, 3)
            };
            let (_, steps, told) = run(TWO_CHAINS, options.clone());
            for _ in 0..3 {
                let again = run(TWO_CHAINS, options.clone());
                assert_eq!(again.1, steps);
                assert_eq!(again.2, told);
            }
        }
    }
}

#[test]
fn interleaving_keeps_to_its_share() {
    for (share, refinements) in [(0.0, 0), (0.5, 2), (1.0, 4)] {
        let (_, steps, _) = run(TWO_CHAINS, options(ExpandPolicy::Interleave(share), 1));
        let rounds: Vec<bool> = steps
            .iter()
            .filter(|step| !step.starts_with("inline"))
            // In a refinement the blocked calls are asked about without a reason.
            .filter(|step| step.starts_with("bound") || step.contains("because"))
            .map(|step| step.starts_with("bound"))
            .collect();
        let first = &rounds[..rounds.len().min(4)];
        let refined = first.iter().filter(|&&refined| refined).count();
        assert!(refined <= refinements, "{share}: {steps:#?}");
        assert!(refined + (4 - first.len()) >= refinements, "{share}: {steps:#?}");
    }
}

/// `d` is written in terms of the first `M`, which the second does not share because of `e`.
#[test]
fn what_is_written_in_terms_of_its_caller_is_not_shared() {
    let text = "
        procedure main() {
            var b: bool;
            if (*) { call X(); call M(2); b := false; } else { call W(); b := true; }
            assume !b;
        }
        procedure W() { call M(1); }
        procedure M(p: int) { call d(p); call e(7); }
        procedure X() { call e(5); }
        procedure d(a: int) { if (*) { assume a > 0; } else { assume a > 1; } }
        procedure e(a: int) { if (*) { assume a > 3; } else { assume a > 4; } }
    ";
    for expand in EXPANSIONS {
        for merge in MergePolicy::ALL {
            for small_size in [0, 400] {
                for seed in 0..3 {
                    let options = SearchOptions {
                        merge,
                        small_size,
                        unfolding: flags(seed),
                        ..options(expand, 1)
                    };
                    assert_eq!(run(text, options.clone()).0, "reached", "{options:?}");
                }
            }
        }
    }
}
