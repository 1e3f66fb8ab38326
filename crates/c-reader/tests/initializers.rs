//! Initialisers: every way to write one.

mod common;

use common::{body, line};

const RECORDS: &str = "struct p { int x, y; }; struct n { struct p a, b; int c[3]; }; ";

fn init(text: &str) -> String {
    let text = format!("{RECORDS}{text}");
    let printed = common::printed(&text);
    let line = printed
        .lines()
        .find(|line| line.split(" = ").next().is_some_and(|left| left.contains(" o")))
        .unwrap_or_else(|| panic!("no object in\n{printed}"));
    line.split_once(" = ")
        .map(|(_, init)| init.to_owned())
        .unwrap_or_default()
}

#[test]
fn braces_may_be_left_out() {
    let flat = "zero { .0.0 = 1, .0.1 = 2, .1.0 = 3, .1.1 = 4, .2[0] = 5, .2[1] = 6 }";
    assert_eq!(init("struct n o = { 1, 2, 3, 4, 5, 6 };"), flat);
    assert_eq!(init("struct n o = { { 1, 2 }, { 3, 4 }, { 5, 6 } };"), flat);
    assert_eq!(init("struct n o = { 1, 2, { 3, 4 }, 5, 6 };"), flat);
    assert_eq!(
        init("int o[2][2] = { 1, 2, 3 };"),
        "zero { [0][0] = 1, [0][1] = 2, [1][0] = 3 }"
    );
}

#[test]
fn designators_move_the_position() {
    assert_eq!(
        init("struct n o = { .b.x = 1, 2, 3, .a = { .y = 4 } };"),
        "zero { .1.0 = 1, .1.1 = 2, .2[0] = 3, .0.1 = 4 }"
    );
    assert_eq!(
        init("int o[] = { [2] = 1, 2, [0] = 3 };"),
        "zero { [2] = 1, [3] = 2, [0] = 3 }"
    );
    assert_eq!(
        init("struct n o[2] = { [1].c[1] = 5, 6, };"),
        "zero { [1].2[1] = 5, [1].2[2] = 6 }"
    );
    assert_eq!(init("struct p o = { y: 1, x: 2 };"), "zero { .1 = 1, .0 = 2 }");
    assert_eq!(
        init("struct n o = { .a = 1, 2, 3 };"),
        "zero { .0.0 = 1, .0.1 = 2, .1.0 = 3 }"
    );
}

#[test]
fn ranges() {
    assert_eq!(
        init("int o[] = { [0 ... 2] = 7, 8 };"),
        "zero { [0] = 7, [1] = 7, [2] = 7, [3] = 8 }"
    );
    assert_eq!(
        init("int o[3][2] = { [0 ... 1] = { 1 }, [2][1] = 9 };"),
        "zero { [0][0] = 1, [1][0] = 1, [2][1] = 9 }"
    );
    assert_eq!(
        init("\n#define LAST 1\nstruct p o[] = { [0 ... LAST].y = 3 };"),
        "zero { [0].1 = 3, [1].1 = 3 }"
    );
    assert!(
        body("int g(void); void f(void) { int a[] = { [0 ... 1] = g() }; }")[0]
            .contains("<unsupported: a range")
    );
}

#[test]
fn what_is_set_twice_is_what_is_set_last() {
    assert_eq!(init("struct p o = { .x = 1, .x = 2 };"), "zero { .0 = 2 }");
    assert_eq!(
        init("struct n o = { .a = { 1, 2 }, .a = { 3 } };"),
        "zero { .0.0 = 3 }"
    );
    assert_eq!(
        init("struct n o = { .a = { 1, 2 }, .a.x = 3 };"),
        "zero { .0.1 = 2, .0.0 = 3 }"
    );
    assert_eq!(
        init("union { int i; float x; } o = { .i = 1, .x = 2 };"),
        "zero { .1 = (float)2 }"
    );
}

#[test]
fn unions_and_anonymous_members() {
    assert_eq!(init("union { int i; float x; } o = { 3 };"), "zero { .0 = 3 }");
    assert_eq!(
        init("union { int i; float x; } o = { .x = 1.5f };"),
        "zero { .1 = 1.5`float` }"
    );
    assert_eq!(
        init("struct { int a; union { int b; struct { int c, d; }; }; int e; } o = { .c = 1, 2, 3 };"),
        "zero { .1.1.0 = 1, .1.1.1 = 2, .2 = 3 }"
    );
    assert_eq!(
        init("struct { union { int b; float c; }; int e; } o = { 1, 2 };"),
        "zero { .0.0 = 1, .1 = 2 }"
    );
    assert_eq!(
        init("struct { int a : 3; int : 2; int b : 4; } o = { 1, 2 };"),
        "zero { .0 = 1, .1 = 2 }"
    );
}

#[test]
fn strings() {
    assert_eq!(init("char o[] = \"ab\";"), "zero { \"ab\\0.\" }");
    assert_eq!(init("char o[2] = \"ab\";"), "zero { \"ab\" }");
    assert_eq!(init("char o[5] = { \"ab\" };"), "zero { \"ab\\0.\" }");
    assert_eq!(
        init("char o[][3] = { \"a\", { 'b' } };"),
        "zero { [0] = \"a\\0.\", [1][0] = 98`char` }"
    );
    assert_eq!(
        init("struct { char n[4]; int x; } o = { \"ab\", 1 };"),
        "zero { .0 = \"ab\\0.\", .1 = 1 }"
    );
    assert_eq!(init("char o[] = (\"ab\");"), "zero { \"ab\\0.\" }");
}

#[test]
fn flexible_members_scalars_and_copies() {
    assert_eq!(
        init("struct { int n; char d[]; } o = { 2, { 1, 2 } };"),
        "zero { .0 = 2, .1[0] = 1`char`, .1[1] = 2`char` }"
    );
    assert_eq!(init("int o = { 3 };"), "3");
    assert_eq!(init("int o[2] = (int[2]){ 1, 2 };"), "zero { [0] = 1, [1] = 2 }");
    assert_eq!(
        body(&format!(
            "{RECORDS} struct p g(void); void f(struct p q) {{ struct n a = {{ q, g(), {{}} }}; struct p b = q; struct n c = {{}}; }}"
        )),
        [
            "struct n a = zero { .0 = q, .1 = g() };",
            "struct p b = q;",
            "struct n c = zero {  };",
        ]
    );
}

#[test]
fn addresses_and_literals_of_static_objects() {
    let text = "int a[3]; int *p = &a[1]; int *q = (int[]){ 1, 2 }; void f(void); void (*h)(void) = f;";
    assert_eq!(line(text, "int *p"), "int *p = &a[1]");
    assert_eq!(line(text, "int *q"), "int *q = &<literal 0>");
    assert_eq!(
        line(text, "static int <literal 0>"),
        "static int <literal 0>[2] = zero { [0] = 1, [1] = 2 }"
    );
    assert_eq!(line(text, "void (*h)"), "void (*h)(void) = &f");
}

#[test]
fn more_values_than_parts_are_ignored_as_clang_does() {
    assert_eq!(init("int o[1] = { 1, 2 };"), "zero { [0] = 1 }");
}
