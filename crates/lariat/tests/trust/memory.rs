//! Uses of memory, values and numbers that sanitizers catch, and their correct twins.

use lariat_testkit::Random;

use super::{CProgram, Truth, program};

const MEMORY: &[&str] = &["--check", "memory"];
const UNINIT: &[&str] = &["--check", "uninit"];
const OVERFLOW: &[&str] = &["--check", "overflow"];

/// Statements of `main`; N is a small number.
const ACCESSES: &[&str] = &[
    "int *p; { int inner = N; p = &inner; *p = 1; } *p = 2;",
    "int *p; { int inner = N; p = &inner; *p = 1; }",
    "int *p; { p = (int[]){ 1, 2 }; } p[1] = N;",
    "int *p = (int[]){ 1, 2 }; p[1] = N;",
    "int *p = 0; for (int i = 0; i < 2; i++) { int was = p ? *p : 0; int kept = N + was; p = &kept; }",
    "char text[8] = \"abcdefg\"; memcpy(text + 1, text, N);",
    "char text[16] = \"abcdefg\"; memcpy(text + 8, text, N);",
    "char text[16] = \"abcdefg\"; memmove(text + 1, text, N);",
    "char name[3] = { 'a', 'b', 'c' }; char to[10] = { 0 }; strncpy(to, name, N); (void)strlen(to);",
    "char digits[2] = { '1', '2' }; int value = atoi(digits); (void)value;",
    "char digits[3] = \"12\"; int value = atoi(digits); (void)value;",
    "char to[6]; sprintf(to, \"%d\", N * 1000);",
    "char to[6]; sprintf(to, \"%d\", N * 100000);",
    "char to[6]; snprintf(to, N, \"%s\", \"hello, world\");",
    "char to[6]; formatted(to, \"number %d\", N);",
    "char to[12]; formatted(to, \"number %d\", N);",
    "char to[4]; strcpy(to, N > 3 ? \"long text\" : \"abc\");",
    "char to[8] = \"ab\"; strcat(to, N > 3 ? \"cdefgh\" : \"cdef\");",
    "char *copy = strdup(\"abc\"); copy[N] = 'x'; free(copy);",
    "int *p = malloc(N * sizeof *p); p[3] = 1; free(p);",
    "int *p = calloc(4, sizeof *p); free(p); if (N > 3) p[0] = 1;",
    "int *p = malloc(8); p = realloc(p, 4 * N); p[2] = 1; free(p);",
    "int n = N; int a[n]; a[3] = 1;",
    "int *p = escaped(N); *p = 1;",
    "struct { int a[3]; int b; } s = { 0 }; int *p = s.a; p[N] = 1;",
    "int a[4][4] = { 0 }; int *p = &a[0][0]; p[N + 11] = 1;",
    "char *p = malloc(4); memset(p, 0, N); free(p);",
    "int a[4] = { 0 }; int *p = a + N; if (N < 4) *p = 1;",
    "struct tm time = { 0 }; time.tm_year = 100; char to[8]; strftime(to, N * 3, \"%Y-%m-%d\", &time);",
    "char to[4]; gcvt_like(to, N);",
    "free((char *)malloc(4) + (N > 3 ? 1 : 0));",
    "int *p = malloc(4); free(p); if (N > 4) free(p);",
    "char *line = \"abc\"; if (N > 3) { char *writable = (char *)line; writable[0] = 'x'; }",
    "static const int fixed[2] = { 1, 2 }; if (N > 3) { int *writable = (int *)fixed; writable[0] = 3; }",
    "char a[3] = { 'x', 'y', 'z' }; if (N > 3 && strchr(a, 'q')) puts(\"found\");",
    "char text[4] = \"abc\"; char *token = strtok(text, \"-\"); token = strtok(0, \"-\"); if (N > 3) *token = 'x';",
    "int a[2] = { 2, 1 }; qsort(a, N, sizeof *a, compare);",
    "char *p = 0; for (int i = 0; i < N; i++) { char c = 'a'; if (i == 3) p = &c; } if (p) *p = 'b';",
    "struct pair *p; { struct pair q = { 1, 2 }; p = &q; p->a = N; } if (N > 3) p->b = 1;",
    "int *p = &(int){ 1 }; *p = N;",
    "char to[5]; snprintf(to, N > 3 ? 9 : 5, \"%s\", \"abcdefgh\");",
    "char to[4]; strncpy(to, \"abcdef\", N); to[3] = 0;",
    "char to[4] = \"\"; strncat(to, \"abcdef\", N);",
    "char a[4] = \"abc\"; memmove(a + 1, a, N);",
    "char a[8] = \"abcdefg\"; strcpy(a + (N > 3 ? 1 : 4), N > 3 ? \"abcdefg\" : \"abc\");",
    "char digits[4] = { '1', '2', '3', '4' }; long v = N > 3 ? strtol(digits, 0, 10) : 0; (void)v;",
    "char text[3] = { 'a', 'b', 'c' }; if (N > 3) puts(text);",
    "int *p = malloc(4 * sizeof *p); memset(p, 0, N * sizeof *p); free(p);",
    "int *p = malloc(sizeof *p); int *q = realloc(p, 64); if (N > 3) *p = 1; else *q = 1; free(q);",
    "char *p = strndup(\"abcdef\", N); p[3] = 'x'; free(p);",
    "int a[4] = { 0 }; memcpy(a, a + (N > 3 ? 1 : 2), 2 * sizeof *a);",
    "struct { char c[4]; int after; } s = { \"abc\", 7 }; s.c[N] = 0;",
    "union { int i; char c[4]; } u; u.i = 0; u.c[N] = 1;",
    "int a[3] = { 0 }; for (int i = 0; i <= N; i++) if (i < 4) a[i] = i;",
    "char *p = alloca(N); p[3] = 1;",
    "int *p = malloc(8); if (N > 3) free(p); p[0] = 1; if (N <= 3) free(p);",
    "char b[4]; if (N > 3) memset(b, 0, N); else memset(b, 0, 4);",
    "const char *s = \"abc\"; char c = s[N]; (void)c;",
];

/// The address sanitizer does not see the end of compound literals, what `stpcpy` and `wcscpy` write, that what `alloca` gave is gone, nor an array of variable length, nor that the
/// text of `sscanf` has no end, nor one that `printf` reads up to a precision in an argument; each fails if N is more than 3.
const UNSEEN: &[&str] = &[
    "char *s = (char[]){ 'a', 'b', 'c' }; if (N > 3) (void)strlen(s);",
    "char to[4]; stpcpy(to, N > 3 ? \"abcd\" : \"abc\");",
    "wchar_t wide[3]; wcscpy(wide, N > 3 ? L\"abc\" : L\"ab\");",
    "char text[2] = { '4', '2' }; int v = 0; if (N > 3) sscanf(text, \"%d\", &v);",
    "char *p = stacked(N); *p = 1;",
    "char text[3] = { 'a', 'b', 'c' }; printf(\"%.*s\\n\", N, text);",
    "int kept = 0, *p = &kept; { int n = N; int a[n]; a[0] = 1; if (N > 3) p = a; } *p = 1;",
    "int kept = 0, *p = &kept; for (int i = 1; i < N; i++) { int a[i]; a[0] = 1; if (i == 3) p = a; } *p = 1;",
];

const VALUES: &[&str] = &[
    "struct { int a, b; } s, t; s.a = N; if (N > 3) s.b = 1; t = s; if (t.b) puts(\"set\");",
    "struct pair s; s.a = 1; if (N > 3) s.b = 2; if (second(s)) puts(\"set\");",
    "if (sometimes(N)) puts(\"set\");",
    "int *p = malloc(4); p[0] = 1; p = realloc(p, 8); if (N > 3) p[1] = 2; if (p[1]) return 0;",
    "int x; if (N > 3) x = 1; if (x) puts(\"set\");",
    "int a[4]; for (int i = 0; i < N; i++) a[i] = i; if (a[3]) puts(\"set\");",
    "int *p = malloc(8); if (N > 3) p[1] = 1; if (p[1]) puts(\"set\");",
    "int *p = calloc(1, 8); if (p[1]) puts(\"set\");",
    "struct pair s = { 1 }; if (s.b) puts(\"set\");",
    "struct pair s = made(N); if (s.b) puts(\"set\");",
    "int x; fill(&x, N); if (x) puts(\"set\");",
    "char text[4]; if (N > 3) strcpy(text, \"ab\"); if (strlen(text) == 1) puts(\"set\");",
    "struct pair a[2]; a[0].a = a[0].b = N; if (N > 3) a[1] = a[0]; if (a[1].b) puts(\"set\");",
    "int a[2], b[2]; a[0] = 1; if (N > 3) a[1] = 1; memcpy(b, a, sizeof b); if (b[1]) puts(\"set\");",
    "int *p = alloca(8); p[0] = 1; if (N > 3) p[1] = 1; if (p[1]) puts(\"set\");",
    "int x; int y = N > 3 ? 1 : x; if (y) puts(\"set\");",
    "union { int i; char c[4]; } u; memset(u.c, 0, N > 3 ? 4 : 2); if (u.c[3]) puts(\"set\");",
];

const NUMBERS: &[&str] = &[
    "int x = N > 3 ? INT32_MIN : -N; int y = abs(x); (void)y;",
    "long x = N > 3 ? LONG_MIN : -N; long y = labs(x); (void)y;",
    "long long x = N > 3 ? LLONG_MIN : -N; long long y = llabs(x); (void)y;",
    "double d = N * 1e9; int i = (int)d; (void)i;",
    "float f = N * 1e9f; int i = (int)f; (void)i;",
    "double d = -N; unsigned u = (unsigned)d; (void)u;",
    "double d = N * 100.0; signed char c = (signed char)d; (void)c;",
    "int x = INT32_MAX - N; x += 3; (void)x;",
    "int x = INT32_MIN; x = N > 3 ? -x : x; (void)x;",
    "int x = INT32_MIN; x = x / (N > 3 ? -1 : 1); (void)x;",
    "int n = N, x = n * 500000000; (void)x;",
    "short s = 32767; s += N; (void)s;",
    "int x = INT32_MAX; if (N > 3) x++; (void)x;",
    "unsigned u = 0; u -= N; (void)u;",
    "long x = (long)N << 40; int y = (int)x; (void)y;",
    "int x = 1 << (N > 3 ? 31 : 30); (void)x;",
    "long double d = N * 1e18L; long l = (long)(d * 2); (void)l;",
    "float f = N > 3 ? -1.0f : 1.0f; unsigned char c = (unsigned char)f; (void)c;",
    "double d = N > 3 ? 0.0 / 0.0 : 1.0; int i = (int)d; (void)i;",
    "int x = INT32_MAX; long y = (long)x * N; (void)y;",
    "int a = N > 3 ? INT32_MIN : 5, b = -1; int c = a % b; (void)c;",
    "int x = -N; x *= 700000000; (void)x;",
    "long long x = LLONG_MAX; x -= N > 3 ? -1 : 1; (void)x;",
    "signed char c = 100; c += N * 10; (void)c;",
    "int x = 0x7ffffffd; for (int i = 0; i < N; i++) x++; (void)x;",
];

const SUPPORT: &str = "#include <limits.h>
#include <time.h>
#include <wchar.h>
struct pair { int a, b; };
static void formatted(char *to, const char *format, ...) { va_list list; va_start(list, format); vsprintf(to, format, list); va_end(list); }
static int *escaped(int n) { static int kept; int own = n; int *volatile p = n > 3 ? &own : &kept; return p; }
static char *stacked(int n) { static char kept; char *volatile p = n > 3 ? __builtin_alloca(4) : &kept; *p = 1; return p; }
static void gcvt_like(char *to, int n) { for (int i = 0; i < n; i++) to[i] = '0'; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int second(struct pair s) { return s.b; }
static int sometimes(int n) { if (n > 3) return 1; }
static struct pair made(int n) { struct pair s; s.a = n; if (n > 3) s.b = n; return s; }
static void fill(int *x, int n) { if (n > 3) *x = n; }
";

pub fn generate(random: &mut Random) -> CProgram {
    let number = random.between(1, 6);
    let (statements, flags, truth) = match random.below(20) {
        0 if number > 3 => (random.pick(UNSEEN), MEMORY, Truth::SomeExecutionFails),
        0 => (random.pick(UNSEEN), MEMORY, Truth::NoExecutionFails),
        1..5 => (random.pick(VALUES), UNINIT, Truth::Memory),
        5..9 => (random.pick(NUMBERS), OVERFLOW, Truth::Arithmetic),
        _ => (random.pick(ACCESSES), MEMORY, Truth::Address),
    };
    let text = program(&format!(
        "{SUPPORT}#define N {number}\nint main(void) {{\n  {statements}\n  return 0;\n}}\n"
    ));
    CProgram { text, flags, truth }
}
