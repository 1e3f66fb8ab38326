//! What C can do, each with the answer that follows from the language: whether `bad` can be reached. A wrong answer is the
//! worst there is, so programs that the tool cannot decide are listed with what it says today.

#[path = "common/project.rs"]
mod project;

use lariat_report::{ConformReport, Verdict};
use project::{Files, rendered};

const PROJECT: &str = "
[specification]
process = \"SPEC\"
fsp = '''
A = (a -> return{} -> STOP).
BAD = (bad -> return{} -> STOP).
BIT = (return{0} -> STOP | return{1} -> STOP).
MINUS = (return{-1} -> STOP).
ANY = (return{} -> STOP).
SPEC = (a -> SPEC) + {bad}.
'''
[[component]]
file = \"run.c\"
procedure = \"run\"
[[routine]]
name = \"a\"
process = \"A\"
[[routine]]
name = \"bad\"
process = \"BAD\"
[[routine]]
name = \"bit\"
process = \"BIT\"
[[routine]]
name = \"minus\"
process = \"MINUS\"
[[routine]]
name = \"get\"
process = \"ANY\"
";

const HEADER: &str = "void a(void); void bad(void);\n";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Reached,
    NotReached,
    /// No answer is given today.
    Open,
}
use Expected::{NotReached, Open, Reached};

fn ask(text: &str) -> ConformReport {
    let bit = if text.contains("_Bool bit") {
        ""
    } else {
        "int bit(void);"
    };
    let text = format!("{HEADER}{bit}\n{text}");
    Files::new(&[("run.c", &text), ("a.conform", PROJECT)]).run_within(120.0, "a.conform")
}

fn check(programs: &[(Expected, &str)]) {
    let mut wrong = Vec::new();
    for (expected, text) in programs {
        let report = ask(text);
        let found = match &report.verdict {
            Verdict::Proved => NotReached,
            Verdict::Bug => Reached,
            _ => Open,
        };
        if found != *expected {
            let parts: Vec<_> = report.specifications.iter().map(|part| &part.verdict).collect();
            wrong.push(format!(
                "{expected:?} {found:?} {parts:?} {}\n{text}",
                rendered(&report)
            ));
        }
    }
    assert!(wrong.is_empty(), "expected, found:\n{}", wrong.join("\n"));
}

#[test]
fn data() {
    check(&[
        (
            NotReached,
            "struct s { int x, y; }; void run(void) { struct s s; s.x = 1; s.y = 2; if (s.x == 2) bad(); }",
        ),
        (
            Reached,
            "struct s { int x, y; }; void run(void) { struct s s, t; s.x = 1; s.y = 2; t = s; if (t.y == 2) bad(); }",
        ),
        (
            NotReached,
            "void run(void) { int t[3], i; t[0] = 1; i = bit(); t[i] = 5; if (t[0] == 1 && i == 0) bad(); }",
        ),
        (
            Reached,
            "void run(void) { int t[3]; t[0] = 1; t[bit()] = 5; if (t[0] == 1) bad(); }",
        ),
        (
            NotReached,
            "void run(void) { char s[4] = \"abc\"; if (s[1] != 'b') bad(); }",
        ),
        (
            NotReached,
            "union u { int i; unsigned char c[4]; }; void run(void) { union u u; u.i = 1; if (u.c[0] != 1) bad(); }",
        ),
        (
            NotReached,
            "struct s { unsigned x : 2; }; void run(void) { struct s s; s.x = 5; if (s.x != 1) bad(); }",
        ),
        (
            NotReached,
            "#include <stdlib.h>\nvoid run(void) { int *p = malloc(4); if (!p) return; *p = 3; if (*p != 3) bad(); }",
        ),
        (NotReached, "int g; void run(void) { if (g) bad(); }"),
        (Reached, "void run(void) { int x; if (x == 5) bad(); }"),
        (
            Reached,
            "void run(void) { int i; for (i = 0; i < 2; i++) { int x; if (i == 1 && x == 5) bad(); x = 0; } }",
        ),
        (
            Reached,
            "static int f(int first) { int x; if (first) x = 1; return x; } void run(void) { f(1); if (f(0) == 5) bad(); }",
        ),
    ]);
}

#[test]
fn arithmetic() {
    check(&[
        (
            NotReached,
            "void run(void) { unsigned x = 1u << 31; if (x >> 31 != 1) bad(); }",
        ),
        (
            NotReached,
            "void run(void) { unsigned char c = 255; c++; if (c) bad(); }",
        ),
        (
            Reached,
            "void run(void) { unsigned char c = 255; c++; if (!c) bad(); }",
        ),
        (Reached, "void run(void) { unsigned u = 1; if (-1 > u) bad(); }"),
        (
            NotReached,
            "void run(void) { signed char c = (signed char)200; if (c >= 0) bad(); }",
        ),
        (
            NotReached,
            "void run(void) { if (-7 / 2 != -3 || -7 % 2 != -1) bad(); }",
        ),
        (Reached, "void run(unsigned n) { if (n + 1 == 0) bad(); }"),
        (
            NotReached,
            "void run(int n) { if (n > 0 && n < 10 && n * n >= 100) bad(); }",
        ),
        (Reached, "void run(long n) { if ((int)n != n) bad(); }"),
        (
            Reached,
            "void run(void) { double d = 0.1 + 0.2; if (d != 0.3) bad(); }",
        ),
        (
            NotReached,
            "void run(void) { double d = 0.1 + 0.2; if (d == 0.3) bad(); }",
        ),
        (Reached, "void run(float f) { if (f != f) bad(); }"),
    ]);
}

#[test]
fn pointers() {
    check(&[
        (
            NotReached,
            "void run(void) { int x = 0; int *p = &x; *p = 1; if (x == 0) bad(); }",
        ),
        (
            NotReached,
            "void run(void) { int x = 0, y = 0; int *p = bit() ? &x : &y; *p = 1; if (x + y != 1) bad(); }",
        ),
        (
            Reached,
            "void run(void) { int x = 0, y = 0; int *p = bit() ? &x : &y; *p = 1; if (y) bad(); }",
        ),
        (
            NotReached,
            "static void set(int *p) { *p = 7; } void run(void) { int x; set(&x); if (x != 7) bad(); }",
        ),
        (
            Reached,
            "void run(int *p, int *q) { if (p && q) { *p = 0; *q = 1; if (*p) bad(); } }",
        ),
        (
            Reached,
            "struct s { int x; }; void run(struct s *p) { if (p && p->x == 3) bad(); }",
        ),
        (
            Reached,
            "struct s { struct s *next; int x; }; void run(struct s *p) { if (p && p->next == p && p->next->x == 3) bad(); }",
        ),
        (
            Reached,
            "void run(int argc, char **argv) { if (argc > 3 && argv[1][0] == 'x') bad(); }",
        ),
        (
            Reached,
            "void run(void) { void (*f)(void) = bit() ? a : bad; f(); }",
        ),
        (NotReached, "void run(void) { void (*f)(void) = a; f(); }"),
        (
            Reached,
            "void (*table[2])(void) = { a, bad }; void run(void) { table[bit()](); }",
        ),
        (
            NotReached,
            "void (*table[2])(void) = { a, bad }; void run(void) { table[0](); }",
        ),
    ]);
}

#[test]
fn functions_without_a_body() {
    check(&[
        (
            Reached,
            "int ext(void); void run(void) { if (ext() == 5) bad(); }",
        ),
        (
            Reached,
            "void ext(int *p); void run(void) { int x = 0; ext(&x); if (x) bad(); }",
        ),
        (
            Reached,
            "int *ext(void); void run(void) { int *p = ext(); if (p && *p == 3) bad(); }",
        ),
        (
            NotReached,
            "#include <stdio.h>\nvoid run(void) { int x = 0; printf(\"%d\", x); if (x) bad(); }",
        ),
        (
            Reached,
            "#include <stdlib.h>\nvoid run(void) { if (rand() == 5) bad(); }",
        ),
    ]);
}

#[test]
fn unknown_values_and_callbacks() {
    check(&[
        (Reached, "extern int g; void run(void) { if (g) bad(); }"),
        (Reached, "void run(void) { int t[2]; if (t[1] == 7) bad(); }"),
        (
            Reached,
            "struct s { int x; }; void run(void) { struct s s; if (s.x == 7) bad(); }",
        ),
        (
            Reached,
            "#include <stdlib.h>\nvoid run(void) { int *p = malloc(8); if (p && p[1] == 7) bad(); }",
        ),
        (
            NotReached,
            "#include <stdlib.h>\nvoid run(void) { int *p = calloc(2, 4); if (p && p[1] == 7) bad(); }",
        ),
        (
            NotReached,
            "#include <string.h>\nstruct s { int x; }; void run(void) { struct s s; memset(&s, 0, sizeof s); if (s.x) bad(); }",
        ),
        (Open, "void ext(void (*f)(void)); void run(void) { ext(bad); }"),
        (
            Open,
            "void ext(void (*f)(void)); static void h(void) { bad(); } void run(void) { ext(h); }",
        ),
        (
            Reached,
            "#include <stdlib.h>\nvoid run(void) { atexit(bad); exit(0); }",
        ),
        (
            Open,
            "#include <signal.h>\nstatic void h(int s) { bad(); } void run(void) { signal(2, h); a(); }",
        ),
        (
            Open,
            "#include <pthread.h>\nstatic void *h(void *p) { bad(); return 0; } void run(void) { pthread_t t; pthread_create(&t, 0, h, 0); }",
        ),
        (
            NotReached,
            "static const int t[] = { 1, 2 }; void run(void) { if (t[bit()] == 3) bad(); }",
        ),
        (
            Reached,
            "#include <stdio.h>\nvoid run(void) { int x = 0; scanf(\"%d\", &x); if (x == 7) bad(); }",
        ),
    ]);
}

/// What is assumed of functions without a body is told.
#[test]
fn functions_without_a_body_are_told() {
    let report = ask("int ext(int *p); void run(void) { int x; if (ext(&x)) a(); }");
    assert_eq!(report.verdict, Verdict::Proved);
    let shown = rendered(&report);
    assert!(
        shown.contains("`ext` has no body: it is assumed that it returns any value and may write through &x"),
        "{shown}"
    );
}

#[test]
fn control() {
    check(&[
        (
            NotReached,
            "#include <assert.h>\nvoid run(void) { int x = bit(); assert(x == 0); if (x) bad(); }",
        ),
        (
            NotReached,
            "#include <stdlib.h>\nvoid run(void) { if (bit()) { exit(1); bad(); } }",
        ),
        (
            NotReached,
            "#include <stdlib.h>\nvoid run(void) { if (bit()) { abort(); bad(); } }",
        ),
        (
            NotReached,
            "static _Noreturn void die(void) { for (;;) a(); } void run(void) { die(); bad(); }",
        ),
        (
            Reached,
            "void run(void) { switch (bit()) { case 0: a(); case 1: bad(); break; default: a(); } }",
        ),
        (
            NotReached,
            "void run(void) { switch (bit()) { case 0: case 1: break; default: bad(); } }",
        ),
        (
            Reached,
            "void run(void) { int i = 3; goto in; while (i < 3) { i = 0; in: if (i == 3) bad(); i = 5; } }",
        ),
        (
            NotReached,
            "static int f(void) { static int n = 0; n++; return n; } void run(void) { f(); if (f() == 1) bad(); }",
        ),
        (
            Reached,
            "static int f(void) { static int n = 0; n++; return n; } void run(void) { f(); if (f() == 2) bad(); }",
        ),
        (NotReached, "void run(void) { while (1); bad(); }"),
        (NotReached, "void run(void) { for (;;) a(); bad(); }"),
        (Reached, "void run(void) { while (bit()); bad(); }"),
        (
            NotReached,
            "void run(void) { int x = 0; do { x++; if (x == 2) continue; a(); } while (x < 5); if (x != 5) bad(); }",
        ),
        (Reached, "void run(void) { if (bit() && bit()) bad(); }"),
        (
            NotReached,
            "void run(void) { int x = 0; if (bit() && (x = 1, bit())) { if (!x) bad(); } }",
        ),
        (
            Open,
            "#include <setjmp.h>\njmp_buf b; void run(void) { if (setjmp(b)) return; longjmp(b, 1); bad(); }",
        ),
        (
            Open,
            "#include <setjmp.h>\njmp_buf b; void run(void) { if (setjmp(b)) { bad(); return; } longjmp(b, 1); }",
        ),
    ]);
}

/// What routines return, in all types.
#[test]
fn results_of_routines() {
    check(&[
        (
            Reached,
            "int get(void); void run(void) { if (get() == 5) bad(); }",
        ),
        (
            Reached,
            "double get(void); void run(void) { if (get() == 0.5) bad(); }",
        ),
        (
            Reached,
            "struct s { int x, y; }; struct s get(void); void run(void) { struct s s = get(); if (s.x == 5 && s.y == 6) bad(); }",
        ),
        (
            Reached,
            "struct s { int x, y; }; struct s get(void); void run(void) { int y = get().y; if (get().y != y) bad(); }",
        ),
        (
            Reached,
            "int minus(void); void run(void) { if (minus() == -1) bad(); }",
        ),
        (
            Reached,
            "int minus(void); void run(void) { unsigned u = minus(); if (u > 5) bad(); }",
        ),
        (
            Reached,
            "int minus(void); void run(void) { unsigned char u = minus(); if (u == 255) bad(); }",
        ),
        (
            Reached,
            "int minus(void); void run(void) { _Bool u = minus(); if (u) bad(); }",
        ),
        (
            Reached,
            "long minus(void); void run(void) { if (minus() == -1) bad(); }",
        ),
        (
            Reached,
            "_Bool bit(); void run(void) { int x = 0; x = bit(); if (x == 1) bad(); }",
        ),
        (Reached, "int minus(); void run(void) { minus(1, 2); bad(); }"),
    ]);
}

/// What the front end takes for granted today, as `lariat verify` does: the other answer would be right for a program whose
/// environment does more. They are told in the manual.
#[test]
fn fixme_what_is_taken_for_granted() {
    check(&[
        // A volatile object changes by assignments only.
        (
            NotReached,
            "volatile int g; void run(void) { g = 0; if (g) bad(); }",
        ),
        // A function without a body changes no globals but through its arguments.
        (
            NotReached,
            "void ext(void); int g; void run(void) { g = 0; ext(); if (g) bad(); }",
        ),
        // The arguments of a component do not point to its globals, or to functions.
        (
            NotReached,
            "int g; void run(int *p) { if (p) { g = 0; *p = 1; if (g) bad(); } }",
        ),
        (NotReached, "void run(void (*f)(void)) { f(); }"),
        // A routine changes nothing.
        (
            NotReached,
            "int minus(int *p); void run(void) { int x = 0; minus(&x); if (x) bad(); }",
        ),
    ]);
}

/// The guards of routines see parameters in their types, and globals as they are at the call.
#[test]
fn guards_of_routines() {
    let ask = |declarations: &str, parameters: &str, guard: &str, text: &str| {
        let alternatives = format!(
            "name = \"choose\"\nparameters = [{parameters}]\nalternatives = [{{ guard = \"{guard}\", process = \"BAD\" }}, \
             {{ guard = \"!({guard})\", process = \"A\" }}]\n"
        );
        let project = format!("{PROJECT}\n[[routine]]\n{alternatives}");
        let text = format!("{declarations}\n{text}");
        let report = Files::new(&[("run.c", &text), ("a.conform", &project)]).run_within(120.0, "a.conform");
        assert!(
            matches!(report.verdict, Verdict::Bug | Verdict::Proved),
            "{text}: {}",
            rendered(&report)
        );
        report.verdict == Verdict::Bug
    };
    let global = "int g; void choose(void);";
    assert!(ask(
        global,
        "",
        "g > 0",
        "void run(void) { choose(); g = 1; choose(); }"
    ));
    assert!(!ask(
        global,
        "",
        "g > 0",
        "void run(void) { choose(); g = -1; choose(); }"
    ));
    let narrow = "void choose(unsigned char p);";
    assert!(!ask(
        narrow,
        "\"p\"",
        "p > 100",
        "void run(void) { choose(300); }"
    ));
    assert!(ask(narrow, "\"p\"", "p > 40", "void run(void) { choose(300); }"));
    let unsigned = "void choose(unsigned p);";
    assert!(ask(unsigned, "\"p\"", "p > 5", "void run(void) { choose(-1); }"));
    let pointer = "void choose(int *p, int q);";
    assert!(!ask(
        pointer,
        "\"p\", \"q\"",
        "p == NULL || q < 3",
        "void run(void) { int x; choose(&x, 3); }"
    ));
    assert!(ask(
        pointer,
        "\"p\", \"q\"",
        "p == NULL || q < 3",
        "void run(int *x) { choose(x, 3); }"
    ));
    let hiding = "int p; void choose(int p);";
    assert!(ask(
        hiding,
        "\"p\"",
        "p == 1",
        "void run(void) { p = 0; choose(1); }"
    ));
    // Operands are promoted and have a common type, as in C.
    for (declared, guard, argument, expected) in [
        ("unsigned char p", "p < 300", "200", true),
        ("unsigned char p", "p == -1", "255", false),
        ("unsigned char p", "p == 256", "0", false),
        ("unsigned char p", "p - 1 < 0", "0", true),
        ("unsigned char p", "p * 2 == 254", "255", false),
        ("unsigned char p", "-p < 0", "1", true),
        ("signed char p", "p < 128", "5", true),
        ("short p", "p * 2 > 40000", "30000", true),
        ("unsigned short p", "p * p > 0", "256", true),
        ("_Bool p", "p + p == 2", "7", true),
        ("_Bool p", "p == 2", "7", false),
        ("int p", "p < 3000000000", "5", true),
        ("unsigned p", "p - 1 < 0", "0", false),
        ("unsigned p", "p > -1", "3", false),
        ("unsigned p", "p == 4294967295", "-1", true),
        ("long p", "p == 4294967295", "-1", false),
        ("unsigned long p", "p == 18446744073709551615", "-1", true),
        ("double p", "p * 2 == 1", "0.5", true),
        ("float p", "p > 0", "0.25f", true),
    ] {
        let declaration = format!("void choose({declared});");
        let call = format!("void run(void) {{ choose({argument}); }}");
        let found = ask(&declaration, "\"p\"", guard, &call);
        assert_eq!(found, expected, "{declared}: {guard} of {argument}");
    }
    // Without names those of the definition hold.
    assert!(ask(
        "void choose(int level) { (void)level; }",
        "",
        "level == 1",
        "void run(void) { choose(1); }"
    ));
}
