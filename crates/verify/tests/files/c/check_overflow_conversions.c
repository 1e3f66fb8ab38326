// lariat: --check overflow
// expect: check_overflow_conversions_ok proved
// expect: check_overflow_conversions_bad bug line 27 overflow
// check_overflow_conversions_bad: not to be run: UBSan leaves conversions of floats out
// expect: check_overflow_conversions_abs_bad bug
// expect: check_overflow_conversions_compound_bad bug line 33 overflow
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int check_overflow_conversions_ok(void)
{
    double d = 2147483647.5;
    float f = -2147483648.0f;
    unsigned u = (unsigned)-0.5;
    int x = __VERIFIER_nondet_int() % 100;
    return (int)d == 2147483647 && (int)f < 0 && u == 0 && abs(x) >= 0;
}

int check_overflow_conversions_abs_bad(void)
{
    return abs(__VERIFIER_nondet_int());
}

int check_overflow_conversions_bad(void)
{
    double d = 3e9;
    return (int)d; /* fails */
}

int check_overflow_conversions_compound_bad(void)
{
    int i = 2;
    i *= 2e9; /* fails */
    return i;
}
