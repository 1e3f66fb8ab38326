//! Operands whose order of evaluation the standard leaves open: what depends on it is neither true nor false.

use lariat_testkit::Random;

use super::{CProgram, Truth, program};

/// Statements that call `one` and `two` in an order that the compiler chooses.
const OPEN: &[&str] = &[
    "(void)add(one(), two());",
    "(void)(one() + two());",
    "(void)(two() * one());",
    "(void)(one() < two());",
    "int a[2] = { 0 }; a[one() - 1] = two();",
    "*first() = two();",
    "int a[4] = { 0 }; (void)(a[one()] + a[two()]);",
    "(void)add(add(one(), 1), two());",
    "struct pair { int a, b; } p = { one(), two() };",
    "(void)(one() ^ two());",
    "int x = 0; x += add(one(), two());",
    "int (*choose[2])(int, int) = { add, add }; choose[one() - 1](two(), 3);",
    "(void)(one() - two());",
    "int a[2] = { 0 }; (void)(a[0] + one() + two());",
    "int z = one() * 10 + two(); (void)z;",
    "(void)add(*first(), two());",
    "int m[2][3] = { { 0 } }; (void)m[one() - 1][two()];",
    "(void)(one() << two());",
    "(void)(one() == two());",
    "struct pair { int a, b; } q; q = (struct pair){ .b = one(), .a = two() };",
    "printf(\"%d %d\\n\", one(), two());",
    "(void)(cell + one() - two());",
    "int v[3] = { one(), two(), 0 }; (void)v;",
    "(void)(two() | one());",
];

/// Statements whose order is fixed: `one` comes first.
const FIXED: &[&str] = &[
    "one(); two();",
    "(void)(one() && two());",
    "(void)(one() == 7 || two());",
    "(one(), two());",
    "(void)(one() ? two() : 0);",
    "for (one(); two() == 7;) ;",
    "if (one()) two();",
    "int x = one(), y = two();",
    "(void)(one() && (two() || two()));",
    "int x = (one(), two());",
    "switch (one()) { case 1: two(); }",
    "do one(); while (two() == 7);",
    "add(one(), 1); add(2, two());",
    "int a[2] = { 0 }; a[0] = one(); a[1] = two();",
    "(void)(one() == 1 ? two() : one());",
];

pub fn generate(random: &mut Random) -> CProgram {
    let is_open = random.below(3) > 0;
    let statement = random.pick(if is_open { OPEN } else { FIXED });
    let (claim, truth) = match (is_open, random.below(3)) {
        (true, 0) => ("log == 12", Truth::SomeExecutionFails),
        (true, 1) => ("log == 21", Truth::SomeExecutionFails),
        (true, _) => ("log == 12 || log == 21", Truth::NoExecutionFails),
        (false, 0) => ("log == 21", Truth::SomeExecutionFails),
        (false, _) => ("log == 12", Truth::NoExecutionFails),
    };
    let text = program(&format!(
        "static int log, cell;
static int one(void) {{ log = log * 10 + 1; return 1; }}
static int two(void) {{ log = log * 10 + 2; return 2; }}
static int *first(void) {{ log = log * 10 + 1; return &cell; }}
static int add(int a, int b) {{ return a + b; }}
int main(void) {{
  {statement}
  assert({claim});
  return 0;
}}
"
    ))
    // The header has a function of this name.
    .replace("log", "order");
    CProgram {
        text,
        flags: &[],
        truth,
    }
}
