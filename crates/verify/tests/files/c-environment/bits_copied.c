// lariat: --check reach --integers bit-vectors
// expect: through_a_double proved
// expect: through_records proved
// expect: through_arrays proved
// expect: through_bytes proved
// expect: through_a_union proved
// expect: through_a_long_double proved
// expect: through_a_bool proved
// expect: through_records_of_bools proved
// expect: through_bit_fields proved
// expect: by_value bug-unconfirmed line 112 reach
// expect: number_by_value proved
#include <stdint.h>
#include <string.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

/* A copy has the same bits, also those of a value that is not a number. */
void through_a_double(void)
{
    uint64_t n = __VERIFIER_nondet_ulong(), m;
    double d;
    memcpy(&d, &n, 8);
    memcpy(&m, &d, 8);
    if (m != n)
        reach_error();
}

struct pair {
    double d;
    int k;
};

void through_records(void)
{
    uint64_t n = __VERIFIER_nondet_ulong(), m;
    struct pair a, b;
    memcpy(&a.d, &n, 8);
    a.k = 1;
    b = a;
    memcpy(&m, &b.d, 8);
    if (m != n)
        reach_error();
}

void through_arrays(void)
{
    double e[2], f[2];
    uint64_t n[2] = { __VERIFIER_nondet_ulong(), 0x7ff8000000000123 }, m[2];
    memcpy(e, n, 16);
    memcpy(f, e, sizeof e);
    memcpy(m, f, 16);
    if (m[0] != n[0] || m[1] != n[1])
        reach_error();
}

void through_bytes(void)
{
    unsigned char in[8], out[8];
    double d;
    for (int i = 0; i < 8; i++)
        in[i] = __VERIFIER_nondet_uchar();
    memcpy(&d, in, 8);
    memcpy(out, &d, 8);
    for (int i = 0; i < 8; i++)
        if (in[i] != out[i])
            reach_error();
}

/* All sixteen bytes are copied, though the value has ten. */
void through_a_long_double(void)
{
    unsigned char in[16], out[16];
    long double d;
    for (int i = 0; i < 16; i++)
        in[i] = __VERIFIER_nondet_uchar();
    memcpy(&d, in, 16);
    memcpy(out, &d, 16);
    for (int i = 0; i < 16; i++)
        if (in[i] != out[i])
            reach_error();
}

void through_a_union(void)
{
    union {
        double d;
        uint64_t u;
    } a, b;
    a.u = __VERIFIER_nondet_ulong();
    b.d = a.d;
    if (b.u != a.u)
        reach_error();
}

static double same(double d)
{
    return d;
}

/* A value that was passed on is known as a number only. */
void by_value(void)
{
    uint64_t n = __VERIFIER_nondet_ulong(), m;
    double d, e;
    memcpy(&d, &n, 8);
    e = same(d);
    memcpy(&m, &e, 8);
    if (m != n)
        reach_error();
}

void number_by_value(void)
{
    uint64_t n = __VERIFIER_nondet_ulong(), m;
    double d, e;
    memcpy(&d, &n, 8);
    __VERIFIER_assume(d == d);
    e = same(d);
    memcpy(&m, &e, 8);
    if (m != n)
        reach_error();
}

/* Not only 0 and 1. */
void through_a_bool(void)
{
    unsigned char n = __VERIFIER_nondet_uchar(), m;
    _Bool b;
    memcpy(&b, &n, 1);
    memcpy(&m, &b, 1);
    if (m != n)
        reach_error();
}

struct flag {
    _Bool is_set;
    unsigned char rest;
};

void through_records_of_bools(void)
{
    unsigned char in[4], out[4];
    struct flag flags[2];
    for (int i = 0; i < 4; i++)
        in[i] = __VERIFIER_nondet_uchar();
    memcpy(flags, in, 4);
    memcpy(out, flags, 4);
    for (int i = 0; i < 4; i++)
        if (in[i] != out[i])
            reach_error();
}

struct part {
    unsigned char low : 3;
};

void through_bit_fields(void)
{
    unsigned char n = __VERIFIER_nondet_uchar(), m;
    struct part p;
    memcpy(&p, &n, 1);
    memcpy(&m, &p, 1);
    if (m != n)
        reach_error();
}
