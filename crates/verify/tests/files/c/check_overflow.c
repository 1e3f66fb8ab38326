// lariat: --check overflow
// expect: check_overflow_ok proved
// expect: check_overflow_bad bug line 31 overflow
// check_overflow_bad fails with the inputs 2147483647
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

void check_overflow_ok(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < INT_MAX)
        x++;
    if (x > -1000 && x < 1000)
        x = x * 1000 - 5;
    unsigned int u = (unsigned int)x;
    u = u + u;
    short s = (short)x;
    s++;
    long long wide = (long long)x * x;
    if (x != INT_MIN)
        x = -x;
    x /= 3;
    (void)wide;
}

void check_overflow_bad(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x > 0 ? x - 1 : x + 1;
    y = y - x;
    x = x + 5; /* fails */
}
