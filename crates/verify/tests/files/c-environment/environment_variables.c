// lariat:
// expect: first_variable bug line 12 assert
// first_variable: not to be run
// expect: same_variable bug-unconfirmed line 18 assert
// expect: impossible_exponent unknown
#include <assert.h>
#include <math.h>
#include <stdlib.h>

void first_variable(void)
{
    assert(getenv("HOME") != 0);
}

void same_variable(void)
{
    char *first = getenv("HOME"), *second = getenv("HOME");
    assert((first == 0) == (second == 0));
}

extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);

/* The solver does not know that there is no such number. */
void impossible_exponent(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 1.0 && exp(x) == 1.0);
    assert(0);
}
