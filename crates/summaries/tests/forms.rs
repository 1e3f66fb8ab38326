//! Each form of candidate on a program that needs it, the interval analysis, and what a time limit leaves.

mod support;

use std::collections::BTreeSet;

use lariat_base::Budget;
use lariat_summaries::{
    CandidateLimits, Inductive, Preconditions, SummaryOptions, check_inductive, guess, infer, infer_from,
};
use lariat_vc::Problem;
use support::{problem, solver_options};

const NO_CANDIDATES: CandidateLimits = CandidateLimits {
    pres: 0,
    posts: 0,
    constants: 0,
    related: 0,
};

fn options() -> SummaryOptions {
    let mut options = SummaryOptions::new(solver_options());
    options.effort = u64::MAX;
    options
}

/// Whether the summaries prove the program; that they are inductive is checked.
fn proves(text: &str, options: &SummaryOptions) -> bool {
    let mut problem = problem(text);
    let stats = infer(&mut problem, options, &Budget::unlimited());
    assert_eq!(stats.failure, None);
    let check = |goal| {
        check_inductive(
            &problem,
            &problem.summaries,
            goal,
            &options.solver_options,
            &Budget::unlimited(),
        )
    };
    assert_eq!(check(false), Ok(Inductive::Yes), "{text}");
    check(true) == Ok(Inductive::Yes)
}

/// The program is proved with generated candidates, and not without them.
fn needs_candidates(text: &str) {
    assert!(proves(text, &options()), "{text}");
    let mut without = options();
    without.limits = Some(NO_CANDIDATES);
    without.intervals = false;
    assert!(!proves(text, &without), "{text}");
}

#[test]
fn a_state_that_is_left_as_it_was() {
    needs_candidates(
        "var g: int;
         procedure main() { g := 5; call p(); assert g == 5; }
         procedure p() { g := g + 1; if (*) { call p(); } g := g - 1; }",
    );
}

#[test]
fn a_transition_between_states() {
    needs_candidates(
        "var s: int;
         procedure main() { s := 1; call p(); assert s == 2; }
         procedure p() { if (s == 1) { s := 2; } if (*) { call p(); } }",
    );
}

#[test]
fn a_state_from_which_nothing_fails() {
    needs_candidates(
        "var s: int;
         procedure main() { s := 1; call p(); }
         procedure p() { assert s == 1; if (*) { call p(); } }",
    );
}

#[test]
fn one_of_several_states_is_kept() {
    needs_candidates(
        "var s: int;
         procedure main() { if (*) { s := 1; } else { s := 7; } call p(); assert s == 1 || s == 7; }
         procedure p() { if (s == 1) { s := 7; } else if (s == 7) { s := 1; } if (*) { call p(); } }",
    );
}

#[test]
fn a_flag_that_goes_with_a_state() {
    needs_candidates(
        "var f: bool, s: int;
         procedure main() { f := false; s := 0; call p(); assert f ==> s == 1; }
         procedure p() {
             if (*) { f := true; s := 1; } else { f := false; if (*) { s := 0; } }
             if (*) { call p(); }
         }",
    );
}

#[test]
fn a_counter_that_grows_and_one_that_shrinks() {
    needs_candidates(
        "var x: int, y: int;
         procedure main(a: int) { x := a; y := a; call p(); assert y <= x; }
         procedure p() { if (*) { x := x + 1; call p(); } else if (*) { y := y - 3; call p(); } }",
    );
}

#[test]
fn a_fixed_step() {
    needs_candidates(
        "var g: int;
         procedure main() { g := 0; call p(); assert g == 3; }
         procedure p() { if (*) { call p(); g := g - 3; } g := g + 3; }",
    );
}

#[test]
fn a_copy_of_an_input() {
    needs_candidates(
        "procedure main(a: int) { var r: int; call r := p(a); assert r == a; }
         procedure p(n: int) returns (r: int) { r := n; if (*) { call r := p(n); } }",
    );
}

#[test]
fn a_range_of_an_output() {
    needs_candidates(
        "procedure main(a: int) { var r: int; call r := p(a); assert r >= 0; assert r <= 10; }
         procedure p(n: int) returns (r: int) {
             r := 0;
             if (n > 0) { call r := p(n - 1); if (r < 10) { r := r + 1; } }
         }",
    );
}

#[test]
fn a_bound_of_a_loop_needs_a_precondition() {
    let text = "
         procedure main(n: int) {
             var i: int;
             assume n >= 0;
             i := 0;
             while (i < n) { i := i + 1; assert i > 0; }
             assert i == n;
         }";
    needs_candidates(text);
}

#[test]
fn a_precondition_over_a_chain_of_calls() {
    let text = "
         var g: int;
         procedure main(n: int) { g := 1; call outer(n); }
         procedure outer(n: int) { call inner(n); if (n > 0) { call outer(n - 1); } }
         procedure inner(n: int) { assert 0 < g; havoc g; assume 0 < g; }";
    needs_candidates(text);
}

#[test]
fn differences_and_sums() {
    needs_candidates(
        "procedure main(n: int) {
             var x: int, y: int, z: int;
             x := n; y := 0; z := 4;
             while (*) { x := x - 1; y := y + 1; z := z + 1; }
             assert x + y == n;
             assert z - y == 4;
         }",
    );
}

#[test]
fn residues() {
    needs_candidates(
        "procedure main() {
             var x: int;
             x := 1;
             while (*) { x := x + 3; }
             assert x mod 3 == 1;
         }",
    );
}

#[test]
fn a_procedure_that_never_returns() {
    needs_candidates(
        "procedure main(n: int) { call p(n); assert false; }
         procedure p(n: int) { if (n > 0) { call p(n + 1); } else { assume n * n < 0; } }",
    );
}

#[test]
fn a_condition_of_the_caller_about_what_it_calls() {
    needs_candidates(
        "procedure main(a: int, b: int) { var r: int; call r := p(a, b); assert r * r >= a - b || a == b; }
         procedure p(x: int, y: int) returns (r: int) {
             havoc r;
             assume r * r >= x - y;
             if (*) { call r := p(x, y); }
         }",
    );
}

/// Ranges are found without a solver, and pass the check.
#[test]
fn intervals_alone() {
    let mut only_intervals = options();
    only_intervals.limits = Some(NO_CANDIDATES);
    only_intervals.preconditions = Preconditions::None;
    let provable = [
        // Constants through branches and calls.
        "procedure main() { var r: int; call r := p(); assert 1 <= r; assert r <= 3; }
         procedure p() returns (r: int) { if (*) { call r := q(); r := r + 1; } else { r := 1; } }
         procedure q() returns (r: int) { if (*) { r := 0; } else { r := 2; } }",
        // Conditions narrow.
        "procedure main(a: int) { var r: int; call r := p(a); assert 0 <= r && r < 5; }
         procedure p(a: int) returns (r: int) {
             if (a < 0) { r := 0; } else if (a >= 5) { r := 4; } else { r := a; }
             if (*) { r := r mod 3; }
         }",
        // Recursion is widened to zero.
        "procedure main(n: int) { var r: int; call r := p(n); assert r >= 0; }
         procedure p(n: int) returns (r: int) { r := 0; if (n > 0) { call r := p(n - 1); r := r + 2; } }",
        // No call returns.
        "procedure main(n: int) { call p(n); assert false; }
         procedure p(n: int) { call p(n + 1); }",
        // A failure of the callee is passed on at once.
        "procedure main(n: int) { var r: int; assume n > 0; call r := p(n); assert r >= 1; }
         procedure p(n: int) returns (r: int) { if (*) { r := 1; } else { r := 2; } if (n > 0) { call r := p(n - 1); } }",
    ];
    for text in provable {
        assert!(proves(text, &only_intervals), "{text}");
    }
    let unprovable = [
        "procedure main() { var r: int; call r := p(); assert r <= 2; }
         procedure p() returns (r: int) { if (*) { r := 3; } else { r := 1; } }",
        "procedure main(n: int) { var r: int; call r := p(n); assert r <= 100; }
         procedure p(n: int) returns (r: int) { r := 0; if (n > 0) { call r := p(n - 1); r := r + 2; } }",
        // What the callee gives when it fails is nothing to rely on.
        "var g: int;
         procedure main(n: int) { g := 0; call p(n); assert g == 1; }
         procedure p(n: int) { g := 1; assert n > 0; }",
    ];
    for text in unprovable {
        assert!(!proves(text, &only_intervals), "{text}");
    }
}

const MANY_LOOPS: &str = "
    var s: int, g: int;
    procedure main(n: int) { s := 0; g := 0; call a(n); call b(n); call c(n); assert s == 0; assert g >= 0; }
    procedure lock() { assert s == 0; s := 1; }
    procedure unlock() { assert s == 1; s := 0; }
    procedure a(n: int) { var i: int; i := 0; while (i < n) { call lock(); g := g + 1; call unlock(); i := i + 1; } }
    procedure b(n: int) { call lock(); if (n > 0) { call unlock(); call a(n); call lock(); } call unlock(); }
    procedure c(n: int) { if (n > 0) { call a(n - 1); call c(n - 1); } else { call b(n); } }
";

#[test]
fn what_is_kept_when_the_effort_runs_out_is_inductive() {
    let mut finished = 0;
    let mut kept = BTreeSet::new();
    for effort in [
        0,
        500,
        2_000,
        5_000,
        10_000,
        20_000,
        40_000,
        80_000,
        160_000,
        1_000_000_000,
    ] {
        let mut limited = options();
        limited.effort = effort;
        let mut problem = problem(MANY_LOOPS);
        let stats = infer(&mut problem, &limited, &Budget::unlimited());
        let answer = check_inductive(
            &problem,
            &problem.summaries,
            stats.fixpoint,
            &limited.solver_options,
            &Budget::unlimited(),
        );
        assert_eq!(answer, Ok(Inductive::Yes), "effort {effort}: {stats:?}");
        finished += u32::from(stats.fixpoint);
        kept.insert(stats.kept);
        if effort == 0 {
            assert_eq!(stats.queries, 0);
        }
    }
    assert!(finished > 0, "with enough effort the fixpoint is reached");
    assert!(kept.len() > 1, "the limit decides what is found: {kept:?}");
}

#[test]
fn the_same_program_gives_the_same_summaries() {
    let run = |threads| {
        let mut options = options();
        options.threads = threads;
        let mut problem = problem(MANY_LOOPS);
        let stats = infer(&mut problem, &options, &Budget::unlimited());
        let facts: Vec<String> = problem
            .summaries
            .values()
            .flatten()
            .flat_map(|summary| {
                summary
                    .facts
                    .iter()
                    .map(|&fact| problem.program.pool.term_text(fact))
            })
            .collect();
        (stats.queries, facts)
    };
    let first = run(1);
    assert!(!first.1.is_empty());
    assert_eq!(first, run(1));
    let parallel = run(3);
    assert_eq!(parallel, run(3));
}

/// Summaries of some procedures are inferred after those of others, which are kept and used.
#[test]
fn summaries_are_inferred_in_portions() {
    let text = "var g: int;
         procedure main() { g := 0; call p(); assert g == 0; }
         procedure p() { call q(); if (*) { call p(); } }
         procedure q() { g := g + 1; if (*) { call q(); } g := g - 1; }";
    let mut problem = problem(text);
    let mut options = options();
    options.preconditions = Preconditions::None;
    let check = |problem: &Problem, goal| {
        let options = &options.solver_options;
        check_inductive(problem, &problem.summaries, goal, options, &Budget::unlimited())
    };
    let proc = |problem: &Problem, name| problem.program.proc_by_name(name).expect("a procedure");
    let mut facts = 0;
    for (name, proves) in [("q", false), ("p", true)] {
        let wanted = proc(&problem, name);
        let guesses = guess(&mut problem, &options, |proc| proc == wanted);
        let stats = infer_from(&mut problem, guesses, &options, &Budget::unlimited());
        assert_eq!(stats.failure, None);
        assert!(stats.kept > facts, "{name}");
        facts = stats.kept;
        assert_eq!(check(&problem, false), Ok(Inductive::Yes), "{name}");
        assert_eq!(check(&problem, true) == Ok(Inductive::Yes), proves, "{name}");
    }
    assert!(problem.summaries[proc(&problem, "q")].is_some());
}
