//! Procedures, implementations, statements, calls, code expressions, functions with bodies.

mod check_support;

use check_support::{accept, reject};
use lariat_boogie::typed::{ExprKind, StmtKind, Type};

#[test]
fn implementations_match_their_procedures() {
    let program = accept(
        "type c a; procedure p<a, b>(x: a, y: c b) returns (z: b);\n\
         implementation p<u, v>(s: u, t: c v) returns (r: v) { }\n\
         implementation p<v, u>(s: u, t: c v) returns (r: v) { }",
    );
    assert_eq!(program.implementations.len(), 2);
    reject(
        "procedure p(x: int) returns (y: bool);\nimplementation p(x: bool) returns (y: bool) { }\nimplementation p() returns (y: bool) { }\nimplementation p<a>(x: a) returns (y: bool) { }",
        &[
            ("implementation-mismatch", 2, 18),
            ("implementation-mismatch", 3, 16),
            ("implementation-mismatch", 4, 16),
        ],
    );
}

#[test]
fn a_body_in_place_has_its_own_parameters() {
    let program = accept("procedure {:entrypoint} p<a>(x: a where x == x) returns (y: a) { y := x; }");
    let procedure = program.procedures.values().next().unwrap();
    let implementation = &program.implementations[0];
    assert_ne!(procedure.ins, implementation.ins);
    assert_ne!(procedure.type_params, implementation.type_params);
    assert_eq!(
        program.vars[implementation.ins[0]].ty,
        Type::Param(implementation.type_params[0])
    );
    assert!(program.vars[procedure.ins[0]].where_clause.is_some());
    assert!(program.vars[implementation.ins[0]].where_clause.is_none());
    assert!(implementation.attributes.is_set("entrypoint") && procedure.attributes.is_set("entrypoint"));
}

#[test]
fn assignments_to_parts_become_updates() {
    let program =
        accept("datatype d { c(m: [int]int) } procedure p(i: int) { var v: [bool]d; v[true]->m[i] := 7; }");
    let StmtKind::Assign(assignments) = &program.implementations[0].body.stmts[0].kind else {
        panic!()
    };
    let (var, value) = &assignments[0];
    assert_eq!(&*program.vars[*var].name, "v");
    assert_eq!(value.ty, program.vars[*var].ty);
    let ExprKind::Store { value: element, .. } = &value.kind else {
        panic!("{:?}", value.kind)
    };
    let ExprKind::FieldUpdate { new, .. } = &element.kind else {
        panic!("{:?}", element.kind)
    };
    assert!(matches!(new.kind, ExprKind::Store { .. }));
}

#[test]
fn parallel_assignments() {
    accept("procedure p() { var x: int, y: bool; x, y := 1, true; }");
    reject(
        "procedure p() { var x: int, m: [int]int;\n x, x := 1, 2;\n m[1], m[2] := 1, 2;\n x, m := 1;\n x := true; }",
        &[
            ("assigned-twice", 2, 5),
            ("assigned-twice", 3, 8),
            ("assignment-count", 4, 2),
            ("type-mismatch", 5, 7),
        ],
    );
}

#[test]
fn conditions_are_boolean() {
    reject(
        "procedure p(x: int);\nrequires x;\nensures x;\nprocedure q(x: int) {\n assert x;\n assume x;\n if (x) { }\n while (x) invariant x; { }\n}\nvar g: int where 1;",
        &[
            ("type-mismatch", 10, 18),
            ("type-mismatch", 2, 10),
            ("type-mismatch", 3, 9),
            ("type-mismatch", 5, 9),
            ("type-mismatch", 6, 9),
            ("type-mismatch", 7, 6),
            ("type-mismatch", 8, 9),
            ("type-mismatch", 8, 22),
        ],
    );
}

#[test]
fn calls() {
    let program = accept(
        "procedure p<a>(x: a, n: int) returns (y: a, b: bool);\n\
         procedure q() { var m: [int]int, c: bool; call m, c := p(m, 1); call *, c := p(c, *); call forall r(*, 1); async call r(1, 2); }\n\
         procedure r(x: int, y: int);",
    );
    let StmtKind::Call(call) = &program.implementations[0].body.stmts[0].kind else {
        panic!()
    };
    assert!(matches!(call.type_args[..], [Type::Map(_)]));
    reject(
        "procedure p(x: int) returns (y: int);\nprocedure q() { var a: int, b: bool;\n call p(1);\n call a := p();\n call b := p(1);\n call a := p(true);\n call a, a := s();\n async call a := p(1); }\nprocedure s() returns (x: int, y: int);",
        &[
            ("wrong-argument-count", 3, 7),
            ("wrong-argument-count", 4, 12),
            ("type-mismatch", 5, 7),
            ("type-mismatch", 6, 14),
            ("duplicate-declaration", 7, 10),
            ("async-call-with-results", 8, 2),
        ],
    );
    reject(
        "procedure p<a>(x: int, y: a) returns (z: a); procedure q() { var x: int, y: bool;\n call x := p(x, y); }",
        &[("type-mismatch", 2, 7)],
    );
}

#[test]
fn code_expressions_have_their_own_labels_and_locals() {
    accept("procedure p(n: int) { l: assert |{ var x: bool; l: x := n > 0; goto m; m: return x; }|; }");
    reject(
        "procedure p(n: int) { l: assert |{ a:\n goto l; }|;\n assert |{ a: return n; }|;\n return; }",
        &[("undeclared-label", 2, 7), ("type-mismatch", 3, 22)],
    );
}

#[test]
fn inference_goes_through_code_expressions() {
    let program = accept(
        "type l a; function nil<a>(): l a; procedure p(x: l int) { assert |{ var y: l int; a: y := nil(); return y == nil(); }|; }",
    );
    let StmtKind::Assert { expr, .. } = &program.implementations[0].body.stmts[0].kind else {
        panic!()
    };
    let ExprKind::Code(body) = &expr.kind else {
        panic!()
    };
    let StmtKind::Assign(assignments) = &body.stmts[1].kind else {
        panic!("{:?}", body.stmts)
    };
    let ExprKind::Apply(_, type_args, _) = &assignments[0].1.kind else {
        panic!()
    };
    assert_eq!(type_args[..], [Type::Int]);
}

#[test]
fn function_bodies() {
    accept(
        "function f(x: int): int { g(x) } function {:inline} g(x: int): int { x + 1 } function {:define} h(x: int): int { g(x) }",
    );
    reject("function f(x: int): int\n{ x > 0 }", &[("type-mismatch", 2, 3)]);
    reject(
        "function {:inline} f(x: int): int { g(x) }\nfunction {:define} g(x: int): int { f(x) }",
        &[("recursive-definition", 1, 20)],
    );
    reject(
        "function {:inline} f(x: int): int;\nfunction {:builtin \"+\"} g(x: int, y: int): int { 0 }",
        &[
            ("invalid-function-attribute", 1, 20),
            ("invalid-function-attribute", 2, 25),
        ],
    );
    accept("function f(x: int): int { f(x) } function {:inline false} g(): int;");
}

#[test]
fn what_has_no_effect_is_checked_and_noted() {
    let program = accept(
        "function f(x: int): int; procedure p(n: int) measure n; { push; hide f; hide *; reveal f; pop;\n\
         while (*) measure n, n > 0; { } }",
    );
    let ignored: Vec<&str> = program.ignored.iter().map(|(what, _)| *what).collect();
    assert_eq!(
        ignored,
        ["measure", "push", "hide", "hide", "reveal", "pop", "measure"]
    );
    reject(
        "procedure p() { hide f; }\nprocedure q(r: real) measure r; { }",
        &[("type-mismatch", 2, 30), ("undeclared-function", 1, 22)],
    );
}

#[test]
fn assumption_variables() {
    accept("procedure p() { var {:assumption} a: bool; a := a && true; }");
    reject(
        "procedure p() { var {:assumption} a: int;\n var {:assumption} b: bool where b;\n var {:assumption} c: bool;\n c := true;\n c := c && true;\n c := c && false; }",
        &[
            ("assumption-variable", 1, 35),
            ("assumption-variable", 2, 20),
            ("assumption-variable", 4, 2),
            ("assumption-variable", 6, 2),
        ],
    );
}

#[test]
fn attributes_are_resolved_and_typed() {
    let program = accept(
        "const {:weight c + 1} {:text \"s\"} c: int; var {:on f(c)} g: int; function {:off false} f(x: int): int;",
    );
    let constant = &program.vars[program.constants[0]];
    assert_eq!(constant.attributes.string("text"), Some("s"));
    assert!(
        !program
            .functions
            .values()
            .next()
            .unwrap()
            .attributes
            .is_set("off")
    );
    reject(
        "const {:a d} c: int;\nprocedure p() { assert {:b c && true} true; }",
        &[("undeclared-variable", 1, 11), ("type-mismatch", 2, 28)],
    );
}

#[test]
fn long_and_deep_programs_are_checked() {
    let statements = "x := x + 1; ".repeat(100_000);
    accept(&format!("procedure p() {{ var x: int; {statements} }}"));
    let conjunction = "b && ".repeat(5_000);
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || accept(&format!("const b: bool; axiom {conjunction} b;")))
        .unwrap()
        .join()
        .unwrap();
    let path = "[0]".repeat(1_000);
    reject(
        &format!("procedure p() {{ var m: int;\n m{path} := 1; }}"),
        &[("nesting-too-deep", 2, 2)],
    );
}

#[test]
fn measures() {
    accept("procedure P(a: int, b: bool) measure a, b; { call Q(a); } procedure Q(c: int) measure c; { }");
    // They need the same number only where calls come back.
    reject(
        "procedure P(a: int) measure a;\n{ call Q(a); }\nprocedure Q(c: int) measure c, c;\n{ call P(c); }",
        &[("measure-mismatch", 2, 3), ("measure-mismatch", 4, 3)],
    );
    reject(
        "procedure P(a: int) measure a;\n{ call Q(a); }\nprocedure Q(c: int)\n{ call P(c); }",
        &[("measure-mismatch", 2, 3)],
    );
    reject(
        "procedure P(n: int) {\n  while (n > 0)\n    measure n;\n    measure n + 1;\n  { }\n}",
        &[("second-measure", 4, 5)],
    );
    reject(
        "procedure P(r: real)\n  measure r;\n{ }",
        &[("type-mismatch", 2, 11)],
    );
}

#[test]
fn objectives_are_one_number() {
    accept(
        "procedure P(n: int, r: real, b: bv8) { assume {:minimize n} true; assert {:maximize r} {:minimize b} true; }",
    );
    reject(
        "procedure P(n: int) {\n  assume {:minimize} true;\n  assume {:maximize n, n} true;\n  assume {:minimize \"n\"} true;\n}",
        &[
            ("attribute-argument", 2, 10),
            ("attribute-argument", 3, 10),
            ("attribute-argument", 4, 10),
        ],
    );
    reject(
        "procedure P(n: int) {\n  assume {:maximize true} true;\n}",
        &[("type-mismatch", 2, 21)],
    );
}
