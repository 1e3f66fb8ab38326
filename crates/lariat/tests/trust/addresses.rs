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
    let (global, inner) = match local {
        true => (
            String::new(),
            format!("  {}\n", declaration.replace("static ", "")),
        ),
        false => (format!("{declaration}\n"), String::new()),
    };
    let text = program(&format!(
        "struct pair {{ uintptr_t first, second; }};
static uintptr_t passed(int count, ...) {{ va_list list; va_start(list, count); uintptr_t result = va_arg(list, uintptr_t); va_end(list); return result; }}
static struct pair wrapped(uintptr_t u) {{ struct pair pair = {{ u, 0 }}; return pair; }}
{global}int main(void) {{
{inner}  uintptr_t u = (uintptr_t){address};
{body}  *({ty} *)u = 2;
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
