// lariat:
// expect: zeros_of_zero_ok proved
// expect: zeros_of_zero_trailing unknown
// expect: zeros_of_zero_leading unknown
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

void zeros_of_zero_ok(void)
{
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    if (x != 0)
        assert(__builtin_ctz(x) < 32 && __builtin_clz(x) < 32);
}

void zeros_of_zero_trailing(void)
{
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    assert(__builtin_ctz(x) < 32);
}

void zeros_of_zero_leading(void)
{
    unsigned long x = (unsigned long)__VERIFIER_nondet_int();
    assert(__builtin_clzl(x) < 64);
}
