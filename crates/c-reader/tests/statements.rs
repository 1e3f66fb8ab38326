//! Statements: one test per construct.

mod common;

use common::{body, program};
use lariat_c_program::{Machine, StmtKind};

#[test]
fn loops_with_any_part_missing() {
    assert_eq!(
        body(
            "void f(int i) { for (;;) break; for (i = 0;;) break; for (; i;) ; for (;; i++) break; for (int j = 0; j < i; j++) continue; while (i) i--; do i++; while (i < 3); }"
        ),
        [
            "for (;;) break;",
            "for ((i = 0);;) break;",
            "for (; i;) ;",
            "for (;; i++) break;",
            "for (int j = 0; (j < i); j++) continue;",
            "while (i) i--;",
            "do i++;",
            "while ((i < 3));",
        ]
    );
}

#[test]
fn the_parts_of_a_loop_from_a_macro() {
    assert_eq!(
        body(
            "#define EACH(i, n) for (int i = 0; i < n; ++i)\n#define EVER for (;;)\nvoid f(int n) { EACH(k, n) n--; EVER break; }"
        ),
        ["for (int k = 0; (k < n); ++k) n--;", "for (;;) break;"]
    );
}

#[test]
fn several_declarations_of_a_loop_stand_before_it() {
    assert_eq!(
        body("void f(void) { for (int i = 0, j = 1; i < j; i++) ; }"),
        ["{", "int i = 0;", "int j = 1;", "for (; (i < j); i++) ;", "}"]
    );
}

#[test]
fn switches() {
    assert_eq!(
        body(
            "enum e { A, B = 7 }; void f(unsigned char c, enum e e, long l) { switch (c) { case 1 ... 3: c = 0; case 'x': break; default: c = 1; } switch (e) { case B: ; } switch (l) case -1: l = 0; switch (c) { { case 5: if (l) { case 6: ; } } } }"
        ),
        [
            "switch ((int)c) {",
            "case 1 ... 3: (c = 0`unsigned char`);",
            "case 120: break;",
            "default: (c = 1`unsigned char`);",
            "}",
            "switch ((unsigned int)e) {",
            "case 7: ;",
            "}",
            "switch (l) case -1: (l = 0`long`);",
            "switch ((int)c) {",
            "{",
            "case 5: if (l) {",
            "case 6: ;",
            "}",
            "}",
            "}",
        ]
    );
}

#[test]
fn case_labels_are_converted_to_the_type_of_the_switch() {
    assert_eq!(
        body("void f(unsigned u) { switch (u) { case -1: u = 0; } }")[1],
        "case 4294967295: (u = 0`unsigned int`);"
    );
}

#[test]
fn jumps() {
    assert_eq!(
        body(
            "void f(int i) { void *p = &&a; a: i++; if (i) goto b; goto *p; { __label__ c; c: goto c; } b: ; }"
        ),
        [
            "void *p = &&a;",
            "a: i++;",
            "if (i) goto b;",
            "goto *p;",
            "{",
            "c: goto c;",
            "}",
            "b: ;",
        ]
    );
}

#[test]
fn returns_are_converted() {
    assert_eq!(body("char f(int i) { return i; }"), ["return (char)i;"]);
    assert_eq!(body("void f(void) { return; }"), ["return;"]);
}

#[test]
fn declarations() {
    assert_eq!(
        body(
            "void f(int n) { int a = 1, *p = &a, b[2]; struct s { int x; } s; extern int e; int g(int); typedef int t; t u = g(e); register int r; { int a = n; } _Static_assert(1, \"\"); }"
        ),
        [
            "int a%1 = 1;",
            "int *p = &a%1;",
            "int b[2];",
            "struct s s;",
            "int u = g(e);",
            "int r;",
            "{",
            "int a%7 = n;",
            "}",
        ]
    );
}

#[test]
fn variable_arrays() {
    assert_eq!(
        body(
            "void f(int n, short m, int a[n][m]) { int v[n]; v[1] = 2; int w[n][3]; w[1][2] = 3; a[1][2] = 4; int (*p)[n] = 0; ++p; p++; n = sizeof v; n = sizeof w[0]; n = sizeof *p; typedef int t[n + 1]; t x; }"
        ),
        [
            "unsigned long %3 = ((unsigned long)m * 4`unsigned long`);",
            "unsigned long %4 = ((unsigned long)n * %3);",
            "{",
            "unsigned long %5 = ((unsigned long)n * 4`unsigned long`);",
            "int v[*] size %5;",
            "(v[1] = 2);",
            "unsigned long %7 = ((unsigned long)n * 12`unsigned long`);",
            "int w[*][3] size %7;",
            "(w[1][2] = 3);",
            "(*(a + 1 :%3)[2] = 4);",
            "unsigned long %9 = ((unsigned long)n * 4`unsigned long`);",
            "int (*p)[*] = (int (*)[*])0;",
            "(p += 1 :%9);",
            "((p += 1 :%9) - 1 :%9);",
            "(n = (int)%5);",
            "(n = 12);",
            "(n = (int)%9);",
            "unsigned long %11 = ((unsigned long)(n + 1) * 4`unsigned long`);",
            "int x[*] size %11;",
            "}",
        ]
    );
}

#[test]
fn inline_assembly() {
    assert_eq!(
        body(
            "#define BARRIER() __asm__ __volatile__(\"\" ::: \"memory\")\n#define MOVE(o, i) asm(\"mov %1, %0\" : \"=r\"(o) : \"r\"(i))\nvoid f(int a, int *p) { asm(\"nop\"); asm volatile(\"x : y\" : \"=r\"(a), [q] \"+m\"(*p) : \"r\"(a + 1), \"i\"(3) : \"cc\", \"memory\"); BARRIER(); MOVE(a, *p); asm goto(\"jmp %l0\" : : : : out); out: ; }"
        ),
        [
            "asm(\"nop\" :  :  :  : );",
            "asm(\"x : y\" : a, *p : (a + 1), 3 : memory : );",
            "asm(\"\" :  :  : memory : );",
            "asm(\"mov %1, %0\" : a : *p :  : );",
            "asm(\"jmp %l0\" :  :  :  : out);",
            "out: ;",
        ]
    );
}

#[test]
fn old_style_definitions_take_promoted_arguments() {
    assert_eq!(
        body("int f(a, c, x) int a; char c; float x; { return a + c; }"),
        [
            "char c%3 = (char)c%1;",
            "float x%4 = (float)x%2;",
            "{",
            "return (a + (int)c%3);",
            "}",
        ]
    );
    assert_eq!(body("f(a) { return a; }"), ["return a;"]);
}

#[test]
fn attributes_of_statements_do_not_matter() {
    assert_eq!(
        body("void f(int i) { switch (i) { case 1: i++; __attribute__((fallthrough)); case 2: i--; } }"),
        ["switch (i) {", "case 1: i++;", ";", "case 2: i--;", "}"]
    );
}

#[test]
fn a_cleanup_is_not_modelled_and_says_so() {
    assert!(
        body("void g(int *); void f(void) { __attribute__((cleanup(g))) int x = 1; }")[0]
            .contains("`cleanup`")
    );
}

#[test]
fn spans_are_where_the_code_stands() {
    let text = "#define CHECK(x) do { if (!(x)) bad(); } while (0)\nvoid bad(void);\nvoid f(int value) {\n  CHECK(value > 3);\n}\n";
    let options = lariat_c_reader::ReadOptions::default();
    let outcome = common::read_with(text, &options);
    let program = outcome.program.expect("a program");
    let f = &program.functions[program.functions_by_name()["f"]];
    let mut snippets = Vec::new();
    if let Some(body) = &f.body {
        lariat_c_program::visit_stmt(body, &mut |node| {
            if let lariat_c_program::Node::Expr(expr) = node {
                snippets.push((
                    outcome.sources.line_column(expr.span).0,
                    outcome.sources.snippet(expr.span).to_owned(),
                ));
            }
        });
    }
    assert!(snippets.iter().all(|(line, _)| *line == 4), "{snippets:?}");
    assert!(snippets.contains(&(4, "value > 3".to_owned())), "{snippets:?}");
    assert_eq!(outcome.sources.snippet(f.span), "f");
    assert_eq!(
        f.end.map(|end| outcome.sources.snippet(end).to_owned()),
        Some("}".into())
    );
}

#[test]
fn noreturn_is_known() {
    let program = program(
        "__attribute__((noreturn)) void a(void); _Noreturn void b(void); void c(void); void f(void) { a(); b(); c(); }",
        Machine::Lp64,
    );
    let by_name = program.functions_by_name();
    let noreturn = |name: &str| program.functions[by_name[name]].noreturn;
    assert_eq!((noreturn("a"), noreturn("b"), noreturn("c")), (true, true, false));
    let body = program.functions[by_name["f"]].body.as_ref().expect("a body");
    assert!(matches!(&body.kind, StmtKind::Block(stmts) if stmts.len() == 3));
}
