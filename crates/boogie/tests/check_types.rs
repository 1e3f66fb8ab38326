//! Types: synonyms, operators, maps, datatypes, inference.

mod check_support;

use check_support::{accept, reject, warnings};
use lariat_boogie::typed::{ExprKind, StmtKind, Type};

#[test]
fn synonyms_are_expanded() {
    let program = accept(
        "type set a = [a]bool; type pair a b; type swap a b = pair b a;\nvar s: set int; var p: swap int bool; var q: pair bool int;",
    );
    let types: Vec<&Type> = program
        .globals
        .iter()
        .map(|&global| &program.vars[global].ty)
        .collect();
    let Type::Map(map) = types[0] else {
        panic!("{:?}", types[0])
    };
    assert_eq!((&map.indices[..], &map.result), (&[Type::Int][..], &Type::Bool));
    assert_eq!(types[1], types[2]);
}

#[test]
fn recursive_synonyms_are_errors() {
    reject("type a = b;\ntype b = [int]a;", &[("recursive-synonym", 2, 15)]);
    reject("type a t = <u>[a u]int;", &[("recursive-synonym", 1, 16)]);
    accept("datatype list { nil(), cons(head: int, tail: list) }");
}

#[test]
fn type_arguments_are_counted() {
    reject(
        "type c a b; var x: c int;\ntype s a = [a]a; var y: s;\nvar z: <a>[a int]int;",
        &[
            ("wrong-type-arity", 1, 20),
            ("wrong-type-arity", 2, 25),
            ("wrong-type-arity", 3, 12),
        ],
    );
}

#[test]
fn type_parameters_are_used_and_distinct() {
    accept("var a: <t>[]t; procedure p<t>() returns (x: t); function f<t>(): t;");
    reject(
        "type t;\nvar a: <t>[t]int;\nvar b: <u>[int]int;\nvar c: <u>[u]<u>[u]int;\nfunction f<u>(int): int;\nprocedure p<u, u>(x: u);",
        &[
            ("type-parameter-clash", 2, 9),
            ("unused-type-parameter", 3, 8),
            ("duplicate-type-parameter", 4, 15),
            ("unused-type-parameter", 5, 10),
            ("duplicate-type-parameter", 6, 16),
        ],
    );
    reject(
        "type bv7;\nvar x: float1e8;",
        &[("reserved-type-name", 1, 6), ("invalid-float-type", 2, 8)],
    );
}

#[test]
fn arithmetic_is_overloaded() {
    accept(
        "const i: int; const r: real; const f: float24e8;\n\
         axiom i + 1 * i - 2 > i div 2 && i mod 2 <= -i;\n\
         axiom r + 1.5 >= r * r / 2 && i / i == 1.0 && r ** 2.0 != r;\n\
         axiom f + f * f / f - f < f && -f >= f;\n\
         axiom real(i) == r && int(r) == i;",
    );
    reject(
        "const i: int; const r: real; const b: bv8;\naxiom i + r == r;\naxiom i div 1.0 == 0;\naxiom i ** i == i;\naxiom i == r;\naxiom b < b;\naxiom !i;\naxiom real(r) == r;\naxiom i && true;",
        &[
            ("type-mismatch", 2, 7),
            ("type-mismatch", 3, 7),
            ("type-mismatch", 4, 7),
            ("type-mismatch", 5, 7),
            ("type-mismatch", 6, 7),
            ("type-mismatch", 7, 8),
            ("type-mismatch", 8, 12),
            ("type-mismatch", 9, 7),
        ],
    );
}

#[test]
fn division_of_integers_converts_them() {
    let program = accept("const i: int; axiom i / 2 == 0.5;");
    let ExprKind::Binary(_, quotient, _) = &program.axioms[0].expr.kind else {
        panic!()
    };
    let ExprKind::Binary(_, left, right) = &quotient.kind else {
        panic!()
    };
    assert!(
        [left, right]
            .iter()
            .all(|operand| matches!(operand.kind, ExprKind::Convert(..)) && operand.ty == Type::Real)
    );
}

#[test]
fn bit_vectors() {
    let program =
        accept("const b: bv8; const c: bv4; axiom b ++ c == 5bv12 && b[6:2] == c && b[8:8] ++ c == c;");
    assert_eq!(program.axioms.len(), 1);
    reject(
        "const b: bv8;\naxiom b[9:1] == 0bv8;\naxiom b[1:2] == b;\naxiom b ++ 1 == b;\naxiom b[4:0] == b;",
        &[
            ("invalid-extract", 2, 7),
            ("invalid-extract", 3, 7),
            ("type-mismatch", 4, 7),
            ("type-mismatch", 5, 7),
        ],
    );
}

#[test]
fn the_width_of_an_unknown_bit_vector_is_inferred() {
    let program =
        accept("function any<a>(): a; procedure p() returns (r: bv32) { r := any() ++ any()[20:0]; }");
    let StmtKind::Assign(assignments) = &program.implementations[0].body.stmts[0].kind else {
        panic!()
    };
    let ExprKind::Binary(_, left, _) = &assignments[0].1.kind else {
        panic!()
    };
    assert_eq!(left.ty, Type::Bv(12));
    reject(
        "function any<a>(): a; procedure p() returns (r: bv32) {\n r := any()[50:17]; }",
        &[("type-mismatch", 2, 7)],
    );
}

#[test]
fn maps_of_any_arity() {
    accept(
        "const n: []int; const m: [int, bool]real; axiom n[] == n[:= 3][] && m[1, true] == m[1, true := 2.0][1, false];",
    );
    reject(
        "const m: [int]bool;\naxiom m[true];\naxiom m[1, 2];\naxiom m[1 := 2] == m;\naxiom m[1][2];",
        &[
            ("type-mismatch", 2, 9),
            ("wrong-index-count", 3, 7),
            ("type-mismatch", 4, 14),
            ("not-a-map", 5, 7),
        ],
    );
}

#[test]
fn polymorphic_maps_are_instantiated_at_each_use() {
    let program = accept(
        "type ref; type field a; const f: field int; const g: field bool; var heap: <a>[ref, field a]a;\n\
         procedure p(r: ref) returns (i: int) modifies heap; { i := heap[r, f]; heap[r, g] := heap[r, f] > 0; }",
    );
    let StmtKind::Assign(assignments) = &program.implementations[0].body.stmts[1].kind else {
        panic!()
    };
    let ExprKind::Store { type_args, .. } = &assignments[0].1.kind else {
        panic!()
    };
    assert_eq!(type_args[..], [Type::Bool]);
    reject(
        "type field a; const f: field int; const h: <a>[field a]a;\naxiom h[f];\naxiom h[f := true] == h;\naxiom h[1] == 1;",
        &[
            ("type-mismatch", 2, 7),
            ("type-mismatch", 3, 14),
            ("type-mismatch", 4, 9),
        ],
    );
}

#[test]
fn polymorphic_map_types_are_equal_up_to_names() {
    let program = accept(
        "type c a b; var x: <a, b>[c a b]a; var y: <u, v>[c v u]v; axiom (forall m: <p, q>[c p q]p, n: <q, p>[c p q]p :: m == n);",
    );
    let types: Vec<&Type> = program
        .globals
        .iter()
        .map(|&global| &program.vars[global].ty)
        .collect();
    assert_eq!(types[0], types[1]);
    reject(
        "axiom (forall x: <a>[a, a]int, y: <b>[b, int]int :: x == y);",
        &[("type-mismatch", 1, 53)],
    );
    reject(
        "type n a = <b>[b, b, a]int; function h(n (n int)): bool; const e: <b>[b, b, <c>[c, b, int]int]int;\naxiom h(e);",
        &[("type-mismatch", 2, 9)],
    );
    accept(
        "type n a = <b>[b, b, a]int; function h(n (n int)): bool; const e: <b>[b, b, <c>[c, c, int]int]int; axiom h(e);",
    );
}

#[test]
fn type_arguments_come_from_arguments_and_results() {
    accept(
        "type list a; function nil<a>(): list a; function cons<a>(a, list a): list a; function size<a>(list a): int;\n\
         axiom cons(1, nil()) != nil(); axiom size((nil(): list bool)) == 0;\n\
         axiom (forall<a> x: a, l: list a :: {cons(x, l)} size(cons(x, l)) == size(l) + 1);\n\
         procedure id<a>(x: a) returns (y: a); procedure p() { var b: list int; call b := id(nil()); }",
    );
    reject(
        "type list a; function cons<a>(a, list a): list a; const l: list int;\naxiom cons(true, l) == l;",
        &[("type-mismatch", 2, 18)],
    );
    assert_eq!(
        warnings("type l a; function nil<a>(): l a; function size<a>(l a): int;\naxiom size(nil()) == 0;"),
        [("ambiguous-type", 2)]
    );
    reject(
        "type l a; function nil<a>(): l a;\nprocedure {:x nil()} p();",
        &[("ambiguous-type", 2, 15)],
    );
}

#[test]
fn equality_needs_types_with_a_common_instance() {
    accept(
        "axiom (forall<a, b> x: a, y: b :: x == y); type c t; axiom (forall<a> x: a, y: c a, z: c int :: y == z || x == x);",
    );
    reject(
        "type c t; type d t; axiom (forall<b> y: c b, z: d b ::\n y == z);",
        &[("type-mismatch", 2, 2)],
    );
    reject(
        "const m: [int]bool; const n: [bool]bool;\naxiom m == n;",
        &[("type-mismatch", 2, 7)],
    );
}

#[test]
fn datatypes() {
    let program = accept(
        "datatype option<a> { none(), some(value: a) } datatype shape { circle(size: real), square(size: real, tag: int) }\n\
         axiom (forall o: option int :: o is some ==> o == some(o->value) && o->(value := 1)->value == 1);\n\
         procedure p(s: shape) returns (r: real, t: int) { var u: shape; r := s->size; square(r, t) := s; u := s; u->tag := 2; }\n\
         function get<a>(o: option a, d: a): a { if o is none then d else o->value }",
    );
    assert_eq!(program.datatypes.len(), 2);
    reject(
        "datatype d { c(x: int), e(x: bool) }",
        &[("field-type-mismatch", 1, 27)],
    );
    reject(
        "type t; datatype d { c(x: int) } const v: d; const w: t;\naxiom v->y == 0;\naxiom v is k;\naxiom w->x == 0;\naxiom c(true) == v;\naxiom v->(x := true) == v;\naxiom c() == v;",
        &[
            ("undeclared-field", 2, 10),
            ("undeclared-constructor", 3, 12),
            ("not-a-datatype", 4, 7),
            ("type-mismatch", 5, 9),
            ("type-mismatch", 6, 16),
            ("wrong-argument-count", 7, 7),
        ],
    );
    reject(
        "datatype a { a(b: b) }\ndatatype b { b(a: [int]a) }",
        &[("datatype-without-values", 1, 10)],
    );
    reject(
        "datatype d { c(x: int, y: int) } procedure p(v: d) { var i: int;\n c(i, i) := v;\n c(i) := v; }",
        &[("duplicate-declaration", 2, 7), ("wrong-argument-count", 3, 2)],
    );
}

#[test]
fn conditionals_and_lets() {
    accept("const b: bool; axiom (if b then 1 else 2) > 0 && (var x, y := 1, b; y ==> x == 1);");
    reject(
        "const b: bool;\naxiom (if b then 1 else b) == 1;\naxiom (if 1 then b else b);\naxiom (var x := 1; x);\naxiom (var x, y := 1; b);",
        &[
            ("type-mismatch", 2, 7),
            ("type-mismatch", 3, 11),
            ("type-mismatch", 4, 7),
            ("assignment-count", 5, 7),
        ],
    );
}

#[test]
fn lambdas_are_maps() {
    accept(
        "const m: [int, bool]int; axiom m == (lambda i: int, b: bool :: if b then i else 0); const p: <a>[a]bool; axiom p == (lambda<t> x: t :: true);",
    );
    reject(
        "const m: [int]int;\naxiom m == (lambda b: bool :: 1);\naxiom m == (lambda<t> i: int :: i);",
        &[
            ("type-mismatch", 2, 7),
            ("unused-type-parameter", 3, 12),
            ("type-mismatch", 3, 7),
        ],
    );
}

#[test]
fn triggers() {
    accept(
        "function f(int, int): int; axiom (forall x: int, y: int :: {f(x, y)} {f(x, 0), f(y, 0)} {:nopats f(0, 0)} f(x, y) > 0);",
    );
    reject(
        "function f(int): int; function g(int): bool;\naxiom (forall x: int, y: int :: {f(x)} f(x) > 0);\naxiom (forall x: int :: {x} x > 0);\naxiom (forall x: int :: {f(x) == 1} {g(x) && g(x)} {f(x) < 2} {f(x) != 1} true);\naxiom (forall x: int :: {(exists y: int :: x == y)} true);",
        &[
            ("invalid-trigger", 2, 33),
            ("invalid-trigger", 3, 26),
            ("invalid-trigger", 4, 26),
            ("invalid-trigger", 4, 38),
            ("invalid-trigger", 4, 53),
            ("invalid-trigger", 5, 26),
        ],
    );
    reject(
        "function f(int): int; function any<a>(): a;\naxiom (forall<t> x: int :: {f(x)} true);\naxiom (forall<t> x: int :: {f(x), any(): t} true);",
        &[("invalid-trigger", 2, 28)],
    );
}

#[test]
fn literals() {
    accept("axiom 1.5e-3 > 0.0 && 0x1.8e0f24e8 > -0x1.8e0f24e8 && 0NaN53e11 != 0+oo53e11;");
    reject(
        "const x: float53e11;\naxiom x == 0x1.0e0f24e8;",
        &[("type-mismatch", 2, 7)],
    );
    assert_eq!(warnings("axiom 300bv8 == 44bv8;"), [("literal-too-wide", 1)]);
}

#[test]
fn polymorphic_declarations_have_finitely_many_instances() {
    accept(
        "datatype list<a> { nil(), cons(h: a, t: list a) } function len<a>(l: list a): int { if l is nil then 0 else 1 + len(l->t) }",
    );
    reject(
        "datatype list<a> { nil(), cons(h: a, t: list a) }\nfunction f<a>(l: list a): int { f(cons(l, nil())) }",
        &[("expanding-type-cycle", 2, 33)],
    );
    reject(
        "datatype d<a> { leaf(), node(x: d [int]a) }",
        &[("expanding-type-cycle", 1, 10)],
    );
}

#[test]
fn types_cannot_grow_without_bound() {
    let synonyms: String = (0..60)
        .map(|i| format!("type t{} = [t{i}]t{i};\n", i + 1))
        .collect();
    let (program, diagnostics, _) =
        check_support::run(&format!("type t0 = int;\n{synonyms}"), lariat_boogie::check);
    assert!(program.is_none());
    assert!(
        diagnostics
            .iter()
            .all(|diagnostic| diagnostic.code == "type-too-large")
    );
    let nested = format!(
        "function f<a>(x: a): [a]a;\naxiom {}1{} == f(1);",
        "f(".repeat(60),
        ")".repeat(60)
    );
    let (program, _, _) = check_support::run(&nested, lariat_boogie::check);
    assert!(program.is_none());
}
