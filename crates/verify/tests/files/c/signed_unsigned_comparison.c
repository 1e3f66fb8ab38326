// lariat:
// expect: signed_unsigned_comparison_ok proved
// expect: signed_unsigned_comparison_bad bug line 26 assert
// signed_unsigned_comparison_bad fails with the inputs -1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

void signed_unsigned_comparison_ok(void)
{
    int i = __VERIFIER_nondet_int();
    unsigned int one = 1;
    assert((i < one) == (i == 0));
    assert(-1 > one);
    unsigned short small = 65535;
    assert(small > -1);
    assert(sizeof(int) > -1 == 0);
    long long wide = -1;
    assert(wide < one);
}

void signed_unsigned_comparison_bad(void)
{
    int i = __VERIFIER_nondet_int();
    unsigned int limit = 10;
    if (i < 10)
        assert(i < limit); /* fails */
}
