//! What changes without a visible assignment: devices, modes of the machine, variables of the library; and builtins that
//! write through pointers.

use lariat_testkit::Random;

use super::{CProgram, Truth, program};

/// Programs that some environment makes fail, or none.
const DEVICES: &[(&str, Truth)] = &[
    (
        "extern volatile int device; int main(void) { int a = device, b = device; assert(a == b); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "extern volatile unsigned status; int main(void) { while (!(status & 1)) ; assert(status & 1); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "int main(void) { volatile int *r = (volatile int *)0x40000000; int a = *r, b = *r; assert(a == b); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "extern volatile int device; int main(void) { int a = device; assert(a == a); return 0; }",
        Truth::NoExecutionFails,
    ),
    (
        "int main(void) { volatile int own = 3; int a = own; assert(a == 3); return 0; }",
        Truth::NoExecutionFails,
    ),
    (
        "extern int other; int main(void) { assert(other == 0); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "extern volatile struct { int a, b; } device; int main(void) { device.a = 1; assert(device.a == 1); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "static int f(int x, int y) { return x + y; } int main(void) { int (*p)(int) = (int (*)(int))f; assert(p(5) == 5); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "extern int table[]; int main(void) { assert(table[0] == 0); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "extern volatile const unsigned clock_ticks; int main(void) { unsigned a = clock_ticks; unsigned b = clock_ticks; assert(b >= a); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "void *outside(void); static int own = 1; int *keep = &own; int main(void) { int *p = outside(); if (p) *p = 5; assert(own == 1); return 0; }",
        Truth::SomeExecutionFails,
    ),
    // The address of this one never leaves.
    (
        "void *outside(void); int main(void) { static int own = 1; int *volatile keep = &own; int *p = outside(); assert(*keep == 1); return p != 0; }",
        Truth::NoExecutionFails,
    ),
    (
        "void fill(int *p); int main(void) { int x = 1; fill(&x); assert(x == 1); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "void fill(const int *p); int main(void) { int x = 1, y = 2; fill(&x); assert(y == 2); return 0; }",
        Truth::NoExecutionFails,
    ),
    // A pointer to a number may be one into an array.
    (
        "void fill(int *p); int main(void) { int a[4] = { 0 }; fill(a); assert(a[3] == 0); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "void fill(int *p); int main(void) { int a[4] = { 0 }; int *p = a + 2; fill(p); assert(a[1] == 0); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "void fill(double *p); struct s { int n; double d[2]; } g; int main(void) { fill(g.d); assert(g.d[1] == 0); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "void fill(int *p); int main(void) { int *p = malloc(4 * sizeof *p); if (!p) return 0; p[3] = 1; fill(p); assert(p[3] == 1); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "void fill(int *p); int main(void) { int a[4] = { 0 }, b[4] = { 0 }; fill(a); assert(b[3] == 0); return 0; }",
        Truth::NoExecutionFails,
    ),
    (
        "void fill(unsigned long where); int main(void) { int a[4] = { 0 }; fill((unsigned long)a); assert(a[2] == 0); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "int ask(void); int main(void) { int a = ask(), b = ask(); assert(a == b); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "struct point { int x, y; }; struct point where(void); int main(void) { struct point p = where(); assert(p.x == p.y); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "static int f(int x, int y) { return x + y; } int main(void) { int (*p)(void) = (int (*)(void))f; assert(p() == 0); return 0; }",
        Truth::SomeExecutionFails,
    ),
    (
        "static double f(double x) { return x; } int main(void) { int (*p)(int) = (int (*)(int))f; assert(p(5) == 5); return 0; }",
        Truth::SomeExecutionFails,
    ),
];

/// Statements that set `seen`, by the library's own variables and modes.
const LIBRARY: &[&str] = &[
    "char *words[] = { \"p\", \"-a\", \"-b\", 0 }; optind = 1; getopt(3, words, \"ab\"); getopt(3, words, \"ab\"); seen = optind;",
    "errno = 0; (void)strtol(\"99999999999999999999\", 0, 10); seen = errno == ERANGE;",
    "errno = 5; seen = errno;",
    "fesetround(FE_UPWARD); volatile double one = 1, three = 3; double up = one / three; fesetround(FE_DOWNWARD); seen = up == one / three;",
    "seen = fegetround() == FE_TONEAREST;",
    "fesetround(FE_TOWARDZERO); seen = (int)nearbyint(2.75);",
    "setenv(\"NAME\", \"value\", 1); char *found = getenv(\"NAME\"); seen = found && found[0] == 'v';",
    "putenv(\"TZ=XYZ3\"); tzset(); seen = timezone != 0;",
    "srand(1); int a = rand(); srand(1); seen = a == rand();",
    "char text[] = \"a-b\"; strtok(text, \"-\"); char *rest = strtok(0, \"-\"); seen = rest && *rest == 'b';",
    "errno = 0; (void)sqrt(-1.0); seen = errno == EDOM;",
    "errno = 0; FILE *none = fopen(\"/nowhere/at/all\", \"r\"); seen = none != 0 || errno != 0;",
    "fesetround(FE_UPWARD); seen = fegetround() == FE_UPWARD; fesetround(FE_TONEAREST);",
    "fesetround(FE_DOWNWARD); volatile double ten = 10, three = 3; double a = ten / three; fesetround(FE_UPWARD); seen = a < ten / three;",
    "feclearexcept(FE_ALL_EXCEPT); volatile double zero = 0, one = 1; volatile double r = one / zero; (void)r; seen = fetestexcept(FE_DIVBYZERO) != 0;",
    "errno = ERANGE; char *end; (void)strtol(\"12\", &end, 10); seen = errno == ERANGE;",
    "unsetenv(\"LARIAT_NAME\"); seen = getenv(\"LARIAT_NAME\") == 0;",
    "opterr = 0; optind = 1; char *words[] = { \"p\", \"-x\", 0 }; seen = getopt(2, words, \"a\") == '?';",
    "FILE *file = tmpfile(); if (file) { fputs(\"ab\", file); rewind(file); seen = fgetc(file) == 'a'; fclose(file); } else seen = 1;",
    "optarg = 0; char *words[] = { \"p\", \"-ax\", 0 }; optind = 1; getopt(2, words, \"a:\"); seen = optarg && *optarg == 'x';",
];

pub fn generate(random: &mut Random) -> CProgram {
    if random.flip() {
        let (text, truth) = random.pick(DEVICES);
        return CProgram {
            text: program(text),
            flags: &[],
            truth,
        };
    }
    let statements = random.pick(LIBRARY);
    let claim = random.pick(&["==", "!="]);
    let guess = random.between(0, 3);
    let text = program(&format!(
        "#include <fenv.h>\n#include <getopt.h>\n#include <time.h>\n#include <unistd.h>\nint main(void) {{\n  int seen = 0;\n  {statements}\n  \
         assert(seen {claim} {guess});\n  return 0;\n}}\n"
    ));
    CProgram {
        text,
        flags: &[],
        truth: Truth::Run,
    }
}

/// Calls of builtins that set `seen`; A and B are small numbers.
const BUILTINS: &[&str] = &[
    "int q = 9; __builtin_remquo(A, B, &q); seen = q;",
    "int q = 9; __builtin_remquof(A, B, &q); seen = q;",
    "int e = 9; __builtin_frexp(A, &e); seen = e;",
    "int e = 9; __builtin_frexpf(A, &e); seen = e;",
    "double whole = 9; __builtin_modf(A + 0.5, &whole); seen = (int)whole;",
    "double s = 9, c = 9; __builtin_sincos(0.0, &s, &c); seen = (int)c;",
    "int sign = 9; __builtin_lgamma_r(A, &sign); seen = sign;",
    "int sum = 9; seen = __builtin_sadd_overflow(INT32_MAX, A, &sum); seen += sum;",
    "unsigned sum = 9; seen = __builtin_uadd_overflow(A, B, &sum) ? 7 : (int)sum;",
    "long product = 9; seen = __builtin_smull_overflow(A, B, &product) ? 7 : (int)product;",
    "signed char narrow = 9; seen = __builtin_add_overflow(100, A * 20, &narrow) ? 1 : narrow;",
    "seen = __builtin_popcount(A * 5 + B);",
    "seen = __builtin_ctz(A * 4);",
    "seen = __builtin_clz(A);",
    "seen = __builtin_ffs(B * 2);",
    "seen = __builtin_parity(A + B);",
    "seen = __builtin_bswap16(A) >> 8;",
    "char to[8] = \"xxxxxxx\"; __builtin_memcpy(to, \"ab\", A < 3 ? A : 2); seen = to[0] == 'a';",
    "char to[8]; __builtin_memset(to, B, 8); seen = to[7];",
    "char to[8]; __builtin_strcpy(to, \"abc\"); seen = (int)__builtin_strlen(to);",
    "char to[8]; seen = __builtin_snprintf(to, 8, \"%d\", A * 10);",
    "seen = __builtin_constant_p(3) ? B : A;",
    "seen = __builtin_choose_expr(1, A, B);",
    "seen = __builtin_types_compatible_p(int, signed) + A;",
    "seen = (int)__builtin_expect(A, 1);",
    "seen = __builtin_abs(-A);",
    "seen = (int)__builtin_fmax(A, B);",
    "seen = (int)__builtin_copysign(A, -1.0) + B;",
    "seen = __builtin_isnan(__builtin_nan(\"\")) + A;",
    "seen = __builtin_signbit(-1.0) ? 1 : 0;",
    "seen = (int)__builtin_object_size(&seen, 0);",
    "void *p = __builtin_malloc(4); seen = p != 0; __builtin_free(p);",
    "int a[2] = { A, B }; int *p = __builtin_assume_aligned(a, 4); seen = p[1];",
    "unsigned out = 9; seen = (int)__builtin_uaddl_overflow(A, B, (unsigned long[]){ 0 }) + (int)out;",
    "long r = 9; seen = __builtin_ssubl_overflow(A, B, &r); seen += (int)r;",
    "unsigned char c = 9; seen = __builtin_mul_overflow(A * 60, B, &c) ? 1 : c;",
    "seen = __builtin_ffsl(A * 2) + B;",
    "seen = __builtin_clrsb(A);",
    "seen = (int)__builtin_ldexp(A, B) & 7;",
    "seen = (int)__builtin_fmod(A + 4, B);",
    "seen = (int)__builtin_nearbyint(A + 0.5);",
    "seen = __builtin_memcmp(\"ab\", \"ac\", A) < 0;",
    "seen = (int)__builtin_strcspn(\"abcd\", \"cd\") + A;",
    "seen = (int)(__builtin_bswap32((unsigned)A) >> 24);",
    "seen = __builtin_isinf_sign(-__builtin_inf()) + 2;",
    "char to[8]; __builtin_stpcpy(to, \"ab\"); seen = to[1] == 'b';",
    "seen = __builtin_popcountll(~0ull >> (60 + A % 4));",
    "int t = 9; seen = __atomic_load_n(&cell, 5); seen += __atomic_add_fetch(&cell, B, 5); (void)t;",
    "seen = __sync_bool_compare_and_swap(&cell, 0, A); seen += cell;",
    "seen = __sync_lock_test_and_set(&cell, A); seen += cell;",
    "seen = __sync_fetch_and_add(&cell, A); seen += cell;",
    "seen = __atomic_exchange_n(&cell, B, 5); seen += cell;",
    "int expected = 0; seen = __atomic_compare_exchange_n(&cell, &expected, A, 0, 5, 5); seen += cell;",
    "char *end = 0; seen = (int)strtol(\"42x\", &end, 10); seen += *end == 'x';",
];

pub fn builtin(random: &mut Random) -> CProgram {
    let (a, b) = (random.between(1, 5), random.between(1, 5));
    let statements = with_operands(random.pick(BUILTINS), a, b);
    let claim = random.pick(&["==", "!="]);
    let guess = random.between(0, 7);
    let text = program(&format!(
        "static int cell;\nint main(void) {{\n  int seen = 0;\n  {statements}\n  assert(seen {claim} {guess});\n  return 0;\n}}\n"
    ));
    CProgram {
        text,
        flags: &[],
        truth: Truth::Run,
    }
}

/// The statements with the single letters replaced.
fn with_operands(statements: &str, a: i64, b: i64) -> String {
    let letters: Vec<char> = statements.chars().collect();
    let mut text = String::new();
    for (index, &letter) in letters.iter().enumerate() {
        let is_part = |at: Option<usize>| {
            at.and_then(|at| letters.get(at))
                .is_some_and(|other| other.is_alphanumeric() || *other == '_')
        };
        let alone = !is_part(index.checked_sub(1)) && !is_part(Some(index + 1));
        match letter {
            'A' if alone => text.push_str(&a.to_string()),
            'B' if alone => text.push_str(&b.to_string()),
            other => text.push(other),
        }
    }
    text
}
