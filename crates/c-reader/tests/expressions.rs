//! Expressions: one test per construct.

mod common;

use common::{body, body_on, printed};
use lariat_c_program::Machine;

#[test]
fn the_usual_conversions_are_explicit() {
    assert_eq!(
        body(
            "void f(char c, short s, unsigned u, long l, float x) { l = c + s; u = s * u; l = u + l; x = x + 1; x = x * 2.0; }"
        ),
        [
            "(l = (long)((int)c + (int)s));",
            "(u = ((unsigned int)s * u));",
            "(l = ((long)u + l));",
            "(x = (x + (float)1));",
            "(x = (float)((double)x * 2.0`double`));",
        ]
    );
}

#[test]
fn types_follow_the_machine() {
    let text = "void f(long l, unsigned u, long long q) { l = l + u; q = q + u; l = sizeof(long); }";
    assert_eq!(
        body_on(text, Machine::Lp64),
        [
            "(l = (l + (long)u));",
            "(q = (q + (long long)u));",
            "(l = 8`long`);"
        ]
    );
    assert_eq!(
        body_on(text, Machine::Ilp32),
        [
            "(l = (long)((unsigned long)l + (unsigned long)u));",
            "(q = (q + (long long)u));",
            "(l = 4`long`);"
        ]
    );
}

#[test]
fn integer_promotions_of_bit_fields_and_characters() {
    assert_eq!(
        body(
            "struct s { unsigned a:3; unsigned long b:40; int c:31; }; void f(struct s x, unsigned char c) { int i = x.a + 1; long l = x.b; i = x.c; i = ~c; i = c << 1; x.a <<= 1; }"
        ),
        [
            "int i = ((int)x.a + 1);",
            "long l = (long)x.b;",
            "(i = x.c);",
            "(i = ~(int)c);",
            "(i = ((int)c << 1));",
            "(x.a <<= 1 :int);",
        ]
    );
}

#[test]
fn compound_assignment_says_in_which_type_it_computes() {
    assert_eq!(
        body(
            "void f(char c, int i, unsigned u, double d, int *p, _Bool b) { c += i; i += u; i *= d; p += i; p -= 2; u >>= c; b |= i; }"
        ),
        [
            "(c += i :int);",
            "(i += u :unsigned int);",
            "(i *= d :double);",
            "(p += i :4);",
            "(p -= 2 :4);",
            "(u >>= (int)c :unsigned int);",
            "(b |= i :int);",
        ]
    );
}

#[test]
fn pointers_and_arrays() {
    assert_eq!(
        body(
            "int g[4]; void f(int a[3], int *p, int m[2][3]) { p = g; p = a; p = &g[1]; g[1] = a[2]; 1[g] = 2; *g = 3; m[1][2] = 4; p = p + 1; p = 2 + p; long d = p - a; p++; *p++ = 1; (*p)++; p = &*p; *&g[0] = 1; int (*q)[4] = &g; (*q)[1] = 2; }"
        ),
        [
            "(p = &g);",
            "(p = a);",
            "(p = &g[1]);",
            "(g[1] = *(a + 2 :4));",
            "(g[1] = 2);",
            "(g[0] = 3);",
            "(*(m + 1 :12)[2] = 4);",
            "(p = (p + 1 :4));",
            "(p = (p + 2 :4));",
            "long d = (p - a :4);",
            "p++;",
            "(*p++ = 1);",
            "*p++;",
            "(p = p);",
            "(g[0] = 1);",
            "int (*q)[4] = &g;",
            "(*q[1] = 2);",
        ]
    );
}

#[test]
fn an_array_parameter_is_a_pointer_wherever_it_stands() {
    assert_eq!(
        body(
            "void g(int a[2]); void f(int a[], char b[4], void *v, int n) { int *p = n ? a : 0; p = ({ a; }); p = (n, a); g(v); g(a); a = (int *)b; b++; n = sizeof a; }"
        ),
        [
            "int *p = (n ? a : (int *)0);",
            "(p = ({ a; }));",
            "(p = (n, a));",
            "g((int *)v);",
            "g(a);",
            "(a = (int *)b);",
            "b++;",
            "(n = 8);",
        ]
    );
}

#[test]
fn members() {
    assert_eq!(
        body(
            "struct s { int a; struct { int b; union { int c; float d; }; } in; struct { int e; }; int arr[2]; }; struct s g(void); void f(struct s x, struct s *p) { x.a = 1; p->in.b = 2; p->in.d = 3; x.e = p->e; x = *p; *p = g(); int i = g().a + g().arr[1]; i = (*p).a; }"
        ),
        [
            "(x.a = 1);",
            "(p->in.b = 2);",
            "(p->in.<anonymous>.d = (float)3);",
            "(x.<anonymous>.e = p-><anonymous>.e);",
            "(x = *p);",
            "(*p = g());",
            "int i = (<g()>.a + <g()>.arr[1]);",
            "(i = p->a);",
        ]
    );
}

#[test]
fn calls_and_function_pointers() {
    assert_eq!(
        body(
            "int g(char, ...); int k(); void f(int (*p)(int), int (*t[2])(int), float x, char c) { g(300, c, x); k(c, x); p(1); (*p)(2); (**p)(3); t[1](4); p = g == 0 ? 0 : p; ((void (*)(int))g)(1); (&g)(1); unknown(x); }"
        ),
        [
            "g(44`char`, (int)c, (double)x);",
            "k((int)c, (double)x);",
            "(*p)(1);",
            "(*p)(2);",
            "(*p)(3);",
            "(**(t + 1 :8))(4);",
            "(p = ((&g == (int (*)(char, ...))0) ? (int (*)(int))0 : p));",
            "(*(void (*)(int))&g)(1);",
            "g(1`char`);",
            "unknown((double)x);",
        ]
    );
}

#[test]
fn logic_comparison_and_comma() {
    assert_eq!(
        body(
            "void f(int a, unsigned b, int *p, double d) { a = a < b; a = p && !d || a; a = p == 0; a = (a, b); a = a ?: 3; d = a ? 1 : 2.5; p = a ? p : (void *)0; }"
        ),
        [
            "(a = ((unsigned int)a < b));",
            "(a = ((p && !d) || a));",
            "(a = (p == (int *)0));",
            "(a = (int)(a, b));",
            "(a = (a ?: 3));",
            "(d = (a ? (double)1 : 2.5`double`));",
            "(p = (a ? p : (int *)0));",
        ]
    );
}

#[test]
fn constants() {
    assert_eq!(
        body(
            "enum e { A = 3, B }; void f(void) { long l = 0x7fffffffffffffff; unsigned u = 4000000000u; int c = 'a' + '\\n' + '\\xff'; c = L'x'; c = B; double d = 0x1p3; float x = 1.5f; _Bool b = 7; char k = 300; l = 077; l = -1; l = 1ull; c = __LINE__; void *p = 0; p = (void *)8; }"
        ),
        [
            "long l = 9223372036854775807`long`;",
            "unsigned int u = 4000000000`unsigned int`;",
            "int c = ((97 + 10) + -1);",
            "(c = 120);",
            "(c = 4);",
            "double d = 8.0`double`;",
            "float x = 1.5`float`;",
            "_Bool b = 1`_Bool`;",
            "char k = 44`char`;",
            "(l = 63`long`);",
            "(l = (long)-1);",
            "(l = 1`long`);",
            "(c = 1);",
            "void *p = (void *)0;",
            "(p = (void *)8);",
        ]
    );
}

#[test]
fn strings() {
    let text = printed(
        "#define S \"macro\"\n#define Q(x) #x\nconst char *a = \"a\\0b\" \"c\\x41\" S, *b = Q(x \"y\"), *c; int w[] = L\"\\u1234z\"; void f(void) { c = __func__; char d = \"xyz\"[1]; }",
    );
    for expected in [
        "static char <string 0>[11] = zero { \"a\\0.bcAmacro\\0.\" }",
        "[6] = zero { \"x \\34.y\\34.\\0.\" }",
        "int w[3] = zero { \"\\4660.z\\0.\" }",
        "(c = &<string 2>);",
        "char d = <string 3>[1];",
        "zero { \"f\\0.\" } // in f",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn casts() {
    assert_eq!(
        body(
            "void f(long l, double d, char *p) { (void)l; int i = (char)l; d = (int)d; p = (char *)l; l = (long)p; i = (int)i; }"
        ),
        [
            "(void)l;",
            "int i = (int)(char)l;",
            "(d = (double)(int)d);",
            "(p = (char *)l);",
            "(l = (long)p);",
            "(i = i);",
        ]
    );
}

#[test]
fn a_cast_to_a_union_sets_its_member() {
    assert_eq!(
        body("union u { int i; float x; }; void f(float y) { union u v = (union u)y; }"),
        ["union u v = (union u %2)zero { .1 = y };"]
    );
}

#[test]
fn sizes_and_offsets_are_constants() {
    assert_eq!(
        body(
            "struct s { char c; int a[3]; }; void f(int n) { unsigned long u = sizeof(struct s); u = sizeof n; u = _Alignof(double); u = __builtin_offsetof(struct s, a[2]); u = sizeof \"abc\"; n = __builtin_types_compatible_p(int, int); n = __builtin_constant_p(n); n = __builtin_choose_expr(0, \"x\", n + 1); }"
        ),
        [
            "unsigned long u = 16`unsigned long`;",
            "(u = 4`unsigned long`);",
            "(u = 8`unsigned long`);",
            "(u = 12`unsigned long`);",
            "(u = 4`unsigned long`);",
            "(n = 1);",
            "(n = 0);",
            "(n = (n + 1));",
        ]
    );
}

#[test]
fn generic_selection() {
    assert_eq!(
        body(
            "int i(int); double d(double); void f(int x, double y) { x = _Generic(x, int: i, double: d)(x); y = _Generic(y, int: i, double: d)(y); x = _Generic(y, int: 1, default: 2); }"
        ),
        ["(x = i(x));", "(y = d(y));", "(x = 2);"]
    );
}

#[test]
fn statement_expressions_and_compound_literals() {
    assert_eq!(
        body(
            "struct p { int x, y; }; int g(struct p *); void f(int a) { a = ({ int t = a; t + 1; }); ({ a++; }); a = g(&(struct p){ .y = a }); int *q = (int[]){ 1, 2 }; struct p s = (struct p){ 1 }; a = (struct p){ 1, 2 }.y; }"
        ),
        [
            "(a = ({ int t = a; (t + 1); }));",
            "({ a++; });",
            "(a = g(&(struct p %2)zero { .1 = a }));",
            "int *q = &(int %4[2])zero { [0] = 1, [1] = 2 };",
            "struct p s = (struct p %6)zero { .0 = 1 };",
            "(a = (struct p %7)zero { .0 = 1, .1 = 2 }.y);",
        ]
    );
}

#[test]
fn variable_arguments() {
    let text = "#include <stdarg.h>\nint g(va_list l) { return va_arg(l, int); } void f(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); double d = va_arg(a, double); n = g(a); va_end(a); }";
    assert_eq!(
        body_on(text, Machine::Lp64),
        [
            "va_list a;",
            "va_list b;",
            "__builtin_va_start(&a, n);",
            "__builtin_va_copy(&b, &a);",
            "double d = va_arg(&a, double);",
            "(n = g(&a));",
            "__builtin_va_end(&a);",
        ]
    );
    assert_eq!(body_on(text, Machine::Ilp32)[5], "(n = g(a));");
    assert!(printed(text).contains("return va_arg(l, int);"));
}

#[test]
fn atomic_operations_are_not_interrupted() {
    assert_eq!(
        body(
            "#include <stdatomic.h>\nvoid f(atomic_int *p, int x) { x = atomic_load(p); atomic_store(p, 3); x = atomic_fetch_add(p, 2); x = __sync_add_and_fetch(&x, 1); _Atomic int a = 1; a += x; }"
        ),
        [
            "(x = ({ int *%2 = p; *%2; }));",
            "({ int *%3 = p; (void)(*%3 = 3); });",
            "(x = ({ int *%4 = p; int %5 = 2; atomic { int %6 = *%4; int %7 = (int)((unsigned int)%6 + (unsigned int)%5); (*%4 = %7); } %6; }));",
            "(x = ({ int *%8 = &x; int %9 = 1; atomic { int %10 = *%8; int %11 = (int)((unsigned int)%10 + (unsigned int)%9); (*%8 = %11); } %11; }));",
            "int a = 1;",
            "(a += x :int);",
        ]
    );
}

#[test]
fn what_is_not_modelled_says_so() {
    let body = body(
        "typedef int v4 __attribute__((vector_size(16))); void f(v4 a, _Complex double c, long double l) { a = a + a; c = c * 2; l = 0.1L; l = 0.5L; }",
    );
    assert!(body[0].contains("<unsupported: arithmetic of type"), "{body:#?}");
    assert!(
        body[1].contains("<unsupported: arithmetic of type `_Complex double`>"),
        "{body:#?}"
    );
    assert!(
        body[2].contains("<unsupported: a constant of type `long double`"),
        "{body:#?}"
    );
    assert_eq!(body[3], "(l = 0.5`long double`);");
}

#[test]
fn wide_integers_and_typeof() {
    assert_eq!(
        body(
            "void f(__int128 a, int x) { a = a * x; typeof(a) b = a; __auto_type c = &b; __extension__ x++; unsigned __int128 u = 1; }"
        ),
        [
            "(a = (a * (__int128)x));",
            "__int128 b = a;",
            "__int128 *c = &b;",
            "x++;",
            "unsigned __int128 u = 1`unsigned __int128`;",
        ]
    );
}
