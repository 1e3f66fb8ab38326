// lariat: --check reach
// expect: computed bug-unconfirmed line 22 reach
// expect: named bug-unconfirmed line 30 reach
// expect: any_input bug-unconfirmed line 38 reach
// expect: of_numbers proved
// expect: of_copied_bits proved
// expect: passed_on bug-unconfirmed line 80 reach
#include <math.h>
#include <stdint.h>
#include <string.h>
extern double __VERIFIER_nondet_double(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

/* The machine chooses the sign of a value that is not a number. */
void computed(void)
{
    double z = __VERIFIER_nondet_double();
    if (z == 0) {
        double d = z / z;
        if (signbit(d))
            reach_error();
    }
}

void named(void)
{
    double d = -NAN;
    if (copysign(1.0, d) != -1.0)
        reach_error();
}

/* As an input it has any. */
void any_input(void)
{
    double d = __VERIFIER_nondet_double();
    if (d != d && signbit(d))
        reach_error();
}

void of_numbers(void)
{
    double d = __VERIFIER_nondet_double();
    if (d > 0 && signbit(d))
        reach_error();
    if (d < 0 && !signbit(d))
        reach_error();
    if (!signbit(-0.0) || signbit(0.0))
        reach_error();
}

void of_copied_bits(void)
{
    union {
        double d;
        uint64_t u;
    } v;
    v.u = __VERIFIER_nondet_ulong();
    if (!signbit(v.d) != !(v.u >> 63))
        reach_error();
}

static double same(double d)
{
    return d;
}

/* Two of them need not have the same bits. */
void passed_on(void)
{
    uint64_t a = 0x7ff8000000000001, b = 0x7ff8000000000002, m, n;
    double x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x = same(x);
    y = same(y);
    memcpy(&m, &x, 8);
    memcpy(&n, &y, 8);
    if (m != n)
        reach_error();
}
