// lariat:
// expect: unsigned_wrap_ok proved
// expect: unsigned_wrap_bad bug line 26 assert
// unsigned_wrap_bad fails with the inputs 4294967295 1
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);

void unsigned_wrap_ok(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int y = __VERIFIER_nondet_uint();
    assert(x + y - y == x);
    assert(0U - 1U == 4294967295U);
    assert(x - 1 < x || x == 0);
    assert(x * 2 == x + x);
    assert(-x + x == 0);
    unsigned short s = 65535;
    s++;
    assert(s == 0);
}

void unsigned_wrap_bad(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int y = __VERIFIER_nondet_uint();
    assert(x + y >= x); /* fails */
}
