//! Small C functions: executing what they are lowered to gives what gcc's program gives, for integers in every form.
//!
//! A program calls a function with fixed arguments and compares the result with a number. With gcc's number the only
//! execution must pass, with any other it must fail.

use lariat_base::Budget;
use lariat_c_lower::{LowerOptions, Lowered, lower};
use lariat_c_program::Machine;
use lariat_interp::{ReplayGoal, RunOptions, RunOutcome, run};
use lariat_ir::{Stage, validate};
use lariat_options::{COptions, Check, Integers};
use lariat_testkit::{c, gcc};

/// Name, definitions, calls whose results are compared.
const FUNCTIONS: &[(&str, &str, &[&str])] = &[
    (
        "wrap-around and conversions",
        "unsigned char narrow(int x) { return x; }
         long wide(unsigned x, short y) { return x * 2u + y; }
         int mixed(signed char a, unsigned char b) { return a < b ? a - b : a + b; }",
        &["narrow(300)", "narrow(-1)", "wide(4000000000u, -3)", "mixed(-5, 250)", "mixed(100, 7)"],
    ),
    (
        "order of evaluation",
        "int n; int next(void) { return ++n; }
         int order(int x) { n = x; int a = next(), b = next(), c = n > 3 && next() > 4; return a * 100 + b * 10 + c + n; }
         int comma(int x) { int y; return y = x + 1, x = y * 2, x - y; }",
        &["order(0)", "order(3)", "comma(20)"],
    ),
    (
        "loops and jumps",
        "int sum(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i % 3 == 0) continue; if (i > 7) break; s += i; } return s; }
         int gcd(int a, int b) { do { int t = a % b; a = b; b = t; } while (b); return a; }
         int jump(int x) { int r = 0; again: r += x; if (--x > 0) goto again; return r; }",
        &["sum(0)", "sum(6)", "sum(100)", "gcd(84, 36)", "jump(5)", "jump(-2)"],
    ),
    (
        "switch",
        "int pick(int x) { int r = 0; switch (x) { case 1: r += 1; case 2: r += 10; break; case -3: r = 7; default: r += 100; } return r; }",
        &["pick(1)", "pick(2)", "pick(-3)", "pick(9)"],
    ),
    (
        "arrays and pointers",
        "int table[4] = { 3, 1, 4, 1 };
         int total(int *p, int n) { int s = 0; while (n-- > 0) s = s * 2 + *p++; return s; }
         int whole(void) { return total(table, 4); }
         int swap(int a, int b) { int *p = &a, *q = &b; int t = *p; *p = *q; *q = t; return a * 10 + b; }
         int matrix(int i, int j) { int m[2][3] = { { 1, 2 }, { 4, 5, 6 } }; m[i][j] += 9; return m[0][2] * 100 + m[1][1]; }",
        &["whole()", "swap(3, 8)", "matrix(0, 2)", "matrix(1, 1)"],
    ),
    (
        "records",
        "struct pair { short a; struct { int b[2]; } in; };
         struct pair make(int x) { struct pair p = { x, { { x + 1, x + 2 } } }; return p; }
         int copied(int x) { struct pair p = make(x), q = p; q.in.b[1] = 50; return p.in.b[1] * 100 + q.in.b[1] + q.a; }
         union both { int i; unsigned char c[4]; };
         int bytes(int x) { union both u; u.i = x; return u.c[0] * 256 + u.c[3]; }
         struct bits { unsigned a : 3; int b : 5; };
         int fields(int x) { struct bits s = { 0, 0 }; s.a = x; s.b = x; return s.a * 100 + s.b; }",
        &["copied(7)", "bytes(0x12345678)", "bytes(-2)", "fields(29)", "fields(-1)"],
    ),
    (
        "recursion and function pointers",
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         static int twice(int x) { return 2 * x; } static int square(int x) { return x * x; }
         int apply(int which, int x) { int (*f[2])(int) = { twice, square }; return f[which](x) + (which ? square : twice)(1); }",
        &["fib(10)", "apply(0, 7)", "apply(1, 7)"],
    ),
    (
        "shifts and bits",
        "int bits(int x) { return (x << 3) ^ (x >> 1) ^ (~x & 0xff); }
         unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }",
        &["bits(19)", "bits(-19)", "rotate(0x80000001u, 4)"],
    ),
];

fn lowered(text: &str, integers: Integers, checks: &[Check]) -> Lowered {
    let (program, sources) = c::program_and_sources(text, Machine::Lp64);
    let regions = lariat_c_regions::analyze(&program);
    let options = LowerOptions {
        c: COptions {
            integers,
            checks: checks.to_vec(),
            error_labels: false,
            ..COptions::default()
        },
        entries: vec!["check".to_owned()],
        ..LowerOptions::default()
    };
    let lowered = lower(&program, &regions, &options, &sources).expect("it can be lowered");
    validate(&lowered.program, Stage::Lowered).expect("it is well-formed");
    lowered
}

/// The one execution of `check`.
fn outcome(text: &str, integers: Integers, checks: &[Check]) -> RunOutcome {
    let lowered = lowered(text, integers, checks);
    let entry = lowered.program.proc_by_name("check").expect("the entry is there");
    let options = RunOptions {
        max_steps: 1_000_000,
        max_depth: 1_000,
        ..RunOptions::default()
    };
    run(
        &lowered.program,
        entry,
        &ReplayGoal::AnyAssert,
        &options,
        &Budget::unlimited(),
    )
    .outcome
}

#[test]
fn lowered_functions_return_what_gcc_computes() {
    if !gcc::is_there("lowered_functions_return_what_gcc_computes") {
        return;
    }
    for (name, definitions, calls) in FUNCTIONS {
        let printed: String = calls
            .iter()
            .map(|call| format!("printf(\"%lld\\n\", (long long)({call}));"))
            .collect();
        let text = format!("#include <stdio.h>\n{definitions}\nint main(void) {{ {printed} return 0; }}");
        let results = gcc::output(&text, &["-std=gnu11", "-fwrapv", "-w"]);
        assert_eq!(results.lines().count(), calls.len());
        for (call, result) in calls.iter().zip(results.lines()) {
            for integers in [Integers::Wrapped, Integers::BitVectors] {
                for (wrong, compared) in [(false, result.to_owned()), (true, format!("({result} + 1)"))] {
                    let text = format!(
                        "void __VERIFIER_error(void);\n{definitions}\n\
                         void check(void) {{ if (({call}) != {compared}) __VERIFIER_error(); }}"
                    );
                    let found = outcome(&text, integers, &[Check::Reach]);
                    let right = match &found {
                        RunOutcome::NoneFails => !wrong,
                        RunOutcome::Failed { .. } => wrong,
                        _ => false,
                    };
                    assert!(
                        right,
                        "{name}: {call} with {integers:?} integers compared with {compared}: {found:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn checks_fail_where_the_program_goes_wrong_and_nowhere_else() {
    let cases: &[(Check, &str, &str)] = &[
        (Check::Null, "int *p = 0; *p = 1;", "int x, *p = &x; *p = 1;"),
        (
            Check::Bounds,
            "int a[3]; int i = 3; a[i] = 1;",
            "int a[3]; int i = 2; a[i] = 1;",
        ),
        (
            Check::Overflow,
            "int x = 2147483647; x++;",
            "unsigned x = 4294967295u; x++;",
        ),
        (Check::DivByZero, "int x = 0; x = 5 / x;", "int x = 2; x = 5 / x;"),
        (
            Check::Shift,
            "int x = 32; x = 1 << x;",
            "int x = 31; x = 1u << x;",
        ),
        (
            Check::Uninit,
            "int x; int y = x + 1; (void)y;",
            "int x = 0; int y = x + 1; (void)y;",
        ),
        (Check::Reach, "__VERIFIER_error();", "if (0) __VERIFIER_error();"),
    ];
    for (check, bad, good) in cases {
        let text = |body: &str| format!("void __VERIFIER_error(void);\nvoid check(void) {{ {body} }}");
        let found = outcome(&text(bad), Integers::Wrapped, &[*check]);
        assert!(
            matches!(found, RunOutcome::Failed { .. }),
            "{check:?} in {bad}: {found:?}"
        );
        let found = outcome(&text(good), Integers::Wrapped, &[*check]);
        assert!(
            matches!(found, RunOutcome::NoneFails | RunOutcome::Passed),
            "{check:?} in {good}: {found:?}"
        );
        // Nothing is checked that was not asked for.
        if *check != Check::Reach {
            let found = outcome(&text(bad), Integers::Wrapped, &[]);
            assert!(
                !matches!(found, RunOutcome::Failed { .. }),
                "{check:?} in {bad}: {found:?}"
            );
        }
    }
}

#[test]
fn what_has_no_meaning_is_unsupported_only_where_it_is_reached() {
    let text = |call: &str| {
        format!(
            "int odd(void) {{ double _Complex z = 1; z = z * z; return z == 1; }}\nvoid check(void) {{ {call} }}"
        )
    };
    let found = outcome(&text("odd();"), Integers::Wrapped, &[Check::Reach]);
    assert!(matches!(found, RunOutcome::Unsupported(_)), "{found:?}");
    let found = outcome(&text(""), Integers::Wrapped, &[Check::Reach]);
    assert!(matches!(found, RunOutcome::NoneFails), "{found:?}");
}

/// Variables whose address is never taken are variables of the procedure, without memory.
#[test]
fn scalars_need_no_memory() {
    let lowered = lowered(
        "void check(void) { int x = 1, y = 2; x = x + y; if (x > y) y = x; }",
        Integers::Wrapped,
        &[],
    );
    let text = lowered.program.text();
    assert!(!text.contains("store"), "{text}");
    let check = lowered.program.proc_by_name("check").expect("the entry is there");
    let text = lowered.program.proc_text(check);
    assert!(text.contains("x :="), "{text}");
}
