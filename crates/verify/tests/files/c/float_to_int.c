// lariat:
// expect: float_to_int_ok proved
// expect: float_to_int_bad bug line 31 assert
// float_to_int_bad fails with the inputs 16777217
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void float_to_int_ok(void)
{
    assert((int)2.9 == 2 && (int)-2.9 == -2 && (int)0.5 == 0);
    assert((unsigned char)200.7 == 200);
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > -100.0 && x < 100.0);
    int i = (int)x;
    assert(i > -100 && i < 100);
    assert(i <= x || x < 0);
    int n = __VERIFIER_nondet_int() & 255;
    assert((int)(double)n == n);
    assert((float)16777217 == 16777216.0f);
    assert((long long)1e15 == 1000000000000000LL);
    _Bool b = 0.1;
    assert(b);
}

void float_to_int_bad(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 100000000);
    assert((int)(float)n == n); /* fails */
}
