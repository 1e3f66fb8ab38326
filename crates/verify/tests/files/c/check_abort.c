// lariat: --check abort
// expect: check_abort_ok proved
// expect: check_abort_bad bug line 21 abort
// check_abort_bad fails with the inputs 6
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void check_abort_ok(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 5)
        exit(1);
    if (x > 6)
        abort();
}

void check_abort_bad(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 5)
        abort(); /* fails */
}
