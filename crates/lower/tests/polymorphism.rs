//! Monomorphisation.

mod common;

use common::{check_asserts, check_axioms, lower, proc_text, try_lower};

#[test]
fn functions_and_axioms_are_instantiated_at_the_types_in_use() {
    check_axioms(
        "type Box;
         function box<a>(x: a) returns (Box);
         function unbox<a>(b: Box) returns (a);
         axiom (forall<a> x: a :: {box(x)} unbox(box(x)) == x);
         procedure P(b: Box) { var i: int; i := unbox(box(3)); assert box(true) == b; }",
        "(forall ((x Int)) (! (= x (unbox<int> (box<int> x))) :pattern ((box<int> x))))
         (forall ((x Bool)) (! (= x (unbox<bool> (box<bool> x))) :pattern ((box<bool> x))))",
    );
}

#[test]
fn definitions_are_instantiated_transitively() {
    check_axioms(
        "function first<a, b>(x: a, y: b) returns (a) { second(y, x) }
         function second<a, b>(x: a, y: b) returns (b) { y }
         procedure P() { assert first(1, true) == 1; }",
        "(forall ((x Int)(y Bool)) (! (= (|second<bool, int>| y x) (|first<int, bool>| x y)) :pattern ((|first<int, bool>| x y))))
         (forall ((x Bool)(y Int)) (! (= y (|second<bool, int>| x y)) :pattern ((|second<bool, int>| x y))))",
    );
}

#[test]
fn polymorphic_maps_are_records_of_the_instances_in_use() {
    let lowered = lower(
        "type Ref; type Field a;
         var heap: <a>[Ref, Field a]a;
         const age: Field int; const ok: Field bool; const r: Ref;
         procedure P() modifies heap; { heap[r, age] := 5; assert heap[r, ok]; }
         procedure Q() { assert heap[r, age] == 5; }",
    );
    let text = lowered.program.text();
    assert!(
        text.contains(
            "heap := (|<a0>[Ref,Field<a0>]a0| (rest heap) (store (|at int| heap) r age 5) (|at bool| heap))"
        ),
        "{text}"
    );
    assert!(text.contains("assert0 (select (|at bool| heap) r ok)"), "{text}");
    assert!(
        text.contains("assert1 (= 5 (select (|at int| heap) r age))"),
        "{text}"
    );
}

#[test]
fn an_asserted_type_quantifier_also_holds_of_an_unknown_type() {
    check_asserts(
        "type Field a; var h: <a>[Field a]a; var k: <a>[Field a]a; const f: Field int;",
        "assert h[f] == 0; assert (forall<a> g: Field a :: h[g] == k[g]); assert (exists<b> g: Field b :: g == f);",
        &[
            "(= (select (|at int| h) f) 0)",
            "(and (forall ((g Field<int>)) (= (select (|at int| h) g) (select (|at int| k) g))) \
             (forall ((g Field<a>)) (= (select (|at a| h) g) (select (|at a| k) g))) \
             (forall ((g Field<b>)) (= (select (|at b| h) g) (select (|at b| k) g))))",
            "(exists ((g Field<int>)) (= f g))",
        ],
    );
}

#[test]
fn lambdas_and_updates_of_polymorphic_maps() {
    let lowered = lower(
        "type Field a; const f: Field int; const c: Field bool;
         procedure P() {
           var h, k: <a>[Field a]Field a;
           h := (lambda<a> x: Field a :: x);
           k := (lambda<a> x: Field a :: h[x]);
           assert k[f] == h[f];
           assert h[f] == f;
           assert h[c] == c;
         }",
    );
    let text = lowered.program.text();
    assert!(
        text.contains("(select (|at int| h) f)") && text.contains("(select (|at bool| h) c)"),
        "{text}"
    );
    assert!(
        text.contains(
            "(forall ((x Field<int>)) (! (= x (select |lambda#0| x)) :pattern ((select |lambda#0| x))))"
        ),
        "{text}"
    );
}

#[test]
fn datatypes_are_instantiated() {
    let lowered = lower(
        "datatype List<T> { Nil(), Cons(head: T, tail: List T) }
         function len<T>(l: List T) returns (int) { if l is Nil then 0 else 1 + len(l->tail) }
         procedure P(l: List int, m: List (List bool)) { assert len(l) == len(m); }",
    );
    let text = lowered.program.text();
    assert!(
        text.contains("proc P(l: List<int>, m: List<List<bool>>)"),
        "{text}"
    );
    assert!(text.contains("(= (len<int> l) (len<List<bool>> m))"), "{text}");
    assert!(text.contains("(forall ((l List<int>)) (! (= (ite ((_ is Nil<int>) l) 0 (+ (len<int> (tail l)) 1)) (len<int> l))"), "{text}");
}

#[test]
fn procedures_are_instantiated_for_their_calls() {
    let lowered = lower(
        "procedure Id<a>(x: a) returns (y: a) ensures y == x; { y := x; }
         procedure Twice<b>(x: b) returns (y: b) { call y := Id(x); call y := Id(y); }
         procedure main() { var i: int; var t: bool; call i := Twice(3); call t := Id(true); }",
    );
    let names: Vec<&str> = lowered.program.procs.values().map(|proc| &*proc.name).collect();
    assert_eq!(names, ["main", "Twice<int>", "Id<bool>", "Id<int>"]);
    assert!(proc_text(&lowered, "Twice<int>").contains("call y := Id<int>(x)"));
}

#[test]
fn a_polymorphic_procedure_that_nothing_calls_works_on_unknown_types() {
    let lowered = lower(
        "procedure Swap<a, b>(x: a, y: b) returns (u: b, v: a) { call u, v := Swap(x, y); }
         procedure Compare<a>(x: a) { assert x == 3; }",
    );
    let text = proc_text(&lowered, "Swap");
    assert!(
        text.starts_with("proc Swap(x: a, y: b) returns (u: b, v: a)"),
        "{text}"
    );
    assert!(text.contains("call u, v := Swap(x, y)"), "{text}");
    assert!(proc_text(&lowered, "Compare").contains("unsupported"), "{text}");
}

#[test]
fn endless_instances_are_an_error() {
    for program in [
        "datatype D<a> { C(x: a) }
         procedure P<a>(x: a) { call P(C(x)); }
         procedure main() { call P(1); }",
        "function f<a>(x: a) returns (bool) { f((lambda i: int :: x)) }
         procedure main() { assert f(1); }",
        "datatype D<a> { C(x: a) }
         function f<a>(x: a) returns (bool);
         axiom (forall<a> x: a :: {f(x)} f(x) == f(C(x)));
         procedure main() { assert f(1); }",
        "datatype D<a> { N(), C(x: D (D a)) } procedure main(d: D int) { }",
    ] {
        let error = try_lower(program).expect_err("endless instances");
        assert!(error.contains("test.bpl:"), "{error}");
    }
}

#[test]
fn a_polymorphic_map_in_itself_is_boxed() {
    let lowered = lower(
        "type Field a; type Heap = <a>[Field a]a;
         const inner: Field Heap; const f: Field int;
         procedure main(h: Heap) { var k: Heap; k := h[inner := h[inner][f := 1]]; assert k[inner][f] == 1; }",
    );
    let text = lowered.program.text();
    assert!(
        text.contains("(select (|at <a0>[Field<a0>]a0| k) inner)"),
        "{text}"
    );
    assert!(text.contains("(|unbox <a0>[Field<a0>]a0| "), "{text}");
    let error =
        try_lower("procedure main(m: <a>[a]int) { assert m[m] == 0; }").expect_err("indexed by itself");
    assert!(error.contains("self-indexed-map"), "{error}");
}
