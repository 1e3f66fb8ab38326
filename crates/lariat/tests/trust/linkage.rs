//! Two names for one object or function, and definitions that others can replace.

use lariat_testkit::Random;

use super::{CProgram, Truth, program};

/// Declarations, and statements that set `seen`.
const NAMES: &[(&str, &str)] = &[
    (
        "int first = 1; extern int second __attribute__((alias(\"first\")));",
        "second = VALUE; seen = first;",
    ),
    (
        "static int first = 1; extern int second __attribute__((alias(\"first\")));",
        "first = VALUE; seen = second;",
    ),
    (
        "int first(void) { return VALUE; } int second(void) __attribute__((alias(\"first\")));",
        "seen = second();",
    ),
    (
        "int calls; void first(void) { calls += VALUE; } void second(void) __attribute__((weak, alias(\"first\")));",
        "second(); first(); seen = calls;",
    ),
    (
        "int first(void) { return VALUE; } static int second(void) __attribute__((weakref(\"first\")));",
        "seen = second();",
    ),
    (
        "extern int missing(void) __attribute__((weak));",
        "seen = missing ? missing() : VALUE;",
    ),
    (
        "extern int missing __attribute__((weak));",
        "seen = &missing ? 9 : VALUE;",
    ),
    (
        "static int second(void) __attribute__((weakref(\"nowhere\")));",
        "seen = second ? second() : VALUE;",
    ),
    (
        "int first asm(\"joined\") = 1; extern int second asm(\"joined\");",
        "second = VALUE; seen = first;",
    ),
    (
        "int real(void) asm(\"joined_function\"); int real(void) { return VALUE; } extern int other(void) asm(\"joined_function\");",
        "seen = other();",
    ),
    (
        "__attribute__((weak)) int first(void) { return VALUE; }",
        "seen = first();",
    ),
    ("__attribute__((weak)) int value = VALUE;", "seen = value;"),
    (
        "static int target(void) { return VALUE; } static int (*pick(void))(void) { return target; } int chosen(void) __attribute__((ifunc(\"pick\")));",
        "seen = chosen();",
    ),
    (
        "int common_name; int common_name; static void set(void) { extern int common_name; common_name = VALUE; }",
        "set(); seen = common_name;",
    ),
    (
        "static int inner(void) { static int kept = VALUE; return kept++; }",
        "inner(); seen = inner() - 1;",
    ),
    (
        "int first = 1; extern int second __attribute__((alias(\"first\"))); extern int third __attribute__((alias(\"first\")));",
        "second = VALUE; third += 1; seen = first - 1;",
    ),
    (
        "int first[2] = { 1, 2 }; extern int second[2] __attribute__((alias(\"first\")));",
        "second[1] = VALUE; seen = first[1];",
    ),
    ("extern int mine(int) asm(\"abs\");", "seen = mine(-VALUE);"),
    (
        "int maybe(void);\n#pragma weak maybe\n",
        "seen = maybe ? maybe() : VALUE;",
    ),
    (
        "void first(void) { seen = VALUE; } extern void second(void) __attribute__((alias(\"first\"))); static void (*pointer)(void) = second;",
        "pointer();",
    ),
    (
        "int counter = 1; static int *where(void) { extern int same asm(\"counter\"); return &same; }",
        "*where() = VALUE; seen = counter;",
    ),
    (
        "static int hidden = 1; int *give(void) { return &hidden; } extern int (*table[1])(int) __attribute__((weak));",
        "*give() = VALUE; seen = hidden;",
    ),
    (
        "__attribute__((weak)) int changed(int x) { return x; } int (*volatile through)(int) = changed;",
        "seen = through(VALUE);",
    ),
    (
        "extern void *malloc(size_t) __attribute__((weak));",
        "seen = malloc ? VALUE : 9;",
    ),
    (
        "_Thread_local int own = 1; static int *mine(void) { return &own; }",
        "*mine() = VALUE; seen = own;",
    ),
    (
        "extern inline __attribute__((gnu_inline)) int twice(int x) { return VALUE; } int twice(int x) { return 4; }",
        "seen = twice(2);",
    ),
];

pub fn generate(random: &mut Random) -> CProgram {
    let (declarations, statements) = random.pick(NAMES);
    let value = random.between(2, 5);
    let guess = random.between(1, 6);
    let claim = random.pick(&["==", "!="]);
    let text = program(&format!("static int seen;\n{declarations}\nint main(void) {{\n  {statements}\n  assert(seen {claim} {guess});\n  return 0;\n}}\n"))
        .replace("VALUE", &value.to_string());
    CProgram {
        text,
        flags: &[],
        truth: Truth::Run,
    }
}
