//! Claims about the library that hold, or do not, by a run of the real one; and programs in which nothing is checked.

use lariat_testkit::Random;

use super::{CProgram, Truth, program};

/// Expressions of type `double` over X and Y.
const EXACT: &[&str] = &[
    "fmod(X, Y)",
    "remainder(X, Y)",
    "ldexp(X, 3)",
    "scalbn(Y, -2)",
    "logb(X)",
    "(double)ilogb(Y)",
    "fma(X, Y, 0.5)",
    "floor(X / Y)",
    "ceil(X / Y)",
    "trunc(X / Y)",
    "round(X / Y)",
    "fabs(-X)",
    "fdim(X, Y)",
    "fmax(X, Y)",
    "fmin(X, Y)",
    "sqrt(X)",
    "nearbyint(X / Y)",
    "rint(Y / X)",
    "copysign(X, -Y)",
    "nextafter(X, Y)",
    "(double)fpclassify(X)",
    "(double)lround(X / Y)",
    "(double)signbit(-Y)",
    "pow(X, 2)",
    "exp(X - Y)",
    "hypot(X, Y)",
    "cbrt(X)",
    "log(Y)",
    "sin(X)",
    "tgamma(Y)",
    "atan2(X, Y)",
    "pow(X, Y)",
    "exp2(Y)",
    "log2(X)",
    "log10(Y)",
    "expm1(Y)",
    "log1p(X)",
    "sinh(Y / 4)",
    "cosh(X / 4)",
    "tanh(X)",
    "cos(Y)",
    "tan(Y)",
    "asin(1 / X - 0.5)",
    "acos(Y / 1e11)",
    "atan(X)",
    "(double)powf(X, 3)",
    "(double)expf(Y / 8)",
    "(double)logf(X)",
    "(double)sqrtf(Y)",
    "frexp(X, &(int){ 0 })",
    "modf(Y, &(double){ 0 })",
    "remquo(X, Y, &(int){ 0 })",
    "scalbln(X, 2)",
    "fma(X, Y, -X)",
    "(double)llround(Y)",
    "nan(\"\")",
    "(double)isgreater(X, Y)",
    "(double)(float)X",
];

/// Claims about the value of an expression, given as C text; all hold where the value is what the library returns.
pub fn generate(random: &mut Random) -> CProgram {
    if random.below(4) == 0 {
        return arguments(random);
    }
    let numbers = ["0.5", "1.0", "1.5", "2.0", "5.5", "7.25", "10.0", "1e10"];
    let (x, y) = (random.pick(&numbers), random.pick(&numbers));
    let expression = random.pick(EXACT).replace('X', x).replace('Y', y);
    let claim = random.pick(&[
        "v == v || v != v",
        "v == again",
        "v >= 0 || v < 0 || v != v",
        "!(v > 1e300) || v > 1e299",
        "v * 0 == 0 || isinf(v) || isnan(v)",
        "v < 3",
        "v == 1.5",
        "v > 0.1",
        "v != again || v == again",
        "fabs(v) <= 1e300 || isinf(v) || isnan(v)",
        "v <= 1",
        "v * 2 - v == v || isinf(v) || isnan(v)",
        "(long)(v < 1e6 && v > -1e6 ? v : 0) < 1000000",
    ]);
    let text = program(&format!(
        "int main(void) {{\n  volatile double x = {x}, y = {y};\n  (void)x;\n  (void)y;\n  double v = {expression}, again = {expression};\n  \
         assert({claim});\n  return 0;\n}}\n"
    ));
    CProgram {
        text,
        flags: &[],
        truth: Truth::Run,
    }
}

/// What a hosted program may rely on.
fn arguments(random: &mut Random) -> CProgram {
    const HOLDS: &[&str] = &[
        "assert(argv[argc] == 0);",
        "if (argc > 0) assert(argv[0] != 0);",
        "for (int i = 0; i < argc && i < 3; i++) assert(argv[i] != 0);",
        "if (argc > 1) { char first = argv[1][0]; (void)first; }",
        "assert(argc >= 0);",
        "if (argc > 1 && argv[1][0] != 0) { char next = argv[1][1]; (void)next; }",
        "if (argc > 2) assert(argv[1] && argv[2]);",
    ];
    const FAILS: &[&str] = &[
        "assert(argc < 3);",
        "if (argc > 1) assert(argv[1][0] == 'x');",
        "assert(argc != 2);",
        "if (argc == 2) { char c = argv[2][0]; (void)c; }",
    ];
    let (statement, truth) = match random.below(3) {
        0 => (random.pick(FAILS), Truth::SomeExecutionFails),
        _ => (random.pick(HOLDS), Truth::NoExecutionFails),
    };
    CProgram {
        text: program(&format!(
            "int main(int argc, char **argv) {{\n  {statement}\n  return 0;\n}}\n"
        )),
        flags: &["--check", "assert,memory"],
        truth,
    }
}

/// Executions that end before the assertion in a way that the checks at hand do not see.
pub fn vacuous(random: &mut Random) -> CProgram {
    const CRASHES: &[&str] = &[
        "char s[] = \"a\"; char *t = strtok(s, \"-\"), *u = strtok(0, \"-\"); assert(strcmp(u, \"b\") == 0 || t == s);",
        "int *p = N > 3 ? 0 : &cell; *p = 1; assert(cell == 1);",
        "int d = N > 3 ? 0 : 1; cell = 5 / d; assert(cell == 5);",
        "char *found = strchr(\"abc\", N > 3 ? 'x' : 'b'); assert(*found == 'b');",
        "struct list { struct list *next; int value; } end = { 0, 1 }; struct list *l = N > 3 ? end.next : &end; assert(l->value == 1);",
        "int (*f)(int) = N > 3 ? 0 : abs; assert(f(-1) == 1);",
        "if (N > 3) exit(0); assert(N <= 3); exit(0);",
        "char *home = getenv(\"LARIAT_IS_NOT_SET\"); if (N > 3) assert(home[0] != 1);",
        "int d = N > 3 ? 0 : 1; cell = 5 % d; assert(cell == 0);",
        "char *p = strstr(\"abc\", N > 3 ? \"x\" : \"b\"); assert(p[0] == 'b');",
        "int *p = N > 3 ? 0 : malloc(4); memset(p, 0, 4); assert(*p == 0); free(p);",
        "FILE *f = N > 3 ? 0 : stdout; assert(f != 0); if (f) fflush(f);",
        "int *a[2] = { &cell, 0 }; *a[N > 3] = 1; assert(cell == 1);",
        "struct { int *p; } s = { N > 3 ? 0 : &cell }; cell = *s.p + 1; assert(cell == 1);",
        "long *p = (long *)(N > 3 ? 8 : (uintptr_t)&(long){ 3 }); assert(*p == 3);",
        "void (*f)(int) = N > 3 ? 0 : exit; if (N > 3) f(0); assert(f != 0);",
        "if (N > 3) cell = N; assert(cell < 9);",
        "char *s = N > 3 ? 0 : \"a\"; assert(strlen(s) == 1);",
    ];
    const NOTHING: &[&str] = &[
        "return 0;",
        "cell = N;",
        "for (int i = 0; i < N; i++) cell += i;",
        "printf(\"%d\\n\", N);",
    ];
    let number = random.between(1, 6);
    if random.below(4) == 0 {
        let statement = random.pick(NOTHING).replace('N', &number.to_string());
        let text = format!(
            "#include <stdio.h>\nstatic int cell;\nint main(void) {{ {statement} return cell ? 0 : 0; }}\n"
        );
        // Nothing that could fail is not a success.
        return CProgram {
            text,
            flags: &["--check", "reach"],
            truth: Truth::SomeExecutionFails,
        };
    }
    let statement = random.pick(CRASHES);
    CProgram {
        text: program(&format!(
            "#define N {number}\nstatic int cell;\nint main(void) {{\n  {statement}\n  return 0;\n}}\n"
        )),
        flags: &[],
        truth: Truth::Run,
    }
}
