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
        "#include <search.h>\nstatic int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } static void f(const void *node, VISIT which, int depth) { count += STEP; }",
        "void *root = 0; int x = 1, y = 2; tsearch(&x, &root, order); tsearch(&y, &root, order); twalk(root, f);",
        false,
    ),
    (
        "#include <pthread.h>\nstatic void f(void *p) { count += STEP; }",
        "pthread_cleanup_push(f, 0); count += 1; pthread_cleanup_pop(1);",
        false,
    ),
    (
        "#include <pthread.h>\nstatic void f(void) { count += STEP; } static void (*table[2])(void) = { 0, f }; static void run(int n) { if (table[n]) table[n](); }",
        "run(0); run(1);",
        false,
    ),
    (
        "#include <signal.h>\n#include <unistd.h>\nstatic void f(int s, siginfo_t *i, void *c) { count += STEP; }",
        "struct sigaction action; memset(&action, 0, sizeof action); action.sa_sigaction = f; action.sa_flags = SA_SIGINFO; sigaction(SIGUSR2, &action, 0); kill(getpid(), SIGUSR2);",
        false,
    ),
    (
        "static void f(void) { count += STEP; } __attribute__((section(\".init_array\"), used)) static void (*entry)(void) = f;",
        "",
        false,
    ),
    (
        "__attribute__((constructor)) static void f(void) { count += STEP; } __attribute__((constructor)) static void h(void) { count += 1; }",
        "",
        false,
    ),
    (
        "#include <stddef.h>\nstatic ssize_t f(void *c, const char *b, size_t n) { count |= STEP; return (ssize_t)n; }",
        "cookie_io_functions_t io = { 0, f, 0, 0 }; FILE *s = fopencookie(0, \"w\", io); fputs(\"x\", s); fclose(s);",
        false,
    ),
    (
        "#include <link.h>\nstatic int f(struct dl_phdr_info *info, size_t n, void *p) { count = STEP; return 1; }",
        "dl_iterate_phdr(f, 0);",
        false,
    ),
    (
        "struct item { int key, value; }; static int f(const void *a, const void *b) { count |= STEP; return ((const struct item *)a)->key - ((const struct item *)b)->key; }",
        "struct item a[2] = { { 2, 1 }, { 1, 2 } }; qsort(a, 2, sizeof *a, f); count += a[0].key - 1;",
        false,
    ),
    (
        "#include <ucontext.h>\nstatic ucontext_t here; static volatile int again; static void f(void) { count += STEP; if (!again) { again = 1; setcontext(&here); } }",
        "getcontext(&here); f();",
        false,
    ),
    (
        "static void f(void) { count += STEP; } static void (*chain[3])(void); static void add(void (*g)(void)) { static int n; chain[n++] = g; } static void all(void) { for (int i = 0; i < 3 && chain[i]; i++) chain[i](); }",
        "add(f); add(f); all();",
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
