//! Which conditions of a trace count.

mod support;

use support::case;

#[test]
fn a_branch_without_influence_is_dropped() {
    // Whatever `q` is, the failure only depends on `p`.
    let text = "
        const NULL: int;
        var g: int;
        procedure main(p: int, q: int, r: int) modifies g; {
          var a: int;
          if (q == NULL) { a := q; } else { a := r; }
          a := p;
          if (r == NULL) { call noise(r); }
          assert a != NULL;
        }
        procedure noise(x: int) modifies g; { if (x == 3) { g := 1; } }";
    for (q, r) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let main = case(text, "main").inputs(&[("NULL", 0), ("p", 0), ("q", q), ("r", r)]);
        assert_eq!(main.text(), "blocked (not (= NULL p))", "{q} {r}");
    }
}

#[test]
fn a_branch_that_may_write_the_failing_value_is_kept() {
    let text = "
        const NULL: int;
        procedure main(p: int, q: int) {
          var a: int;
          a := NULL;
          if (p != q) { a := p; }
          assert a != NULL;
        }";
    let equal = case(text, "main").inputs(&[("NULL", 0), ("p", 4), ("q", 4)]);
    // The failure could only be excluded by `p != q`, which the trace's condition is the opposite of.
    assert_eq!(equal.text(), "blocked (not (= p q))");
    let different = case(text, "main").inputs(&[("NULL", 0), ("p", 0), ("q", 4)]);
    assert_eq!(different.text(), "blocked (not (= NULL p))");
}

#[test]
fn a_callee_may_decide_the_failing_value() {
    let text = "
        const NULL: int;
        var g: int;
        procedure main(p: int, q: int) modifies g; {
          var a: int;
          call a := choose(q);
          assert a != NULL;
        }
        procedure choose(x: int) returns (r: int) modifies g; {
          if (x == NULL) { g := NULL; }
          r := g;
        }";
    let null = case(text, "main").inputs(&[("NULL", 0), ("q", 0), ("g", 1)]);
    assert_eq!(null.text(), "blocked (not (= NULL q))");
    let other = case(text, "main").inputs(&[("NULL", 0), ("q", 1), ("g", 0)]);
    assert_eq!(other.text(), "blocked (not (= NULL g))");
}

#[test]
fn a_branch_around_the_failure_is_kept() {
    let text = "
        const NULL: int;
        procedure main(p: int, q: int, n: int) {
          if (n > 5) {
            if (p == q) { assert p != NULL; }
          }
        }";
    let main = case(text, "main").inputs(&[("NULL", 0), ("p", 0), ("q", 0), ("n", 7)]);
    assert_eq!(main.text(), "blocked (or (not (= p q)) (not (= NULL p)))");
}

#[test]
fn a_branch_that_could_end_the_execution_is_kept() {
    // `check` does not return if its argument is null, so what it lets pass is known to differ from null.
    let text = "
        const NULL: int;
        var m: [int]int;
        procedure main(p: int) {
          call check(p);
          assert m[p] != NULL || p == NULL;
        }
        procedure check(x: int) { if (x == NULL) { call stop(); } }
        procedure stop() { assume false; }";
    let main = case(text, "main").inputs(&[("NULL", 0), ("p", 1)]);
    assert_eq!(main.text(), "blocked (not (= NULL (select m p)))");
}

#[test]
fn assumes_at_jump_targets_are_conditions() {
    let text = "
        const NULL: int;
        procedure main(p: int, q: int) {
          start: goto yes, no;
          yes: assume p == q; assert p != NULL; return;
          no: assume p != q; return;
        }";
    let main = case(text, "main").inputs(&[("NULL", 0), ("p", 0), ("q", 0)]);
    assert_eq!(main.text(), "blocked (or (not (= p q)) (not (= NULL p)))");
}

#[test]
fn plain_assumes_are_not_to_be_contradicted() {
    let text = "
        const NULL: int;
        procedure main(p: int, q: int) {
          assume p == q;
          if (p == q) { assert q != NULL; }
        }";
    let main = case(text, "main").inputs(&[("NULL", 0), ("p", 0), ("q", 0)]);
    assert_eq!(main.text(), "blocked (not (= NULL q))");
}

#[test]
fn hard_arithmetic_does_not_get_in_the_way() {
    let text = "
        const NULL: int;
        var m: [int]int;
        procedure main(p: int, k: int, n: int) modifies m; {
          var h: int;
          assume n > 0;
          h := (k * k * n + n * k * 2654435761) mod n;
          assume h * h * n >= k * h;
          m[p + 1] := m[h * n] div (n + 1);
          if (k * n * h <= n mod (k + 3)) { assert m[p] != NULL; }
        }";
    let main = case(text, "main").inputs(&[("NULL", 0), ("p", 5), ("k", 1), ("n", 1)]);
    assert_eq!(main.text(), "blocked (not (= NULL (select m p)))");
}
