//! Types, functions, operators, binders.

mod common;

use common::{check_asserts, check_axioms, lower};

#[test]
fn plain_functions_get_an_axiom_and_inline_ones_are_substituted() {
    check_axioms(
        "function f(x: int) returns (int) { x + 1 }
         function {:inline} g(x: int) returns (int) { f(x) + x }
         function {:define} d(x: int) returns (bool) { x > 0 }
         function unused(x: int) returns (int) { x }
         axiom d(g(3));",
        "(< 0 (+ (f 3) 3))
         (forall ((x Int)) (! (= (+ x 1) (f x)) :pattern ((f x))))",
    );
}

#[test]
fn a_recursive_definition_is_an_axiom() {
    check_axioms(
        "function even(x: int) returns (bool) { x == 0 || !even(x - 1) }
         axiom even(4);",
        "(even 4)
         (forall ((x Int)) (! (= (or (= x 0) (not (even (+ x (- 1))))) (even x)) :pattern ((even x))))",
    );
}

#[test]
fn unique_constants_are_distinct_per_type() {
    check_axioms(
        "type T;
         const unique a: int; const unique b: int; const unique c: int;
         const unique s: T; const unique t: T; const u: T; const unique only: bool;",
        "(distinct a b c)
         (not (= s t))",
    );
}

#[test]
fn builtin_functions_are_operators() {
    check_asserts(
        "function {:bvbuiltin \"bvadd\"} add(bv8, bv8) returns (bv8);
         function {:bvbuiltin \"bvsgt\"} sgt(bv8, bv8) returns (bool);
         function {:bvbuiltin \"(_ zero_extend 8)\"} zext(bv8) returns (bv16);
         function {:bvbuiltin \"sign_extend 8\"} sext(bv8) returns (bv16);
         function {:builtin \"div\"} division(int, int) returns (int);
         function {:builtin \"(_ int2bv 8)\"} to_bv(int) returns (bv8);
         function {:builtin \"bv2int\"} to_int(bv8) returns (int);
         function {:builtin \"MapConst\"} all(bool) returns ([int]bool);
         function {:builtin \"fp.add RNA\"} fadd(float24e8, float24e8) returns (float24e8);
         function {:builtin \"str.len\"} length(string) returns (int);
         const x: bv8; const y: bv8; const i: int; const f: float24e8; const s: string;",
        "assert add(x, y) == x;
         assert sgt(x, y);
         assert zext(x) == sext(y);
         assert division(i, 2) == 3;
         assert to_int(to_bv(i)) == 1;
         assert all(true)[i];
         assert fadd(f, f) == f;
         assert length(s) == 2;",
        &[
            "(= x (bvadd x y))",
            "(bvslt y x)",
            "(= ((_ zero_extend 8) x) ((_ sign_extend 8) y))",
            "(= (div i 2) 3)",
            "(= (ubv_to_int ((_ int2bv 8) i)) 1)",
            "true",
            "(= f (fp.add RNA f f))",
            "(= 2 (str.len s))",
        ],
    );
}

#[test]
fn operators_follow_their_types() {
    check_asserts(
        "const a: int; const b: int; const r: real; const f: float24e8; const g: float24e8;
         const v: bv8; const w: bv4; const p: bool; const q: bool;",
        "assert a div b == a mod b;
         assert a / b == r;
         assert int(r) == a;
         assert f + g <= f;
         assert f != g;
         assert v[4:0] ++ w == v;
         assert p ==> q ==> p;
         assert q <== p;
         assert a < b;
         assert r ** 2.0 > r;
         assert (if p then a else b) == a;",
        &[
            "(= (div a b) (mod a b))",
            "(= r (/ (to_real a) (to_real b)))",
            "(= a (to_int r))",
            "(fp.leq (fp.add RNE f g) f)",
            "(not (= f g))",
            "(= v (concat ((_ extract 3 0) v) w))",
            "true",
            "(or (not p) q)",
            "(< a b)",
            "(< r (^ r 2.0))",
            "(= a (ite p a b))",
        ],
    );
}

#[test]
fn bit_vectors_of_width_zero() {
    check_asserts(
        "const v: bv8; const e: bv0;",
        "assert v[3:3] ++ v == v; assert e == 0bv0;",
        &["true", "(= e empty)"],
    );
}

#[test]
fn maps_have_any_number_of_indices() {
    check_asserts(
        "var m: [int, bool]int; var z: []int;",
        "assert m[1, true := 5][1, true] == 5; assert m[2, false] == 3; assert z[] == 4;",
        &["true", "(= (select m 2 false) 3)", "(= (select z false) 4)"],
    );
}

#[test]
fn quantifiers_keep_triggers_and_lose_impossible_ones() {
    check_axioms(
        "function f(int) returns (int);
         function {:inline} pos(x: int) returns (bool) { x > 0 }
         axiom (forall x: int, y: int :: {f(x), f(y)} f(x) == f(y));
         axiom (forall x: int :: {pos(x)} {f(x)} pos(x) ==> f(x) > 0);
         axiom (exists x: int :: f(x) == 0);",
        "(forall ((x Int)(y Int)) (! (= (f x) (f y)) :pattern ((f x) (f y))))
         (forall ((x Int)) (! (or (<= x 0) (< 0 (f x))) :pattern ((f x))))
         (exists ((x Int)) (= 0 (f x)))",
    );
}

#[test]
fn lambdas_are_lifted_and_shared() {
    let lowered = lower(
        "procedure P(a: int, b: int) {
           assert (lambda x: int :: x + a) == (lambda y: int :: y + b);
           assert (lambda x: int :: x + a)[2] == 3;
         }
         procedure Q(c: int) { assert (lambda z: int :: z + c)[0] == c; }",
    );
    let text = lowered.program.text();
    assert_eq!(text.matches("axiom").count(), 1, "{text}");
    assert!(
        text.contains("axiom (forall ((a Int)(x Int)) (! (= (+ x a) (select (|lambda#0| a) x)) :pattern ((select (|lambda#0| a) x))))"),
        "{text}"
    );
    assert!(
        text.contains("assert0 (= (|lambda#0| a) (|lambda#0| b))"),
        "{text}"
    );
    assert!(text.contains("(select (|lambda#0| c) 0)"), "{text}");
}

#[test]
fn let_substitutes_simultaneously() {
    check_asserts(
        "const x: int; const y: int;",
        "assert (var x, y := y, x; x - y > 0);",
        &["(< 0 (+ y (* (- 1) x)))"],
    );
}

#[test]
fn fields_of_several_constructors() {
    check_asserts(
        "datatype D { A(v: int, w: bool), B(v: int), C() }
         const d: D;",
        "assert d->v == 1; assert d is C; assert d->(v := 2) == d; assert A(3, true)->v == 3;",
        &[
            "(= (ite ((_ is A) d) (A.v d) (B.v d)) 1)",
            "((_ is C) d)",
            "(= d (ite ((_ is A) d) (A 2 (w d)) (B 2)))",
            "true",
        ],
    );
}

#[test]
fn unpacking_checks_the_constructor() {
    let lowered = lower(
        "datatype D { A(v: int, w: bool), B() }
         procedure main(d: D) { var x: int; var y: bool; A(x, y) := d; }",
    );
    let text = common::proc_text(&lowered, "main");
    assert!(
        text.contains("assert0 ((_ is A) d)\n  x, y := (v d), (w d)\n"),
        "{text}"
    );
}

#[test]
fn code_expressions_are_weakest_preconditions() {
    check_asserts(
        "const c: int;",
        "assert |{ var k: int; start: k := c; goto a, b;
                   a: assume k > 2; return k == 3;
                   b: assert k < 9; havoc k; return k == k; }|;",
        &["(and (or (<= c 2) (= c 3)) (< c 9))"],
    );
    check_asserts(
        "",
        "assert |{ var k: int; s: return k > 0; }|;",
        &["(forall ((k Int)) (< 0 k))"],
    );
}
