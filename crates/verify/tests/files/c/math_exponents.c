// lariat:
// expect: math_exponents_ok proved
// expect: math_exponents_bad bug line 22 assert
// math_exponents_bad fails with the inputs 3
#include <assert.h>
#include <math.h>
extern int __VERIFIER_nondet_int(void);

void math_exponents_ok(void)
{
    int exponent;
    assert(frexp(-12.0, &exponent) == -0.75);
    assert(exponent == 4);
}

void math_exponents_bad(void)
{
    int quotient = 0;
    if (__VERIFIER_nondet_int() == 3)
        remquo(7.0, 2.0, &quotient);
    /* The quotient is stored through the pointer. */
    assert(quotient != 4);
}
