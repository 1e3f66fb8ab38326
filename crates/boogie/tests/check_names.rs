//! Names: declarations, scopes, labels, `modifies` clauses.

mod check_support;

use check_support::{accept, hint, reject, run};
use lariat_boogie::check_completing_modifies;
use lariat_boogie::typed::{StmtKind, VarKind};

#[test]
fn each_namespace_is_its_own() {
    let program = accept(
        "type x; var x: x; function x(x: x): x; procedure x(x: x);\n\
         implementation x(y: x) { x: goto x; }",
    );
    assert_eq!(program.globals.len(), 1);
    assert_eq!(program.implementations.len(), 1);
}

#[test]
fn duplicates_are_errors() {
    reject("type t;\ntype t = int;", &[("duplicate-declaration", 2, 6)]);
    reject("const c: int;\nvar c: bool;", &[("duplicate-declaration", 2, 5)]);
    reject(
        "function f(): int;\ndatatype d { f() }",
        &[("duplicate-declaration", 2, 14)],
    );
    reject(
        "procedure p();\nprocedure p();",
        &[("duplicate-declaration", 2, 11)],
    );
    reject(
        "procedure p(a: int) returns (a: int);",
        &[("duplicate-declaration", 1, 30)],
    );
    reject(
        "function f(a: int, a: int): int;",
        &[("duplicate-declaration", 1, 20)],
    );
    reject(
        "axiom (forall i: int, i: int :: true);",
        &[("duplicate-declaration", 1, 23)],
    );
    reject(
        "procedure p(a: int)\n{ var a: int; }",
        &[("duplicate-declaration", 2, 7)],
    );
}

#[test]
fn an_extern_declaration_gives_way() {
    let program = accept(
        "procedure {:extern} p(x: bool); procedure p(x: int); var {:extern} g: bool; var g: int;\n\
         procedure q() modifies g; { call p(1); g := 2; }",
    );
    assert_eq!(program.procedures.len(), 2);
    assert_eq!(program.globals.len(), 1);
}

#[test]
fn inner_names_shadow_outer_ones() {
    let program = accept(
        "const x: bool;\n\
         procedure p(y: int) returns (x: int) { x := y; assume (forall y: bool :: y ==> (exists x: bool :: x)); x := y; }",
    );
    let body = &program.implementations[0].body;
    let StmtKind::Assign(assignments) = &body.stmts[0].kind else {
        panic!("{:?}", body.stmts[0])
    };
    assert_eq!(program.vars[assignments[0].0].kind, VarKind::Out);
}

#[test]
fn undeclared_names_are_reported_where_they_stand() {
    reject(
        "axiom a + f(b) == 0;\nvar v: t;\nprocedure p() { call q(); goto l; }",
        &[
            ("undeclared-type", 2, 8),
            ("undeclared-variable", 1, 7),
            ("undeclared-variable", 1, 13),
            ("undeclared-function", 1, 11),
            ("undeclared-procedure", 3, 22),
            ("undeclared-label", 3, 32),
        ],
    );
    reject("implementation p() { }", &[("undeclared-procedure", 1, 16)]);
}

#[test]
fn a_similar_name_is_suggested() {
    assert_eq!(
        hint("const counter: int; axiom countre > 0;"),
        "did you mean `counter`?"
    );
    assert_eq!(hint("type element; var x: elemnt;"), "did you mean `element`?");
    assert!(hint("procedure f(); axiom f() == 0;").contains("is a procedure"));
}

#[test]
fn names_of_the_library_are_recognised() {
    assert!(hint("var v: Vec int;").contains("-lib"));
    assert!(hint("axiom Seq_Len(0) == 0;").contains("-lib"));
    accept("type Vec a; function Vec_Len<a>(v: Vec a): int; axiom (forall v: Vec int :: Vec_Len(v) >= 0);");
}

#[test]
fn labels_and_breaks() {
    accept(
        "procedure p(n: int) {\n\
         a: while (n > 0) { b: if (*) { break a; } else if (*) { break b; } else { break; } }\n\
         goto inner; while (*) { inner: } }",
    );
    reject("procedure p() { l: l: }", &[("duplicate-declaration", 1, 20)]);
    reject("procedure p() { break; }", &[("misplaced-break", 1, 17)]);
    reject(
        "procedure p() { l: assume true; while (*) {\n break l; m: while (*) { } break m;\n k: break k; } }",
        &[
            ("misplaced-break", 2, 8),
            ("misplaced-break", 2, 34),
            ("misplaced-break", 3, 11),
        ],
    );
    reject(
        "procedure p() { if (*) { break x; } }",
        &[("undeclared-label", 1, 32)],
    );
}

#[test]
fn only_mutable_variables_are_assigned() {
    reject(
        "const c: int;\nprocedure p(i: int) returns (o: int) {\n c := 1;\n i := 1;\n o := 1;\n havoc c, i, o;\n}",
        &[
            ("immutable", 3, 2),
            ("immutable", 4, 2),
            ("immutable", 6, 8),
            ("immutable", 6, 11),
        ],
    );
}

#[test]
fn globals_need_the_modifies_clause() {
    accept(
        "var g: [int]int; procedure p() modifies g; { g[1] := 2; havoc g; call q(); } procedure q(); modifies g;",
    );
    reject(
        "var g: int; var h: int;\nprocedure q() returns (x: int); modifies h;\nprocedure p() modifies h; {\n\
         g := 1;\n havoc h, g;\n call g := q();\n}\nprocedure r() { var x: int;\n call x := q(); }",
        &[
            ("not-in-modifies", 4, 1),
            ("not-in-modifies", 5, 11),
            ("not-in-modifies", 6, 7),
            ("not-in-modifies", 9, 12),
        ],
    );
    reject(
        "const c: int; procedure p(a: int); modifies c;\nmodifies a;",
        &[("modifies-constant", 1, 45), ("undeclared-variable", 2, 10)],
    );
}

#[test]
fn modifies_clauses_can_be_completed() {
    let text = "var g: int; var h: int;\n\
                procedure a() { call b(); }\n\
                procedure b() { if (*) { g := 1; } else { call c(); } }\n\
                procedure c() modifies h; { if (*) { call b(); } h := 1; }\n\
                procedure d() { async call b(); }";
    let (program, diagnostics, _) = run(text, check_completing_modifies);
    let program = program.expect("accepted");
    let names: Vec<Vec<&str>> = program
        .procedures
        .values()
        .map(|procedure| {
            procedure
                .modifies
                .iter()
                .map(|&global| &*program.vars[global].name)
                .collect()
        })
        .collect();
    assert_eq!(names, [vec!["g", "h"], vec!["g", "h"], vec!["g", "h"], vec![]]);
    assert_eq!(
        diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code)
            .collect::<Vec<_>>(),
        ["completed-modifies"]
    );
}

#[test]
fn state_is_visible_where_there_is_one() {
    accept(
        "var g: int where g > 0;\n\
         procedure p(x: int where x < g) returns (y: int where y < x); requires x < g; modifies g; ensures g == old(g) + y;\n\
         implementation p(a: int) returns (b: int) { b := old(g); }",
    );
    reject(
        "var g: int;\naxiom g > 0;\nfunction f(): int { g }",
        &[("global-not-allowed", 3, 21), ("global-not-allowed", 2, 7)],
    );
    reject(
        "var g: int; procedure p(x: int where y > 0) returns (y: int where old(y) > 0);\nrequires old(g) == 0;\naxiom old(1) == 1;",
        &[
            ("misplaced-old", 3, 7),
            ("undeclared-variable", 1, 38),
            ("misplaced-old", 2, 10),
            ("misplaced-old", 1, 67),
        ],
    );
}

#[test]
fn pure_procedures_have_no_state() {
    accept(
        "pure procedure p(x: int) returns (y: int); ensures y == x; pure procedure q(x: int) { var y: int; call y := p(x); }",
    );
    reject(
        "var g: int;\npure procedure p();\nmodifies g;\nrequires g > 0;\npure procedure q() { var x: int;\n x := g;\n call r(); }\nprocedure r();",
        &[
            ("impure", 3, 1),
            ("global-not-allowed", 4, 10),
            ("global-not-allowed", 6, 7),
            ("impure", 7, 7),
        ],
    );
}

#[test]
fn statement_ids_differ() {
    accept("procedure p() { assume {:id \"a\"} true; assert {:id \"b\"} true; }");
    reject(
        "procedure p() { assume {:id \"a\"} true;\n assert {:id \"a\"} true;\n while (*) invariant {:id \"a\"} true; { } }",
        &[
            ("duplicate-statement-id", 2, 9),
            ("duplicate-statement-id", 3, 22),
        ],
    );
}

#[test]
fn all_errors_of_a_run_are_reported() {
    reject(
        "const a: int;\naxiom a;\naxiom a == b;\naxiom a && true;",
        &[
            ("type-mismatch", 2, 7),
            ("undeclared-variable", 3, 12),
            ("type-mismatch", 4, 7),
        ],
    );
}
