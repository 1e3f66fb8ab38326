// lariat:
// expect: math_exact_ok proved
// expect: math_exact_bad bug line 18 assert
// math_exact_bad fails with the inputs 3
#include <assert.h>
#include <math.h>
extern int __VERIFIER_nondet_int(void);

void math_exact_ok(void)
{
    assert(fmod(5.5, 2.0) == 1.5);
    assert(ldexp(0.75, 4) == 12.0);
}

void math_exact_bad(void)
{
    if (__VERIFIER_nondet_int() == 3)
        assert(remainder(5.5, 2.0) == 1.5);
}
