// lariat:
// expect: math_values_ok proved
// expect: math_values_bad bug line 20 assert
// math_values_bad: not to be run
// expect: math_values_unknown unknown
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);

void math_values_ok(void)
{
    double x = __VERIFIER_nondet_double();
    if (x == x)
        assert(exp(x) == exp(x));
}

void math_values_bad(void)
{
    double x = __VERIFIER_nondet_double();
    assert(!(x >= 1.0 && x <= 2.0) || exp(x) > 3.5); /* fails */
}

void math_values_unknown(void)
{
    double x = __VERIFIER_nondet_double();
    assert(!(x >= 1.0 && x <= 2.0) || exp(x) > 2.5);
}
