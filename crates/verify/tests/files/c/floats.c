// lariat:
// expect: floats_ok proved
// expect: floats_bad bug line 33 assert
// floats_bad fails with the inputs 16777216
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);

void floats_ok(void)
{
    assert(0.1 + 0.2 != 0.3);
    assert(0.5 + 0.25 == 0.75);
    assert(0.1f != 0.1);
    assert(1.0f / 3.0f == (float)(1.0 / 3.0));
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 1.0 && x <= 2.0);
    assert(x + 1.0 > x);
    assert(x * 0.5 < x);
    assert(-x == 0.0 - x);
    double zero = 0.0;
    double nan = zero / zero;
    assert(nan != nan && !(nan < 1.0) && !(nan >= 1.0));
    assert(1.0 / zero > 1e308 && -1.0 / zero < -1e308);
    assert(-zero == zero && 1.0 / -zero < 0);
    assert(16777216.0f + 1.0f == 16777216.0f);
}

void floats_bad(void)
{
    float a = __VERIFIER_nondet_float();
    __VERIFIER_assume(a >= 0.0f && a <= 1e9f);
    assert(a + 1.0f > a); /* fails */
}
