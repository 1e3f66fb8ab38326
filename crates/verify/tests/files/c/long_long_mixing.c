// lariat:
// expect: long_long_mixing_ok proved
// expect: long_long_mixing_bad bug line 29 assert
// long_long_mixing_bad fails with the inputs 65536 65536
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

void long_long_mixing_ok(void)
{
    int i = __VERIFIER_nondet_int();
    unsigned int u = __VERIFIER_nondet_uint();
    long long wide = u;
    assert(wide >= 0 && wide + i <= 4294967295LL + 2147483647LL);
    assert((long long)u * u >= 0 || u > 2147483647U);
    assert((unsigned long long)u * u / (u ? u : 1) == u);
    assert(-1LL < 1U);
    assert(-1 > 1U);
    assert((long long)i * 2 / 2 == i);
    assert(1 + 1LL == 2 && sizeof(1 + 1LL) == 8);
    assert((long long)(i + 0U) >= 0);
}

void long_long_mixing_bad(void)
{
    unsigned int a = __VERIFIER_nondet_uint();
    unsigned int b = __VERIFIER_nondet_uint();
    unsigned long long product = a * b;
    assert(product == (unsigned long long)a * b); /* fails */
}
