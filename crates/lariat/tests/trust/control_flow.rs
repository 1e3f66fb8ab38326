//! Functions that the program hands to the library, or marks, are called though no call of them is in the text.

use lariat_testkit::Random;

use super::{CProgram, Truth, program};

/// Declarations, and the statements that lead to a call that sets `count`; `true` where it is called after `main`.
const WAYS: &[(&str, &str, bool)] = &[
    ("static void f(void) { count += STEP; }", "atexit(f);", true),
    (
        "static void f(void) { count += STEP; } static void h(void) { count *= 2; }",
        "atexit(h); atexit(f);",
        true,
    ),
    (
        "static void f(int status, void *argument) { count += STEP + status; }",
        "on_exit(f, 0);",
        true,
    ),
    (
        "static void f(void) { count += STEP; }",
        "at_quick_exit(f); LATER quick_exit(count == 77);",
        true,
    ),
    (
        "#include <pthread.h>\nstatic pthread_once_t once = PTHREAD_ONCE_INIT; static void f(void) { count += STEP; }",
        "pthread_once(&once, f); pthread_once(&once, f);",
        false,
    ),
    (
        "#include <threads.h>\nstatic once_flag once = ONCE_FLAG_INIT; static void f(void) { count += STEP; }",
        "call_once(&once, f); call_once(&once, f);",
        false,
    ),
    (
        "static int f(const void *a, const void *b) { count |= STEP; return *(const int *)a - *(const int *)b; }",
        "int a[3] = { 3, 1, 2 }; qsort(a, 3, sizeof *a, f);",
        false,
    ),
    (
        "static int f(const void *a, const void *b, void *p) { *(int *)p |= STEP; return *(const int *)a - *(const int *)b; }",
        "int a[2] = { 2, 1 }; qsort_r(a, 2, sizeof *a, f, &count);",
        false,
    ),
    (
        "static int f(const void *a, const void *b) { count |= STEP; return *(const int *)a - *(const int *)b; }",
        "int a[3] = { 1, 2, 3 }, key = 2; bsearch(&key, a, 3, sizeof *a, f);",
        false,
    ),
    (
        "#include <search.h>\nstatic int f(const void *a, const void *b) { count |= STEP; return *(const int *)a - *(const int *)b; }",
        "int a[3] = { 3, 1, 2 }, key = 1; size_t n = 3; lfind(&key, a, &n, sizeof *a, f);",
        false,
    ),
    (
        "#include <search.h>\nstatic int f(const void *a, const void *b) { count |= STEP; return *(const int *)a - *(const int *)b; }",
        "int a[4] = { 3, 1, 2 }, key = 9; size_t n = 3; lsearch(&key, a, &n, sizeof *a, f);",
        false,
    ),
    (
        "#include <search.h>\nstatic int f(const void *a, const void *b) { count |= STEP; return *(const int *)a - *(const int *)b; }",
        "void *root = 0; int x = 1, y = 2; tsearch(&x, &root, f); tsearch(&y, &root, f);",
        false,
    ),
    (
        "#include <signal.h>\nstatic void f(int s) { count += STEP; }",
        "signal(SIGUSR1, f); raise(SIGUSR1);",
        false,
    ),
    (
        "#include <signal.h>\nstatic void f(int s) { count += STEP; }",
        "struct sigaction action; memset(&action, 0, sizeof action); action.sa_handler = f; sigaction(SIGUSR2, &action, 0); raise(SIGUSR2);",
        false,
    ),
    (
        "#include <signal.h>\nstatic void f(int s) { count += STEP; }",
        "sysv_signal(SIGUSR1, f); raise(SIGUSR1);",
        false,
    ),
    (
        "__attribute__((constructor)) static void f(void) { count += STEP; }",
        "",
        false,
    ),
    (
        "__attribute__((constructor(201))) static void f(void) { count += STEP; } __attribute__((constructor(150))) static void h(void) { count = count * 10 + 1; }",
        "",
        false,
    ),
    (
        "__attribute__((destructor)) static void f(void) { count += STEP; }",
        "",
        true,
    ),
    (
        "#include <setjmp.h>\nstatic jmp_buf place; static void f(void) { count += STEP; longjmp(place, 1); }",
        "if (!setjmp(place)) { f(); count += 100; }",
        false,
    ),
    (
        "static void *place[5]; static void f(void) { count += STEP; __builtin_longjmp(place, 1); }",
        "if (!__builtin_setjmp(place)) { f(); count += 100; }",
        false,
    ),
    (
        "#include <pthread.h>\nstatic void *f(void *p) { count += STEP; return p; }",
        "pthread_t thread; pthread_create(&thread, 0, f, 0); pthread_join(thread, 0);",
        false,
    ),
    (
        "static void f(int *p) { count += STEP; }",
        "__attribute__((cleanup(f))) int local = 0; { __attribute__((cleanup(f))) int inner = 0; inner++; }",
        false,
    ),
];

pub fn generate(random: &mut Random) -> CProgram {
    let (declarations, statements, after) = random.pick(WAYS);
    let step = random.between(1, 7).to_string();
    let guess = random.between(0, 11);
    let claim = random.pick(&["==", "!="]);
    let start = random.between(0, 1);
    let declarations = declarations.replace("STEP", &step);
    // After `main` a function that is registered first, and so called last, looks at the count.
    let (first, last) = match after {
        true => ("atexit(look); at_quick_exit(look);", String::new()),
        false => ("", "look();".to_owned()),
    };
    let is_quick = statements.contains("quick_exit(count");
    let first = if is_quick { "at_quick_exit(look);" } else { first };
    let statements = statements.replace("LATER", &format!("count += {start};"));
    // A destructor is called after the functions that `atexit` has registered: it looks itself.
    let looks = "static void look(void) { assert(count CLAIM); }";
    let looks = looks.replace("CLAIM", &format!("{claim} {guess}"));
    let (declarations, first) = match declarations.contains("destructor") {
        true => (
            format!(
                "{} {{ count += {step}; look(); }}",
                declarations.split(" {").next().unwrap_or_default()
            ),
            "",
        ),
        false => (declarations, first),
    };
    let text = program(&format!(
        "static int count;
{looks}
{declarations}
int main(void) {{
  {first}
  count += {start};
  {statements}
  {last}
  return 0;
}}
"
    ));
    CProgram {
        text,
        flags: &[],
        truth: Truth::Run,
    }
}
