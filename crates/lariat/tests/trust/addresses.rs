//! An address goes from one pointer to another by a detour, and the object is written through what arrives.

use lariat_testkit::Random;

use super::{CProgram, Truth, program};

/// Statements that put into `r` what is in `u`, both of type `uintptr_t`.
const DETOURS: &[&str] = &[
    "r = u;",
    "struct { uintptr_t low : 3, high : 61; } bits; bits.low = u & 7; bits.high = u >> 3; r = (uintptr_t)bits.high << 3 | bits.low;",
    "struct { unsigned a : 20, b : 12; unsigned c : 16, d : 16; } bits; bits.a = u; bits.b = u >> 20; bits.c = u >> 32; bits.d = u >> 48; \
     r = (uintptr_t)bits.a | (uintptr_t)bits.b << 20 | (uintptr_t)bits.c << 32 | (uintptr_t)bits.d << 48;",
    "__builtin_add_overflow(u, KEY, &r); __builtin_sub_overflow(r, KEY, &r);",
    "uintptr_t t; __builtin_mul_overflow(u, 1, &t); r = t;",
    "r = u ^ KEY; r ^= KEY;",
    "r = ~u; r = ~r;",
    "r = -u; r = 0 - r;",
    "double d; memcpy(&d, &u, sizeof d); double e = d; memcpy(&r, &e, sizeof r);",
    "float f[2]; memcpy(f, &u, sizeof f); float h[2]; h[0] = f[0]; h[1] = f[1]; memcpy(&r, h, sizeof r);",
    "union { uintptr_t number; unsigned char bytes[8]; } from, to; from.number = u; for (int i = 0; i < 8; i++) to.bytes[7 - i] = \
     from.bytes[7 - i]; r = to.number;",
    "union { double d; uintptr_t n; } v; v.n = u; double copy = v.d; v.n = 0; v.d = copy; r = v.n;",
    "char text[40]; sprintf(text, \"%p\", (void *)u); void *back = 0; sscanf(text, \"%p\", &back); r = (uintptr_t)back;",
    "char text[40]; sprintf(text, \"%lu\", (unsigned long)u); r = strtoul(text, 0, 10);",
    "_Bool bit[64]; for (int i = 0; i < 64; i++) bit[i] = u >> i & 1; r = 0; for (int i = 0; i < 64; i++) r |= (uintptr_t)bit[i] << i;",
    "r = 0; for (int i = 0; i < 64; i++) if (u & (uintptr_t)1 << i) r += (uintptr_t)1 << i;",
    "r = 0; for (int i = 60; i >= 0; i -= 4) switch (u >> i & 15) { case 0: r = r << 4; break; case 1: r = r << 4 | 1; break; case 2: r = r << 4 | 2; break; \
     case 3: r = r << 4 | 3; break; default: r = r << 4 | (u >> i & 15); }",
    "r = u / 16 * 16 + u % 16;",
    "r = (u << 24 | u >> 40); r = (r >> 24 | r << 40);",
    "r = __builtin_bswap64(u); r = __builtin_bswap64(r);",
    "r = passed(1, u);",
    "struct pair p = wrapped(u); r = p.first;",
    "uintptr_t table[2] = { KEY, u }; r = table[KEY ? 1 : 0];",
    "char *base = 0; r = (uintptr_t)(base + u);",
    "unsigned short part[4]; for (int i = 0; i < 4; i++) part[i] = (unsigned short)(u >> 16 * i); r = 0; for (int i = 3; i >= 0; i--) r = r << 16 | part[i];",
    "unsigned __int128 wide = (unsigned __int128)u << 32; r = (uintptr_t)(wide >> 32);",
    "volatile uintptr_t slow = u; r = slow;",
    "long signed_one = (long)u; r = (uintptr_t)(signed_one + 1) - 1;",
    "static uintptr_t kept; kept = u; r = kept;",
    "uintptr_t *heap = malloc(2 * sizeof *heap); heap[1] = u; r = heap[1]; free(heap);",
    "char *copy = malloc(8); memcpy(copy, &u, 8); memmove(&r, copy, 8); free(copy);",
    "r = 0; uintptr_t low = 0, high = UINTPTR_MAX; while (low < high) { uintptr_t middle = low + (high - low) / 2; if (middle < u) low = middle + 1; else high = middle; } \
     r = low;",
    "_Atomic uintptr_t shared = 0; shared = u; r = shared;",
    "uintptr_t sorted[2] = { u, 1 }; if (sorted[0] > sorted[1]) { uintptr_t t = sorted[0]; sorted[0] = sorted[1]; sorted[1] = t; } r = sorted[1];",
    "errno = (int)(u & 0x7fffffff); r = (u & ~(uintptr_t)0x7fffffff) | (uintptr_t)errno;",
    "r = (uintptr_t)(long double)u;",
    "char text[40]; snprintf(text, sizeof text, \"%lx\", (unsigned long)u); r = strtoul(text, 0, 16);",
    "char text[40]; sprintf(text, \"%016lx\", (unsigned long)u); r = 0; for (int i = 0; i < 16; i++) r = r << 4 | (text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);",
    "r = 0; for (int i = 0; i < 64; i++) r |= (u >> i & 1) ? (uintptr_t)1 << i : 0;",
    "r = 0; int i = 0; again: if (u >> i & 1) r |= (uintptr_t)1 << i; if (++i < 64) goto again;",
    "struct { unsigned char b0 : 4, b1 : 4; } nibbles[8]; for (int i = 0; i < 8; i++) { nibbles[i].b0 = u >> 8 * i; nibbles[i].b1 = u >> (8 * i + 4); } \
     r = 0; for (int i = 7; i >= 0; i--) r = r << 8 | (uintptr_t)nibbles[i].b1 << 4 | nibbles[i].b0;",
    "union { struct { unsigned low, high; } parts; void *pointer; } v; v.parts.low = (unsigned)u; v.parts.high = (unsigned)(u >> 32); r = (uintptr_t)v.pointer;",
    "static unsigned char bytes[8]; memcpy(bytes, &u, 8); unsigned char *p = bytes, *q = (unsigned char *)&r; while (p < bytes + 8) *q++ = *p++;",
    "long a; long b; __builtin_ssubl_overflow((long)u, 7, &a); __builtin_saddl_overflow(a, 7, &b); r = (uintptr_t)b;",
    "unsigned long carry = 0; r = __builtin_constant_p(carry) ? u : u + carry;",
    "r = u; for (int i = 0; i < 3; i++) r = r * 3; r = r / 27 == u ? r / 27 : u;",
    "uintptr_t guess = KEY; memcpy(&guess, &u, 5); memcpy((char *)&guess + 5, (char *)&u + 5, 3); r = guess;",
    "double low = (double)(u & 0xffffffff), high = (double)(u >> 32); r = (uintptr_t)high << 32 | (uintptr_t)low;",
    "float a = (float)(u & 0xffff), b = (float)(u >> 16 & 0xffff), c = (float)(u >> 32); r = (uintptr_t)c << 32 | (uintptr_t)b << 16 | (uintptr_t)a;",
    "div_t d = div((int)(u & 0x7fffffff), 10); r = (u & ~(uintptr_t)0x7fffffff) | (uintptr_t)(d.quot * 10 + d.rem);",
    "uintptr_t pair[2] = { 0, u }; uintptr_t *p = bsearch(&u, pair, 2, sizeof *pair, compare); r = p ? *p : u;",
    "uintptr_t many[3] = { u, 1, 2 }; qsort(many, 3, sizeof *many, compare); r = many[2];",
    "r = recursive(u, 64);",
    "static uintptr_t *kept; uintptr_t own = u; kept = &own; r = *kept;",
    "int order[64]; int n = 0; for (int i = 0; i < 64; i++) if (u >> i & 1) order[n++] = i; r = 0; while (n > 0) r += (uintptr_t)1 << order[--n];",
    "char *copy = strdup(\"12345678\"); memcpy(copy, &u, 8); memcpy(&r, copy, 8); free(copy);",
    "enum { ZERO } small = ZERO; r = u + small;",
];

/// Declarations of the object, its address, how its value is read, and what is stored.
const OBJECTS: &[(&str, &str, &str, &str)] = &[
    ("static int object = 1;", "&object", "object", "int"),
    ("static long object = 1;", "&object", "object", "long"),
    (
        "struct node { long before, value; } object = { 0, 1 };",
        "&object.value",
        "object.value",
        "long",
    ),
    (
        "static int object[3] = { 0, 1, 0 };",
        "&object[1]",
        "object[1]",
        "int",
    ),
    (
        "static unsigned char object = 1;",
        "&object",
        "object",
        "unsigned char",
    ),
];

/// Statements that set what `u` is the address of to 2; T is the type.
const STORES: &[&str] = &[
    "*(T *)u = 2;",
    "T *p = (T *)u; p[0] = 2;",
    "T two = 2; memcpy((void *)u, &two, sizeof two);",
    "char *start = (char *)u; T *p = (T *)(start + 0); *p += 1;",
    "void **slot = malloc(sizeof *slot); *slot = (void *)u; *(T *)*slot = 2; free(slot);",
];

const SUPPORT: &str = "struct pair { uintptr_t first, second; };
static uintptr_t passed(int count, ...) { va_list list; va_start(list, count); uintptr_t result = va_arg(list, uintptr_t); va_end(list); return result; }
static struct pair wrapped(uintptr_t u) { struct pair pair = { u, 0 }; return pair; }
static int compare(const void *a, const void *b) { uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b; return x < y ? -1 : x > y; }
static uintptr_t recursive(uintptr_t u, int bits) { return bits == 0 ? 0 : recursive(u >> 1, bits - 1) << 1 | (u & 1); }
";

pub fn generate(random: &mut Random) -> CProgram {
    let (declaration, address, value, ty) = random.pick(OBJECTS);
    let local = random.flip();
    let detours = 1 + random.below(2);
    let mut body = String::new();
    for _ in 0..detours {
        let key = format!("{}ul", random.between(1, i64::from(u32::MAX)));
        let detour = random.pick(DETOURS).replace("KEY", &key);
        body.push_str(&format!("  {{ uintptr_t r = 0; {detour} u = r; }}\n"));
    }
    let claim = random.pick(&["== 1", "== 2", "== 1", "!= 2"]);
    // The address of a function, which is called in the end.
    if random.below(4) == 0 {
        let text = program(&format!(
            "{SUPPORT}static int object = 1;
static void set(void) {{ object = 2; }}
int main(void) {{
  uintptr_t u = (uintptr_t)set;
{body}  ((void (*)(void))u)();
  assert(object {claim});
  return 0;
}}
"
        ));
        return CProgram {
            text,
            flags: &[],
            truth: Truth::Run,
        };
    }
    let store = random.pick(STORES).replace('T', ty);
    let (global, inner) = match local {
        true => (
            String::new(),
            format!("  {}\n", declaration.replace("static ", "")),
        ),
        false => (format!("{declaration}\n"), String::new()),
    };
    let text = program(&format!(
        "{SUPPORT}{global}int main(void) {{
{inner}  uintptr_t u = (uintptr_t){address};
{body}  {store}
  assert({value} {claim});
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
