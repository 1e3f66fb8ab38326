//! Small programs, correct ones and incorrect ones.

use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_chc::{Attempt, ChcOptions, ChcOutcome, Direction, prove};
use lariat_testkit::boogie::problem;

const PROGRAMS: &[(&str, bool, &str)] = &[
    (
        "counter",
        true,
        "procedure main(n: int) { var i: int; assume n >= 0; i := 0;
            while (i < n) { i := i + 1; } assert i == n; }",
    ),
    (
        "counter past the end",
        false,
        "procedure main(n: int) { var i: int; assume n >= 0; i := 0;
            while (i < n) { i := i + 2; } assert i == n; }",
    ),
    (
        "assertion in the loop",
        true,
        "procedure main(n: int) { var i: int; i := 0;
            while (i < n) { assert i >= 0; i := i + 1; } }",
    ),
    (
        "assertion in the loop fails late",
        false,
        "procedure main(n: int) { var i: int; i := 0;
            while (i < n) { assert i < 7; i := i + 1; } }",
    ),
    (
        "two counters in step",
        true,
        "procedure main() { var x, y: int; x := 0; y := 0;
            while (*) { x := x + 1; y := y + 1; } assert x == y; }",
    ),
    (
        "nested loops",
        true,
        "procedure main(n: int) { var i, j, s: int; i := 0; s := 0;
            while (i < n) { j := 0; while (j < i) { s := s + 1; j := j + 1; } i := i + 1; }
            assert s >= 0; }",
    ),
    (
        "nested loops, wrong",
        false,
        "procedure main(n: int) { var i, j, s: int; i := 0; s := 0;
            while (i < n) { j := 0; while (j < i) { s := s + 1; j := j + 1; } i := i + 1; }
            assert s != 3; }",
    ),
    (
        "lock discipline",
        true,
        "var held: bool;
        procedure main() { held := false; while (*) { call acquire(); if (*) { call work(); } call release(); } }
        procedure acquire() { assert !held; held := true; }
        procedure release() { assert held; held := false; }
        procedure work() { while (*) { call release(); call acquire(); } }",
    ),
    (
        "lock taken twice",
        false,
        "var held: bool;
        procedure main() { held := false; while (*) { call acquire(); if (*) { call work(); } call release(); } }
        procedure acquire() { assert !held; held := true; }
        procedure release() { assert held; held := false; }
        procedure work() { while (*) { call release(); if (*) { call acquire(); } } }",
    ),
    (
        "mutual recursion",
        true,
        "var depth: int;
        procedure main(n: int) { depth := 0; call up(n); assert depth == 0; }
        procedure up(n: int) { depth := depth + 1; if (n > 0) { call down(n - 1); } depth := depth - 1; }
        procedure down(n: int) { depth := depth + 2; if (n > 0) { call up(n - 1); } depth := depth - 2; }",
    ),
    (
        "mutual recursion, wrong",
        false,
        "procedure main(n: int) { var r: bool; assume n >= 0; call r := even(n); assert r; }
        procedure even(n: int) returns (r: bool) { if (n == 0) { r := true; } else { call r := odd(n - 1); } }
        procedure odd(n: int) returns (r: bool) { if (n == 0) { r := false; } else { call r := even(n - 1); } }",
    ),
    (
        "the 91 function",
        true,
        "procedure main(n: int) { var r: int; call r := f(n); assert n > 101 || r == 91; }
        procedure f(n: int) returns (r: int) {
            if (n > 100) { r := n - 10; } else { call r := f(n + 11); call r := f(r); } }",
    ),
    (
        "sum by recursion",
        true,
        "procedure main(n: int) { var s: int; call s := sum(n); assert s >= n; }
        procedure sum(n: int) returns (s: int) {
            if (n <= 0) { s := 0; } else { call s := sum(n - 1); s := s + n; } }",
    ),
    (
        "a map that is set in one place",
        true,
        "procedure main(n: int) { var m: [int]int; var i: int; m[0] := 5; i := 1;
            while (i < n) { m[i] := 0; i := i + 1; } assert m[0] == 5; }",
    ),
    (
        "a map whose place is overwritten",
        false,
        "procedure main(n: int) { var m: [int]int; var i: int; m[3] := 5; i := 1;
            while (i < n) { m[i] := 0; i := i + 1; } assert m[3] == 5; }",
    ),
    (
        "bit-vectors",
        true,
        "function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8) returns (bv8);
        function {:bvbuiltin \"bvand\"} and(a: bv8, b: bv8) returns (bv8);
        procedure main() { var x: bv8; x := 0bv8;
            while (*) { x := add(x, 2bv8); } assert and(x, 1bv8) == 0bv8; }",
    ),
    (
        "bit-vectors that run over",
        false,
        "function {:bvbuiltin \"bvadd\"} add(a: bv4, b: bv4) returns (bv4);
        function {:bvbuiltin \"bvult\"} less(a: bv4, b: bv4) returns (bool);
        procedure main() { var x, y: bv4; x := 0bv4;
            while (*) { y := x; x := add(x, 3bv4); assert less(y, x); } }",
    ),
    (
        "a constant has one value",
        true,
        "const k: int; axiom k > 3;
        procedure main() { var x: int; x := k; while (*) { call x := same(x); } assert x == k && x > 3; }
        procedure same(x: int) returns (y: int) { if (x == k) { y := k; } else { y := 0; } }",
    ),
    (
        "a function is left open",
        true,
        "function f(x: int) returns (int);
        procedure main(n: int) { var i, a: int; i := 0; a := f(n);
            while (*) { if (f(i) > 0) { i := i + 1; } } assert i >= 0; }",
    ),
    (
        "a quantified axiom does not prove by its contradiction",
        false,
        "function f(x: int) returns (int);
        axiom (forall x: int :: f(x) > 0); axiom (forall x: int :: f(x) < 0);
        procedure main() { var i: int; i := 0; while (*) { i := i + f(i); } assert i != 1; }",
    ),
    (
        "a loop without an end",
        true,
        "procedure main() { var i: int; i := 0; while (true) { i := i + 1; } assert false; }",
    ),
    (
        "a failure after a loop that ends",
        false,
        "procedure main() { var i: int; i := 9; while (i != 0) { i := i - 1; if (*) { i := i; } } assert i > 0; }",
    ),
    (
        "an uninterpreted sort",
        true,
        "type ref; const null: ref;
        procedure main(r: ref) { var c: int; c := 0; while (r != null) { c := c + 1; if (*) { break; } }
            assert c >= 0; }",
    ),
];

/// The answer in a word.
fn answer(text: &str, options: &ChcOptions, seconds: u64) -> String {
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    match prove(&problem(text), options, &budget) {
        ChcOutcome::Proved(_) => "proved".into(),
        ChcOutcome::Reachable => "reachable".into(),
        ChcOutcome::Unknown(reason) => reason,
        ChcOutcome::Declined(reason) => reason,
    }
}

#[test]
fn the_correct_ones_are_proved_and_no_others() {
    for &(name, correct, text) in PROGRAMS {
        let word = answer(text, &ChcOptions::default(), 60);
        let expected = match correct {
            true => "proved",
            false => "reachable",
        };
        // What was left open may hide that it is wrong.
        assert!(
            word == expected || (!correct && word.contains("left open")),
            "{name}: {word}"
        );
    }
}

#[test]
fn no_direction_is_wrong() {
    for direction in [Direction::Forward, Direction::Backward] {
        for &(name, correct, text) in PROGRAMS {
            let options = ChcOptions {
                attempts: vec![Attempt::new(direction)],
                ..ChcOptions::default()
            };
            let word = answer(text, &options, 2);
            let wrong = match correct {
                true => "reachable",
                false => "proved",
            };
            assert_ne!(word, wrong, "{name} {direction:?}");
        }
    }
}

#[test]
fn a_hard_problem_ends_with_its_budget() {
    // That the sum of the first odd numbers is a square is beyond Spacer.
    let text = "procedure main(n: int) { var i, s, q: int; i := 0; s := 0;
        while (i < n) { s := s + 2 * i + 1; i := i + 1; } q := i * i; assert s == q; }";
    let started = Instant::now();
    let word = answer(text, &ChcOptions::default(), 1);
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(word, "time limit reached");
    // The process goes on as if nothing had been.
    let (name, _, easy) = PROGRAMS[0];
    assert_eq!(answer(easy, &ChcOptions::default(), 60), "proved", "{name}");
}

#[test]
fn an_interruption_from_outside_ends_it() {
    let text = "procedure main(n: int) { var i, s, q: int; i := 0; s := 0;
        while (i < n) { s := s + 2 * i + 1; i := i + 1; } q := i * i; assert s == q; }";
    let budget = Budget::unlimited();
    let other = budget.clone();
    let started = Instant::now();
    let interrupter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        other.interrupt();
    });
    let outcome = prove(&problem(text), &ChcOptions::default(), &budget);
    assert!(matches!(outcome, ChcOutcome::Unknown(_)), "{outcome:?}");
    assert!(started.elapsed() < Duration::from_secs(20));
    interrupter.join().expect("the other thread");
}
