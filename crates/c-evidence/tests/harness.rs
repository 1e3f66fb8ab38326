//! Harnesses are compiled and run with the compiler of this machine: those of true traces fail as
//! the trace says, and those of false ones do not.

#[allow(dead_code, reason = "each test uses a part")]
mod support;

use lariat_c_evidence::harness::{HarnessTask, harness_source};
use lariat_report::{External, FailureKind, FreshObject, MemoryCell};
use support::Case;

const CLASSIC: &str = "extern void __VERIFIER_error() __attribute__ ((__noreturn__));
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a > 10);
  if (a - b == 20)
    __VERIFIER_error(); // HERE
  return 0;
}
";

#[test]
fn answers_come_in_their_order() {
    let case = |a, b| {
        Case::new(&format!("order{a}{b}"), FailureKind::ErrorReached, CLASSIC)
            .input("__VERIFIER_nondet_int", "int", a)
            .input("__VERIFIER_nondet_int", "int", b)
    };
    let outcome = case("15", "-5").reproduces();
    assert!(
        outcome.output.contains("__VERIFIER_error on line 9"),
        "{}",
        outcome.output
    );
    case("15", "5").does_not_reproduce("exit code 0");
    case("5", "-15").does_not_reproduce("assumption");
}

#[test]
fn functions_need_not_be_declared() {
    Case::new(
        "implicit",
        FailureKind::ErrorReached,
        "int main() { if (__VERIFIER_nondet_int() == 7 && unknown(3) == 4) __VERIFIER_error(); /* HERE */ }",
    )
    .input("__VERIFIER_nondet_int", "int", "7")
    .input("unknown", "int", "4")
    .reproduces();
}

#[test]
fn another_call_of_an_error_function_is_another_failure() {
    Case::new(
        "other-line",
        FailureKind::ErrorReached,
        "void __VERIFIER_error(void);\nint main(void) {\n  if (1)\n    __VERIFIER_error();\n  __VERIFIER_error(); // HERE\n}\n",
    )
    .does_not_reproduce("another one");
}

#[test]
fn an_error_function_may_have_a_body() {
    for (name, body) in [
        ("assert", "assert(0);"),
        ("fail", "__assert_fail(\"0\", \"x.c\", 3, \"reach_error\");"),
        ("empty", ""),
    ] {
        let text = format!(
            "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint();\nextern void abort(void);\n\
             void reach_error() {{ {body} }}\n\
             void __VERIFIER_assert(int cond) {{\n  if (!cond) {{\n    ERROR: {{ reach_error(); abort(); }} // HERE\n  }}\n}}\n\
             int main() {{ unsigned x = __VERIFIER_nondet_uint(); __VERIFIER_assert(x < 4000000000U); }}\n"
        );
        Case::new(&format!("body-{name}"), FailureKind::ErrorReached, &text)
            .input("__VERIFIER_nondet_uint", "unsigned int", "4294967295U")
            .reproduces();
        Case::new(&format!("body-ok-{name}"), FailureKind::ErrorReached, &text)
            .input("__VERIFIER_nondet_uint", "unsigned int", "1U")
            .does_not_reproduce("exit code 0");
    }
}

#[test]
fn a_label_is_an_error_too() {
    let text = "int __VERIFIER_nondet_int(void);\nint main(void) {\n  if (__VERIFIER_nondet_int() > 3) goto ERROR;\n  return 0;\nERROR: // HERE\n  return 1;\n}\n";
    Case::new("label", FailureKind::ErrorReached, text)
        .input("__VERIFIER_nondet_int", "int", "4")
        .reproduces();
    Case::new("label-ok", FailureKind::ErrorReached, text)
        .input("__VERIFIER_nondet_int", "int", "3")
        .does_not_reproduce("exit code 0");
}

#[test]
fn assertions_are_told_by_their_line() {
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x != 1);\n  assert(x != // HERE\n         2);\n}\n";
    let case = |value| {
        Case::new(&format!("assert{value}"), FailureKind::Assertion, text).input(
            "__VERIFIER_nondet_int",
            "int",
            value,
        )
    };
    case("2").reproduces();
    case("1").does_not_reproduce("another one");
}

#[test]
fn a_program_of_32_bits_has_32_bits() {
    let text = "#include <stdlib.h>\nvoid __VERIFIER_error(void);\nlong long __VERIFIER_nondet_longlong(void);\n\
                int main(void) {\n  long long x = __VERIFIER_nondet_longlong();\n  long *p = malloc(40);\n\
                if (sizeof(long) == 4 && sizeof p == 4 && x / 3 == -1431655765LL && x % 7 == -3)\n    __VERIFIER_error(); // HERE\n}\n";
    let case = Case::new("bits32", FailureKind::ErrorReached, text)
        .input("__VERIFIER_nondet_longlong", "long long", "-4294967295LL")
        .ilp32();
    let outcome = case.run();
    // Where nothing can build for 32 bits, that is said.
    if outcome.how.contains("64-bit program") {
        assert!(!outcome.reproduced);
    } else {
        case.reproduces();
    }
}

#[test]
fn functions_without_body_answer_and_missing_ones_do_nothing() {
    let text = "struct state { int kind; long more[4]; };\nextern struct state *get(int);\nextern double half(double);\n\
                extern void note(char *);\nextern int table[];\nvoid __VERIFIER_error(void);\n\
                int main(void) {\n  struct state *s = get(1);\n  note(\"x\");\n  if (s && s->kind == 0 && half(1) == 0.125 && table[3] == 0 && get(2) == 0)\n    __VERIFIER_error(); // HERE\n}\n";
    let mut case = Case::new("external", FailureKind::ErrorReached, text)
        .input("get", "struct state *", "(struct state *)4096")
        .input("half", "double", "0x1p-3")
        .input("get", "struct state *", "(void*)0");
    case.externals.push(External {
        name: "note".to_owned(),
        location: None,
        effect: "nothing".to_owned(),
    });
    case.reproduces();
}

#[test]
fn variables_without_initialiser_have_the_values_of_the_trace() {
    let text = "void __VERIFIER_error(void);\nint main(void) {\n  int x, sum = 0, *p;\n  for (int i = 0; i < 2; i++) {\n    unsigned char y;\n    double d;\n    sum += y + (d == 0.5);\n  }\n  if (x == -7 && sum == 302 && p == (int *)64)\n    __VERIFIER_error(); // HERE\n}\n";
    let case = |name: &str, last: &str| {
        let mut case = Case::new(name, FailureKind::ErrorReached, text);
        case.variable("x", "int", "-7", (3, 7));
        case.variable("p", "int *", "(int*)64", (3, 20));
        case.variable("y", "unsigned char", "200", (5, 19));
        case.variable("d", "double", "0x1p-1", (6, 12));
        case.variable("y", "unsigned char", last, (5, 19));
        case.variable("d", "double", "0.5", (6, 12));
        case
    };
    let outcome = case("locals", "100").reproduces();
    assert!(outcome.output.contains("on line 10"), "{}", outcome.output);
    case("locals-ok", "101").does_not_reproduce("exit code 0");
}

/// A type without a name, members of a record, a bit-field, and a variable in the head of a loop, which is left alone.
#[test]
fn variables_of_types_without_a_name_have_the_values_of_the_trace() {
    let text = "void __VERIFIER_error(void);\nint main(void) {\n  enum { RED, BLUE = 6 } color;\n  struct { int a, b : 4; char *p; } s, t;\n  for (struct { int a; } u; ; ) { u.a = 1; break; }\n  static int kept;\n  if (color == BLUE && s.a == 7 && s.b == 3 && t.a == 9 && s.p == (char *)64 && kept == 0)\n    __VERIFIER_error(); // HERE\n}\n";
    let case = |name: &str, last: &str| {
        let mut case = Case::new(name, FailureKind::ErrorReached, text);
        case.variable("color", "enum <unnamed at 3:3>", "6U", (3, 26));
        case.variable("s.a", "int", "7", (4, 37));
        case.variable("s.b", "int", "3", (4, 37));
        case.variable("s.p", "char *", "(char *)64", (4, 37));
        case.variable("t.a", "int", last, (4, 40));
        case.variable("u.a", "int", "5", (5, 26));
        case
    };
    case("unnamed", "9").reproduces();
    case("unnamed-ok", "8").does_not_reproduce("exit code 0");
}

#[test]
fn malloc_may_be_declared_in_any_way() {
    let mut case = Case::new(
        "malloc",
        FailureKind::ErrorReached,
        "void __VERIFIER_error(void);\nextern char *malloc();\nint main(void) {\n  int *p = (int *)malloc(4);\n  if (*p == 77)\n    __VERIFIER_error(); // HERE\n}\n",
    );
    case.failure.objects.push(FreshObject {
        name: None,
        location: None,
        address: 4096,
    });
    case.failure.memory.push(MemoryCell {
        address: 4096,
        bytes: 4,
        value: 77,
        pointer: false,
    });
    case.reproduces();
}

/// Nothing checks the pointer, so the trace may have it null; a real program needs another one to get there.
#[test]
fn a_pointer_that_the_trace_goes_through_is_not_null() {
    let mut case = Case::new(
        "through-null",
        FailureKind::ErrorReached,
        "void __VERIFIER_error(void);\nvoid *malloc(unsigned long);\nint main(void) {\n  int **p = malloc(16);\n  if (p[1][3] == 77)\n    __VERIFIER_error(); // HERE\n}\n",
    );
    case.failure.objects.push(FreshObject {
        name: None,
        location: None,
        address: 1 << 20,
    });
    let cells = [((1 << 20) + 8, 8, 0, true), (12, 4, 77, false)];
    let cells = cells.map(|(address, bytes, value, pointer)| MemoryCell {
        address,
        bytes,
        value,
        pointer,
    });
    case.failure.memory.extend(cells);
    case.reproduces();
}

#[test]
fn what_headers_define_is_found_by_the_compiler() {
    let mut case = Case::new(
        "header",
        FailureKind::ErrorReached,
        "#include \"own.h\"\nvoid __VERIFIER_error(void);\nint main(void) {\n  if (__VERIFIER_nondet_int() == 9)\n    __VERIFIER_error(); // HERE\n}\n",
    );
    std::fs::write(
        case.folder.path().join("own.h"),
        "static int __VERIFIER_nondet_int(void) { return 9; }\n#define DEFINE(n) void n(int x) {}\nDEFINE(__VERIFIER_assume)\n",
    )
    .expect("a header");
    case.failure.inputs.clear();
    case.reproduces();
}

#[test]
fn several_files_may_have_names_of_their_own() {
    let mut case = Case::new(
        "files",
        FailureKind::ErrorReached,
        "static int helper(void) { return 3; }\nint other(void);\nint main(void) { return helper() == 3 && other(); }\n",
    );
    case.file(
        "other.c",
        "static int helper(void) { return 4; }\nvoid __VERIFIER_error(void);\nint other(void) {\n  int local;\n  if (helper() == 4 && local == 12)\n    __VERIFIER_error(); // HERE\n  return 0;\n}\n",
    );
    case.variable("local", "int", "12", (4, 7));
    case.reproduces();
}

#[test]
fn another_entry_is_called_with_its_arguments() {
    let mut case = Case::new(
        "entry",
        FailureKind::Assertion,
        "#include <assert.h>\nstatic void check(int x, unsigned char y) {\n  assert(x + y != 300); // HERE\n}\nint main(void) { return 0; }\n",
    )
    .input("check", "int", "100")
    .input("check", "unsigned char", "200");
    case.entry = "check";
    case.reproduces();

    Case::new(
        "argc",
        FailureKind::Assertion,
        "#include <assert.h>\nint main(int argc, char **argv) {\n  assert(argc != 3 || argv[2][0] != 0); // HERE\n}\n",
    )
    .input("main", "int", "3")
    .input("main", "char **", "(char**)64")
    .reproduces();
}

#[test]
fn abort_is_a_failure_only_if_it_is_asked_for() {
    let text = "#include <stdlib.h>\nint main(void) {\n  abort(); // HERE\n}\n";
    Case::new("abort", FailureKind::Abort, text).reproduces();
    Case::new("abort-other", FailureKind::ErrorReached, text).does_not_reproduce("calls abort");
}

#[test]
fn memory_errors_are_seen_by_sanitizers() {
    use FailureKind::*;
    let programs = [
        (
            OutOfBounds,
            "int main(void) {\n  int a[4];\n  int i = input();\n  a[i] = 1; // HERE\n  return 0;\n}",
            "4",
        ),
        (
            OutOfBounds,
            "int main(void) {\n  char *p = malloc(4);\n  p[input()] = 1; // HERE\n  return 0;\n}",
            "4",
        ),
        (
            NullDereference,
            "int main(void) {\n  int *p = 0;\n  if (input() == 1)\n    *p = 1; // HERE\n  return 0;\n}",
            "1",
        ),
        (
            UseAfterFree,
            "int main(void) {\n  int *p = malloc(4);\n  if (input()) free(p);\n  *p = 1; // HERE\n  return 0;\n}",
            "1",
        ),
        (
            DoubleFree,
            "int main(void) {\n  int *p = malloc(4);\n  if (input()) free(p);\n  free(p); // HERE\n  return 0;\n}",
            "1",
        ),
        (
            InvalidFree,
            "int main(void) {\n  int *p = malloc(8);\n  free(p + input()); // HERE\n  return 0;\n}",
            "1",
        ),
        (
            SignedOverflow,
            "int main(void) {\n  int x = input();\n  x = x + 1; // HERE\n  return 0;\n}",
            "2147483647",
        ),
        (
            DivisionByZero,
            "int main(void) {\n  int x = 1;\n  x = x / input(); // HERE\n  return 0;\n}",
            "0",
        ),
        (
            InvalidShift,
            "int main(void) {\n  int x = 1;\n  x = x << input(); // HERE\n  return 0;\n}",
            "32",
        ),
    ];
    for (index, (kind, body, value)) in programs.iter().enumerate() {
        let text = format!("#include <stdlib.h>\nint input(void);\n{body}\n");
        let case = |name: &str| Case::new(&format!("memory-{name}{index}"), *kind, &text);
        case("bad").input("input", "int", value).reproduces();
        let good = if *kind == DivisionByZero { "1" } else { "0" };
        case("ok")
            .input("input", "int", good)
            .does_not_reproduce("exit code 0");
    }
    // The right place, the wrong kind.
    let text = format!("#include <stdlib.h>\nint input(void);\n{}\n", programs[3].1);
    Case::new("memory-kind", OutOfBounds, &text)
        .input("input", "int", "1")
        .does_not_reproduce("another failure");
}

#[test]
fn leaks_are_seen_if_nothing_points_to_them() {
    let text = "#include <stdlib.h>\nint input(void);\nint main(void) {\n  char *p = malloc(10);\n  if (input()) p = 0;\n  free(p);\n  return 0;\n}\n";
    Case::new("leak", FailureKind::Leak, text)
        .input("input", "int", "1")
        .reproduces();
    Case::new("leak-ok", FailureKind::Leak, text)
        .input("input", "int", "0")
        .does_not_reproduce("exit code 0");
}

#[test]
fn a_program_that_does_not_compile_is_told() {
    let case = Case::new("broken", FailureKind::Assertion, "int main(void) { return x }\n");
    let outcome = case.run();
    assert!(!outcome.compiled && !outcome.reproduced);
    assert!(outcome.output.contains("error"), "{}", outcome.output);
}

#[test]
fn an_endless_program_is_stopped() {
    Case::new(
        "endless",
        FailureKind::Assertion,
        "int main(void) { for (;;) ; }\n",
    )
    .does_not_reproduce("time limit");
}

#[test]
fn the_text_names_the_failure_and_the_file() {
    let case =
        Case::new("text", FailureKind::ErrorReached, CLASSIC).input("__VERIFIER_nondet_int", "int", "15");
    let task = HarnessTask::read(&case.files, "main", &case.failure, &[], &case.options).expect("readable");
    let text = harness_source(&task);
    assert!(text.starts_with("/* Written by Lariat"), "{text}");
    assert!(text.contains("program.c:9:1: it fails"), "{text}");
    assert!(
        text.contains(&format!("#include \"{}\"", case.files[0].display())),
        "{text}"
    );
    assert!(text.contains("values[] = { 15, }"), "{text}");
}
