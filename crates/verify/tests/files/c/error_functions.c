// lariat:
// expect: error_functions_ok proved
// expect: error_functions_bad bug line 23 reach
// error_functions_bad fails with the inputs 6
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);

void error_functions_ok(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 3);
    if (x < 4)
        __VERIFIER_error();
}

void error_functions_bad(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 3);
    if (x == 6)
        __VERIFIER_error(); /* fails */
}
