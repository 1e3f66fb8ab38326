//! k-induction: what it proves, and that it is not fooled.

use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_chc::{KInductionOptions, KInductionOutcome, prove_by_k_induction};
use lariat_testkit::boogie::problem;

fn answer(text: &str) -> String {
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    match prove_by_k_induction(&problem(text), &KInductionOptions::default(), &budget) {
        KInductionOutcome::Proved { k } => format!("k = {k}"),
        KInductionOutcome::Unknown(reason) => reason,
        KInductionOutcome::Declined(reason) => format!("declined: {reason}"),
    }
}

/// The value that was shifted in is seen two rounds later.
const DELAYED: &str = "procedure main(c: int) { var x, y, z: int; x := c; y := c; z := START;
    while (*) { assert x == c; x := y; y := z; z := c; } }";

#[test]
fn the_needed_depth_is_found() {
    assert_eq!(answer(&DELAYED.replace("START", "c")), "k = 3");
    let shallow =
        "procedure main() { var x: int; x := 0; while (*) { x := 1 - x; assert x <= 1 && x >= 0; } }";
    assert_eq!(answer(shallow), "k = 1");
    let invariant = "procedure main(n: int) { var i: int; while (i < n) { assert i < n; i := i + 1; } }";
    assert_eq!(answer(invariant), "k = 0");
}

#[test]
fn the_base_is_part_of_it() {
    // The step alone holds as above, the third round fails.
    assert_eq!(
        answer(&DELAYED.replace("START", "c + 1")),
        "not inductive up to k = 3"
    );
    // Failures in the first round, after the loop, and without the loop.
    for wrong in [
        "procedure main() { var x: int; x := 1; while (*) { assert x == 0; x := 0; } }",
        "procedure main() { var x: int; x := 0; while (*) { x := x + 1; } assert x < 9; }",
        "procedure main() { var x: int; x := 0; if (*) { while (*) { x := 0; } } else { x := 1; } assert x == 0; }",
    ] {
        assert_eq!(answer(wrong), "not inductive up to k = 3", "{wrong}");
    }
}

#[test]
fn loops_in_a_row_and_in_each_other() {
    let correct = "procedure main(n: int) { var i, j: int; i := 0; j := 0; assume n >= 0;
        while (i < n) { i := i + 1; } while (j < i) { j := j + 1; } assert i == n && j == i; }";
    assert_eq!(answer(correct), "k = 1");
    let wrong = correct.replace("j := j + 1", "j := j + 2");
    assert_eq!(answer(&wrong), "not inductive up to k = 3");
    let nested = "procedure main(n: int) { var i, j: int; i := 0;
        while (i < n) { j := 0; while (j <= i) { assert j <= i; j := j + 1; } assert j > i; i := i + 1; } }";
    assert!(answer(nested).starts_with("k = "), "{}", answer(nested));
    let wrong = nested.replace("assert j > i", "assert j > i + 1");
    assert_eq!(answer(&wrong), "not inductive up to k = 3");
    // The failure is in the fourth round of the inner loop in the fourth of the outer one.
    let late = nested.replace("assert j <= i", "assert j != 3");
    assert_eq!(answer(&late), "not inductive up to k = 3");
}

#[test]
fn calls_in_loops_are_inlined() {
    let text = "var owner: int;
        procedure main(nobody: int, me: int) { assume me != nobody; owner := nobody;
            while (*) { call acquire(nobody, me); call release(nobody, me); } }
        procedure acquire(nobody: int, me: int) { assert owner == nobody; owner := me; }
        procedure release(nobody: int, me: int) { assert owner == me; owner := FREE; }";
    assert_eq!(answer(&text.replace("FREE", "nobody")), "k = 1");
    assert_eq!(answer(&text.replace("FREE", "me")), "not inductive up to k = 3");
}

#[test]
fn other_recursion_is_declined() {
    let text = "procedure main(n: int) { call p(n); }
        procedure p(n: int) { assert n > -1; if (n > 0) { call p(n - 1); call p(n - 1); } }";
    assert_eq!(answer(text), "declined: p is recursive and no loop");
    let not_tail = "procedure main(n: int) { var r: int; call r := p(n); assert r >= 0; }
        procedure p(n: int) returns (r: int) { r := 0; if (n > 0) { call r := p(n - 1); r := r - 1; } }";
    assert_eq!(answer(not_tail), "declined: p is recursive and no loop");
}

#[test]
fn the_budget_ends_it() {
    // Nobody knows whether 114 is a sum of three cubes.
    let text = "procedure main() { var x, y, z: int;
        while (*) { assert x * x * x + y * y * y + z * z * z != 114; havoc x, y, z; } }";
    let budget = Budget::new(Some(Duration::from_millis(500)), None);
    let started = Instant::now();
    let outcome = prove_by_k_induction(&problem(text), &KInductionOptions::default(), &budget);
    assert!(
        !matches!(outcome, KInductionOutcome::Proved { .. }),
        "{outcome:?}"
    );
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}
