// lariat:
// expect: shifts_ok proved
// expect: shifts_bad bug line 32 assert
// shifts_bad fails with the inputs -2
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void shifts_ok(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < 32);
    assert((x >> n) <= x);
    assert(((x << n) >> n) <= x);
    assert(1U << n != 0);
    int negative = -8;
    assert(negative >> 1 == -4);
    assert((unsigned int)negative >> 31 == 1);
    assert(1LL << 40 == 1099511627776LL);
    unsigned char c = 200;
    assert(c << 1 == 400);
    c <<= 1;
    assert(c == 144);
}

void shifts_bad(void)
{
    int i = __VERIFIER_nondet_int();
    assert((i >> 1) * 2 == i || (i >> 1) * 2 == i - 1);
    assert((unsigned int)i >> 1 == (unsigned int)(i >> 1)); /* fails */
}
