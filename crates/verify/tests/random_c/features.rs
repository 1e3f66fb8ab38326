//! What the programs of the second campaign have beyond the others: floating-point functions, unions of all kinds, addresses in
//! bit-fields, callbacks, calls of the library, objects under several types, and input functions.
//!
//! A feature is a text with holes. It leaves a number in `out`, which is observed:
//! - `@E` any integer, `@S` one from 0 to 7, `@K` a constant from 1 to 9, `@D` a floating-point number;
//! - `@X` an integer object of type `@T`; `@A` an array of `@N` integers of type `@U`;
//! - `@F` and `@H` functions of type `long (long, long)`; `@O` an operator, `@G` a word of at most six letters;
//! - `SEEN(@I, value)` notes what an input function gave: natively it is printed, for Lariat it is assumed.

use lariat_testkit::tree::Stmt;

use super::generator::Generator;
use super::kinds::Kind;
use super::scope::{Array, Place, Scope};

const FLOATS: &[&str] = &[
    "double d = @D, e = @S + 0.5; out = d < e ? 1 : d == e ? 2 : d > e ? 3 : 4;",
    "float f = (float)@S / @K; double d = f; out = (long long)(d * 1024) + (f == d);",
    "double d = ((int)@S - 4) * 0.75; out = (long long)floor(d) * 1000 + (long long)ceil(d) * 100 + (long long)trunc(d) * 10 + (long long)round(d);",
    "double d = @D; out = isnan(d) ? 1 : isinf(d) ? 2 : signbit(d) ? 3 : 4;",
    "float f = @S, g = 0; for (int i = 0; i < 3; i++) g += f * 0.25f; out = (long long)(g * 16);",
    "int s = @S; double d = s ? 1.0 / s : -0.0; out = (d > 0.25) + 2 * (d != 0) + 4 * !!signbit(d);",
    "double d = fabs(@S - 3.5); out = (long long)(fmax(d, 2.0) * 10 + fmin(d, 2.0));",
    "int n = 0; double d = @S + 1; while (d < 100 && n < 9) { d *= 2; n++; } out = n;",
    "int power = 0; double m = frexp((double)(@S + 1), &power); out = power * 100 + (long long)(m * 64);",
    "out = (long long)ldexp((double)@S, @K);",
    "out = (long long)(fmod(@S + 10.5, @K + 0.5) * 4);",
    "double whole, rest = modf(@S * 0.75, &whole); out = (long long)whole * 100 + (long long)(rest * 4);",
    "out = (long long)copysign(@S + 1.0, @K - 5.0) + (long long)sqrt(@K * @K * 1.0 + 0.5);",
    "float f[3] = { @S, 0.5f, @K }; float *p = f; for (int i = 0; i < 2; i++) p[i + 1] += p[i]; out = (long long)(f[2] * 8);",
    "double d = 0.1f, e = 0.1; out = (d == e) + 2 * ((float)e == 0.1f) + 4 * (@S + d > @S + e);",
    "unsigned long u = (unsigned long)@E; double d = (double)(u >> 12); out = (unsigned long)d == u >> 12;",
    "float f = (float)(int)@E; out = f >= -2147483648.0f && f < 2147483648.0f ? (int)f : -1;",
    "struct { float x; double y; } s = { @S, @K }, t = s; t.x += t.y; s = t; out = (long long)(s.x + s.y);",
];

const UNIONS: &[&str] = &[
    "union { float f; unsigned u; } v; v.f = @S * 0.5f; out = v.u;",
    "union { double d; unsigned long u; unsigned char b[8]; } v; v.u = 0; v.d = @S; v.b[7] ^= 0x80; out = (long long)v.d;",
    "union { struct { unsigned short a, b; } s; unsigned w; } v; v.w = (unsigned)@E; v.s.a @O= 3; out = v.w;",
    "union { struct { unsigned a : 5, b : 11, c : 16; } s; unsigned w; } v; v.w = (unsigned)@E; v.s.b++; out = v.w ^ v.s.c;",
    "union { int *p; uintptr_t n; } v; int x = @K; v.p = &x; v.n += 0; *v.p @O= @S; out = x;",
    "union { long (*f)(long, long); uintptr_t n; } v; v.f = @F; uintptr_t n = v.n; v.n = 0; v.n = n; out = v.f(@S, @K);",
    "struct { int tag; union { int i; float f; } u; } a, b; a.tag = @S & 1; if (a.tag) a.u.f = @K; else a.u.i = @S; b = a; out = b.tag ? (long long)b.u.f : b.u.i;",
    "union { char c[8]; int i[2]; } v; memset(&v, 0, sizeof v); strcpy(v.c, \"@G\"); out = v.i[0] + (long long)v.i[1];",
    "union { unsigned long l; struct { unsigned char kind; signed char rest[7]; } s; } v = { (unsigned long)@E }; v.s.rest[@S & 3] = -1; out = (long long)v.l;",
    "union { long l[2]; struct { int a, *p; } s; } v; int x = @K; v.l[0] = 0; v.s.p = &x; v.s.a = @S; *v.s.p += v.s.a; out = x;",
    "union { double d[2]; struct { float a, b, c, e; } s; } v; memset(&v, 0, sizeof v); v.s.b = 2.0f; out = v.d[0] > 0 && v.d[0] < 3;",
    "union { _Bool b; unsigned char c; } v; v.c = 0; v.b = @E; out = v.c;",
];

const BIT_FIELDS: &[&str] = &[
    "struct { uintptr_t low : 4, high : 60; } b; uintptr_t n = (uintptr_t)&@X; b.low = n; b.high = n >> 4; @T *p = (@T *)((uintptr_t)b.high << 4 | b.low); *p @O= @S; out = @X == *p;",
    "struct { uintptr_t a : 20, b : 24, c : 20; } b; uintptr_t n = (uintptr_t)&@X; b.a = n; b.b = n >> 20; b.c = n >> 44; *(@T *)((uintptr_t)b.c << 44 | (uintptr_t)b.b << 20 | b.a) = (@T)@S; out = (long long)@X;",
    "struct { unsigned a : 16, b : 16, c : 32; } b; uintptr_t n = (uintptr_t)&@X; b.a = n; b.b = n >> 16; b.c = n >> 32; @T *p = (@T *)((uintptr_t)b.c << 32 | (uintptr_t)b.b << 16 | b.a); ++*p; out = (long long)@X;",
    "struct { uintptr_t all : 64; } b = { (uintptr_t)&@X }; *(@T *)(uintptr_t)b.all = (@T)@S; out = (long long)@X;",
    "uintptr_t n = (uintptr_t)@F; struct { uintptr_t a : 32, b : 32; } b = { n, n >> 32 }; out = ((long (*)(long, long))((uintptr_t)b.b << 32 | b.a))(@S, @K);",
    "struct { long low : 33; unsigned long high : 31; } b; uintptr_t n = (uintptr_t)&@X; b.low = (long)n; b.high = n >> 33; *(@T *)((uintptr_t)b.low & 0x1ffffffff | (uintptr_t)b.high << 33) = (@T)@K; out = (long long)@X;",
    "long x = @K; uintptr_t t = (uintptr_t)&x | (@S & 3); struct { uintptr_t tag : 2, rest : 62; } b = { t & 3, t >> 2 }; *(long *)((uintptr_t)b.rest << 2) @O= b.tag; out = x;",
    "struct { unsigned char low : 4, high : 4; } b[8]; uintptr_t n = (uintptr_t)&@X, r = 0; for (int i = 0; i < 8; i++) { b[i].low = n >> 8 * i; b[i].high = n >> (8 * i + 4); } for (int i = 7; i >= 0; i--) r = r << 8 | (uintptr_t)b[i].high << 4 | b[i].low; *(@T *)r = (@T)@K; out = (long long)@X;",
    "struct { int tag : 3; uintptr_t p : 61; } a[2] = { { 1, (uintptr_t)&@X >> 3 }, { -1, 0 } }; a[1] = a[0]; uintptr_t r = (uintptr_t)a[1].p << 3 | ((uintptr_t)&@X & 7); *(@T *)r @O= @K; out = (long long)@X + a[1].tag;",
];

const CALLBACKS: &[&str] = &[
    "int v[4] = { @S, @K, 3, @S }; qsort(v, 4, sizeof *v, compare_up); out = v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3];",
    "int v[4] = { 1, 3, 5, 7 }, key = @S; int *p = bsearch(&key, v, 4, sizeof *v, compare_up); out = p ? p - v : -1;",
    "long v[3] = { @S, @K, @S }; out = folded(v, 3, @F, @K);",
    "struct visit w = { 0, @K }; each_byte(&@X, sizeof @X, count_byte, &w); out = w.sum;",
    "each_byte(&@X, sizeof @X, flip_byte, 0); out = (long long)@X;",
    "struct { long (*f)(long, long); long k; } table[2] = { { @F, @K }, { @H, @S } }; out = table[@S & 1].f(table[0].k, table[1].k);",
    "void *any = (void *)@F; out = ((long (*)(long, long))any)(@S, 2);",
    "out = chosen(@S & 1, @F, @H)(@K, @S);",
    "long (*f[3])(long, long) = { @F, @H, @F }; long (**p)(long, long) = f; p += @S & 1; out = (*p)(@K, @S) + p[1](@S, 1);",
    "long total = 0; struct visit w = { 0, @S }; void (*step)(unsigned char *, void *) = @S & 1 ? count_byte : flip_byte; unsigned char b = @K; step(&b, &w); total = w.sum + b; out = total;",
    "long v[4] = { @K, @S, 4, 1 }; qsort(v + 1, 3, sizeof *v, compare_down); out = v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3];",
    "struct nested { struct { long (*f)(long, long); } in; } n = { { @H } }, m = n; out = m.in.f(@S, @K);",
];

const LIBRARY: &[&str] = &[
    "char t[16] = \"@G\"; strcat(t, \"@G\"); out = strlen(t) * 100 + t[@S];",
    "out = (strcmp(\"@G\", \"@G\") < 0) + 2 * (strncmp(\"@G\", \"@G\", @K) == 0);",
    "char t[16] = \"@G\"; char *p = strchr(t, 'a'); out = p ? p - t : -1;",
    "const char *t = \"@G\"; char *p = strrchr(t, t[0]); out = p - t;",
    "char t[16]; memset(t, 'x', sizeof t); strncpy(t, \"@G\", 4); t[15] = 0; out = t[3] + 256 * t[4];",
    "char t[24]; int n = sprintf(t, \"%d:%s\", (int)@S - 3, \"@G\"); out = n * 256 + t[n - 1];",
    "char t[8]; int n = snprintf(t, sizeof t, \"%x-%c\", (unsigned)@S + 10, 'a' + (int)@S); out = n * 256 + t[0];",
    "char t[16] = \"12-34\"; char *end = 0; long v = strtol(t + (@S & 1), &end, 10); out = v * 10 + (end - t);",
    "out = atoi(\"  42\") + atoi(\"-@Kx\");",
    "int a = 0, b = 0; int n = sscanf(\"@K @K\", \"%d %d\", &a, &b); out = n * 100 + a * 10 + b;",
    "char t[] = \"@G,@G\"; char *p = strtok(t, \",\"); int n = 0; while (p) { n = n * 10 + (int)strlen(p); p = strtok(0, \",\"); } out = n;",
    "out = toupper('a' + (int)@S) + !!isdigit('0' + (int)@S) + !!isalpha('0' + (int)@S) + tolower('Q');",
    "int *p = calloc(4, sizeof *p); p[1] = @S; p = realloc(p, 8 * sizeof *p); out = p[0] + p[1] * 10 + p[3]; free(p);",
    "char *p = strdup(\"@G\"); p[1] = 'z'; out = p[0] + p[1] + strlen(p); free(p);",
    "div_t d = div((int)@S - 4, 3); out = d.quot * 10 + d.rem + abs((int)@S - 5) + labs(-3);",
    "out = memcmp(\"@G\", \"@G\", 2) == 0; char *p = memchr(\"@G\", 'e', 3); out += p ? 10 : 20;",
    "char t[12] = \"@G\"; memmove(t + 1, t, 6); out = t[0] + t[1] * 256 + t[6];",
    "out = strspn(\"@G\", \"abcde\") * 10 + strcspn(\"@G\", \"xyz\"); char *p = strstr(\"banana\", \"ana\"); out += p[3];",
    "char t[12]; strcpy(t, \"@G\"); out = 0; for (char *p = t; *p; p++) out = out * 31 + *p;",
    "char t[12]; sprintf(t, \"%05d\", (int)@S * 11); out = t[0] + t[3] * 256 + t[4];",
    "char t[12]; sprintf(t, \"%-4d|\", (int)@S); out = t[1] + t[4] * 256;",
    "char t[20]; written(t, \"%d,%s\", (int)@S, \"@G\"); out = t[0] + t[2] * 256;",
    "char t[20]; int n = bounded(t, 5, \"%s%d\", \"@G\", (int)@K); out = n * 256 + strlen(t);",
];

const ALIASING: &[&str] = &[
    "unsigned char *b = (unsigned char *)&@X; b[@S & (sizeof(@X) - 1)] ^= @K; out = (long long)@X;",
    "@T *p = &@X, **q = &p; **q @O= @S; out = (long long)@X;",
    "memmove((char *)@A + 1, @A, @N * sizeof(@U) - 1); out = (long long)@A[0];",
    "int v[4] = { 1, 2, 3, 4 }; int *p = v, *q = @S & 1 ? v + 1 : v + 2; *q = @S; *p++ = 9; *p += *q; out = v[0] + v[1] * 10 + v[2] * 100;",
    "struct node { int k; struct node *next; } a = { @S, 0 }, b = { @K, &a }, c = { 2, &b }; a.next = @S & 1 ? &b : 0; struct node *n = &c; out = 0; for (int i = 0; n && i < 4; i++, n = n->next) out = out * 10 + n->k;",
    "long *m = malloc(16); m[0] = @S; m[1] = @K; int *i = (int *)m; i[1] ^= 5; i[2]--; out = m[0] + m[1]; free(m);",
    "_Alignas(8) char block[16]; memset(block, 0, 16); *(int *)(block + 4) = (int)@E; *(short *)(block + 6) = @K; out = *(long *)block;",
    "int x = @K, y = @S, *p = &x, **pp = &p; *pp = &y; *p += 1; out = x * 100 + y;",
    "struct one { int a, b; } s = { @S, @K }; struct two { int c; short d, e; } *t = (struct two *)&s; t->d++; t->c--; out = s.a * 100 + s.b;",
    "unsigned char *b = (unsigned char *)@A; unsigned sum = 0; for (int i = 0; i < 4; i++) sum += b[i * (int)sizeof(@U) / 4]; b[1] = 7; out = sum + (unsigned)@A[0] + (unsigned)@A[@N - 1];",
    "uintptr_t u = (uintptr_t)&@X; u ^= 0x5a5a; u ^= 0x5a5a; *(@T *)u = (@T)@K; out = (long long)@X;",
    "int v[2][3] = { { 1, 2, 3 }, { 4, @S, 6 } }; int *p = &v[0][0], (*r)[3] = v; p[2] = @K; r++; (*r)[0] = p[2]; out = v[0][2] * 10 + v[1][0] + v[1][1];",
    "void *any = &@X; char *c = any; @T copy; memcpy(&copy, c, sizeof copy); copy @O= 1; memcpy(any, &copy, sizeof copy); out = (long long)@X;",
    "double d = @S; uintptr_t n = (uintptr_t)&d; double e; memcpy(&e, &n, 8); memcpy(&n, &e, 8); *(double *)n += 1; out = (long long)d;",
    "char *p = malloc(4), *q = p; q[0] = 1; q[1] = (char)@S; p = realloc(p, 64); out = p[0] * 10 + p[1]; free(p);",
];

const INPUTS: &[&str] = &[
    "int c = getchar(); SEEN(@I, c); out = c == EOF ? -1 : isdigit(c) ? c - '0' : 100;",
    "char b[4] = \"\"; char *r = fgets(b, sizeof b, stdin); SEEN(@I, r != 0); SEEN(@I, b[0]); SEEN(@I, b[1]); SEEN(@I, b[2]); out = r ? strlen(b) * 256 + b[0] : -1;",
    "int x = @K; int n = scanf(\"%d\", &x); SEEN(@I, n); SEEN(@I, x); out = x % 7 + n;",
    "unsigned char b[3] = { 0 }; size_t n = fread(b, 1, 2, stdin); SEEN(@I, n); SEEN(@I, b[0]); SEEN(@I, b[1]); out = n * 1000 + b[0] + b[1] + b[2];",
    "char c = 0; long n = read(0, &c, 1); SEEN(@I, n); SEEN(@I, c); out = n * 256 + c;",
    "int r = rand() % 5; SEEN(@I, r); out = r * r;",
    "long t = time(0); SEEN(@I, t > 1000); out = t > 1000 ? 1 : 2;",
    "out = 0; char *home = getenv(\"HOME\"); SEEN(@I, home != 0); out = home ? 1 : 2;",
    "int c = getchar(); SEEN(@I, c); out = 5; if (c != EOF) { ungetc(c, stdin); out = getchar() == c; }",
    "char w[4] = \"\"; int n = scanf(\"%3s\", w); SEEN(@I, n); SEEN(@I, w[0]); SEEN(@I, w[1]); SEEN(@I, w[2]); out = n == 1 ? strlen(w) * 256 + w[0] : n;",
    "int n = 0, c; for (int i = 0; i < 2 && (c = getchar()) != EOF; i++) { if (i == 0) SEEN(@I, c); else SEEN(@I, c); n = n * 10 + (c == ' '); } SEEN(@I, n); out = n;",
    "out = feof(stdin) != 0; SEEN(@I, out); out += 3;",
];

const GROUPS: [&[&str]; 7] = [FLOATS, UNIONS, BIT_FIELDS, CALLBACKS, LIBRARY, ALIASING, INPUTS];

/// What all programs of a file share.
pub const COMMON: &str = "\
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
struct visit { long sum; int factor; };
static int compare_up(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return x < y ? -1 : x > y; }
static int compare_down(const void *a, const void *b) { long x = *(const long *)a, y = *(const long *)b; return x > y ? -1 : x < y; }
static long folded(const long *v, int n, long (*f)(long, long), long start) { for (int i = 0; i < n; i++) start = f(start, v[i]); return start; }
static void each_byte(void *p, unsigned long n, void (*f)(unsigned char *, void *), void *context) { for (unsigned char *b = p; n > 0; n--) f(b++, context); }
static void count_byte(unsigned char *b, void *context) { struct visit *w = context; w->sum += *b * w->factor; }
static void flip_byte(unsigned char *b, void *context) { *b ^= context ? 1 : 2; }
static long (*chosen(int which, long (*f)(long, long), long (*g)(long, long)))(long, long) { return which ? f : g; }
static void written(char *to, const char *format, ...) { va_list list; va_start(list, format); vsprintf(to, format, list); va_end(list); }
static int bounded(char *to, size_t size, const char *format, ...) { va_list list; va_start(list, format); int n = vsnprintf(to, size, format, list); va_end(list); return n; }
";

impl Generator {
    /// Some features of different groups, each with what is observed of it.
    pub fn features(&mut self, scope: &Scope, body: &mut Vec<Stmt>) {
        let first = self.random.below(GROUPS.len());
        for index in 0..3 + self.random.below(3) {
            let group = GROUPS[(first + index) % GROUPS.len()];
            let feature = group[self.random.below(group.len())];
            let at = self.random.below(body.len() + 1);
            let stmt = self.feature(scope, feature);
            body.insert(at, stmt);
        }
    }

    /// Two functions for callbacks.
    fn callbacks(&mut self) -> [String; 2] {
        let names = ["called", "other"].map(|name| format!("p{}_{name}", self.seed));
        if !self.declarations.iter().any(|text| text.contains(&names[0])) {
            for name in &names {
                let (first, second) = (self.operator(), self.operator());
                let constant = 1 + self.random.below(9);
                self.declarations.push(format!(
                    "static long {name}(long a, long b) {{ return (a {first} {constant}) {second} b; }}"
                ));
            }
        }
        names
    }

    fn operator(&mut self) -> &'static str {
        self.random.pick(&["+", "-", "*", "^", "|", "&"])
    }

    fn feature(&mut self, scope: &Scope, template: &str) -> Stmt {
        let integers = |place: &Place| !place.kind.is_float() && place.kind != Kind::Bool;
        let objects: Vec<Place> = self.targets(scope, false).into_iter().filter(integers).collect();
        let mut before = String::new();
        let object = match objects.len() {
            0 => {
                before.push_str("int own = 5; ");
                ("own".to_owned(), Kind::Int)
            }
            count => {
                let place = &objects[self.random.below(count)];
                (place.text.clone(), place.kind)
            }
        };
        let is_integer =
            |array: &&Array| !array.kind.is_float() && array.kind != Kind::Bool && array.writable;
        let arrays: Vec<Array> = scope.arrays.iter().filter(is_integer).cloned().collect();
        let array = match arrays.len() {
            0 => {
                before.push_str("short row[4] = { 1, 2, 3, 4 }; ");
                ("row".to_owned(), Kind::Short, 4)
            }
            count => {
                let array = &arrays[self.random.below(count)];
                (array.text.clone(), array.kind, array.length)
            }
        };
        let [function, other] = match template.contains("@F") || template.contains("@H") {
            true => self.callbacks(),
            false => Default::default(),
        };
        let mut text = String::new();
        let mut parts = template.split('@');
        text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            self.begin_pure(scope);
            let (hole, rest) = part.split_at(1);
            let filling = match hole {
                "E" => self.expr(scope, 1).text,
                "S" => format!("(({}) & 7)", self.expr(scope, 1).text),
                "K" => (1 + self.random.below(9)).to_string(),
                "D" => self.float_expr(scope, 1).text,
                "X" => object.0.clone(),
                "T" => object.1.name().to_owned(),
                "A" => array.0.clone(),
                "U" => array.1.name().to_owned(),
                "N" => array.2.to_string(),
                "F" => function.clone(),
                "H" => other.clone(),
                "O" => self.operator().to_owned(),
                "G" => self.word(),
                "I" => self.seen_name(),
                _ => panic!("no hole `@{hole}`"),
            };
            text.push_str(&filling);
            text.push_str(rest);
        }
        let name = self.observation();
        let before = format!("{{ long long out = 0; {before}{text}\n  OBSERVE({name}, out);");
        Stmt::Compound {
            parts: vec![(before, Vec::new())],
            end: "}".to_owned(),
        }
    }

    fn word(&mut self) -> String {
        let length = 2 + self.random.below(5);
        (0..length)
            .map(|_| self.random.pick(&['a', 'b', 'e', 'n', 'x']))
            .collect()
    }

    /// A name for what an input function gives. It is only printed where the program comes to it.
    fn seen_name(&mut self) -> String {
        let name = self.name("in");
        self.declarations
            .push(format!("#ifndef {name}\n#define {name} 0\n#endif"));
        name
    }
}
