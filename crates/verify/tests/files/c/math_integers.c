// lariat: --integers math
// expect: math_integers_ok proved
// expect: math_integers_bad bug-unconfirmed line 19 assert
// math_integers_bad fails with the inputs 5
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

/* Holds of mathematical integers only: the verdict says that they were used. */
void math_integers_ok(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x + 1 > x);
}

/* Fails exactly as well, but what is found with other arithmetic than C's is not called a bug. */
void math_integers_bad(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x != 5);
}
