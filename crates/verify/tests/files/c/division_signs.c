// lariat:
// expect: division_signs_ok proved
// expect: division_signs_bad bug line 25 assert
// division_signs_bad fails with the inputs -1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void division_signs_ok(void)
{
    assert(7 / 2 == 3 && 7 % 2 == 1);
    assert(-7 / 2 == -3 && -7 % 2 == -1);
    assert(7 / -2 == -3 && 7 % -2 == 1);
    assert(-7 / -2 == 3 && -7 % -2 == -1);
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > -1000 && x < 1000);
    assert(x / 10 * 10 + x % 10 == x);
    assert(x % 10 > -10 && x % 10 < 10);
    assert((unsigned int)-7 / 2 == 2147483644U);
}

void division_signs_bad(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x % 8 == (x & 7)); /* fails */
}
