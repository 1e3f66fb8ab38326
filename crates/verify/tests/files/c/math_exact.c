// lariat:
// expect: math_exact_ok proved
// expect: math_exact_bad bug line 32 assert
// math_exact_bad fails with the inputs 3
#include <assert.h>
#include <math.h>
extern int __VERIFIER_nondet_int(void);

void math_exact_ok(void)
{
    int exponent, quotient;
    assert(fmod(5.5, 2.0) == 1.5);
    assert(fmod(-5.5, 2.0) == -1.5);
    assert(remainder(5.5, 2.0) == -0.5);
    assert(remquo(7.0, 2.0, &quotient) == -1.0 && quotient == 4);
    assert(ldexp(0.75, 4) == 12.0);
    assert(scalbn(3.0, -2) == 0.75);
    assert(frexp(-12.0, &exponent) == -0.75 && exponent == 4);
    assert(logb(12.0) == 3.0 && ilogb(0.25) == -2);
    assert(fma(3.0, 4.0, 0.5) == 12.5);
    assert(fpclassify(0.0) == FP_ZERO && fpclassify(1.0) == FP_NORMAL);
    assert(fmodf(5.5f, 2.0f) == 1.5f);
}

void math_exact_bad(void)
{
    int exponent = __VERIFIER_nondet_int();
    if (exponent < 0 || exponent > 4)
        return;
    int back;
    frexp(ldexp(1.0, exponent), &back);
    assert(back != 4);
}
