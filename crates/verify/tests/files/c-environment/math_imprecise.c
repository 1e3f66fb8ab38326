// lariat:
// expect: math_imprecise_ok proved
// expect: math_imprecise_bad bug-unconfirmed line 20 assert
// math_imprecise_bad: not to be run
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);

void math_imprecise_ok(void)
{
    double x = __VERIFIER_nondet_double();
    if (x >= 1.0 && x <= 4.0)
        assert(exp(x) >= 1.0);
    assert(pow(x, 0.0) == 1.0);
}

void math_imprecise_bad(void)
{
    double x = tgamma(4.5);
    assert(x < 3.0);
}
