//! What the exploration finds and claims, and that it remembers what it may and no more.

use lariat_base::Budget;
use lariat_paths::{PathOptions, PathOutcome, PathStats, explore};
use lariat_testkit::boogie::problem;

fn run(text: &str, max_bound: u32, steps: Option<u64>) -> (String, PathStats) {
    let options = PathOptions {
        max_bound,
        stack_depth: None,
        steps,
        solver_options: vec![("smt.mbqi".into(), "false".into())],
    };
    let budget = Budget::unlimited().within(lariat_testkit::HANG);
    let (outcome, stats) = explore(&problem(text), &options, &budget, &mut |_| {});
    let answer = match outcome {
        PathOutcome::Reached(found) => format!("reached within {}", found.bound),
        PathOutcome::Proved => "proved".to_owned(),
        PathOutcome::Bounded { bound, cut, .. } => format!("bounded({bound}), {} cut", cut.len()),
        PathOutcome::Unknown { reason, bound } => format!("{reason}, {bound:?}"),
    };
    (answer, stats)
}

fn answer(text: &str, max_bound: u32) -> String {
    run(text, max_bound, None).0
}

/// Each round chooses a way, and the last one looks at the sum. The rounds are constant, so that the smallest bound has them all.
fn rounds(count: u32, step: &str, claim: &str) -> String {
    format!(
        "procedure main() {{ var i, x, y: int; i := 0; x := 0; y := 0;
            while (i < {count}) {{ if (*) {{ {step} }} i := i + 1; }} assert {claim}; }}"
    )
}

#[test]
fn both_ways_of_a_branch_are_taken() {
    let text = |claim: &str| {
        format!(
            "procedure main(a: int) {{ var x: int; if (a < 3) {{ x := a; }} else {{ x := 3; }} assert {claim}; }}"
        )
    };
    assert_eq!(answer(&text("x <= 3"), 1), "proved");
    assert_eq!(answer(&text("x < 3"), 1), "reached within 1");
    assert_eq!(answer(&text("x >= 3"), 1), "reached within 1");
}

#[test]
fn a_bound_cuts_and_is_told() {
    let text = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i < 5 || n >= 5; assert i != 6; }";
    assert_eq!(answer(text, 3), "bounded(3), 1 cut");
    assert_eq!(answer(text, 16), "reached within 8");
}

#[test]
fn a_limit_leaves_only_completed_bounds() {
    let text = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i >= 0; }";
    let (answer, _) = run(text, u32::MAX, Some(2_000));
    assert!(
        answer.starts_with("limit on the solver's effort reached, Some("),
        "{answer}"
    );
}

#[test]
fn states_that_agree_in_what_matters_are_explored_once() {
    // 2^40 paths; what they choose is never looked at.
    let (answer, stats) = run(&rounds(40, "x := x + i;", "i == 40"), 64, None);
    assert_eq!(answer, "proved");
    assert!(stats.paths < 5_000, "{stats:?}");
    // What is looked at has few values.
    let (answer, stats) = run(&rounds(30, "x := 1 - x;", "x <= 1"), 64, None);
    assert_eq!(answer, "proved");
    assert!(stats.known > 0 && stats.paths < 20_000, "{stats:?}");
}

#[test]
fn states_that_differ_in_what_matters_are_not_mistaken_for_each_other() {
    // One of 2^7 paths, and not the first one, violates the claim; the rest agree in all but x or y.
    assert_eq!(
        answer(&rounds(7, "x := 2 * x + 1;", "x != 127"), 64),
        "reached within 1"
    );
    assert_eq!(
        answer(&rounds(7, "x := y; y := y + 1;", "x < 6"), 64),
        "reached within 1"
    );
    // Values change places: each is needed of the other.
    let swapped = "procedure main(a: int, b: int) { var i, x, y: int; i := 0; x := a; y := b;
        while (i < 3) { if (*) { x, y := y, x; } i := i + 1; } assert x == a || x != b || a == 0; }";
    assert_eq!(answer(swapped, 8), "reached within 1");
}

#[test]
fn assumptions_on_the_way_are_part_of_what_is_remembered() {
    // The same values with other assumptions: only behind the second way can b be 7.
    let text = "procedure main(b: int) { var i: int; i := 0;
        if (*) { assume 0 <= b && b < 5; } else { assume 0 <= b && b < 9; }
        while (i < 3) { i := i + 1; } assert b != 7; }";
    assert_eq!(answer(text, 8), "reached within 1");
    let text = "procedure main(b: int, c: int) { var i: int; i := 0;
        if (*) { assume b + c < 5; } else { assume b + c < 9; }
        while (i < 3) { i := i + 1; } assert b + c != 7; }";
    assert_eq!(answer(text, 8), "reached within 1");
}

#[test]
fn entries_of_maps_are_told_apart() {
    let text = |claim: &str| {
        format!(
            "var m: [int]int;
            procedure main(k: int) {{ var i: int; i := 0; m[0] := 1; m[1] := 2; m[2] := 3;
                assume 0 <= k && k < 3;
                while (i < 4) {{ if (*) {{ m[5] := i; }} i := i + 1; }}
                m[k] := m[k] + 1; assert {claim}; }}"
        )
    };
    assert_eq!(answer(&text("m[0] + m[1] + m[2] == 7"), 8), "proved");
    assert_eq!(answer(&text("m[1] == 2 || k == 1"), 8), "proved");
    assert_eq!(answer(&text("m[2] == 3"), 8), "reached within 1");
    assert_eq!(answer(&text("m[5] != 2"), 8), "reached within 1");
}

#[test]
fn recursion_counts_as_in_the_other_engines() {
    let text = "procedure f(n: int) returns (r: int) { if (n <= 0) { r := 0; } else { call r := f(n - 1); r := r + 1; } }
        procedure main(n: int) { var r: int; assume n < 6; call r := f(n); assert r != 3; assert r <= 5; }";
    assert_eq!(answer(text, 3), "bounded(3), 1 cut");
    assert_eq!(answer(text, 4), "reached within 4");
    assert_eq!(answer(&text.replace("assert r != 3;", ""), 8), "proved");
}
