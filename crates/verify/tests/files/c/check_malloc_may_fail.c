// lariat: --check null --malloc-may-fail
// expect: check_malloc_may_fail_ok proved
// expect: check_malloc_may_fail_bad bug line 21 null
// check_malloc_may_fail_bad: not to be run
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void check_malloc_may_fail_ok(void)
{
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return;
    *p = 1;
    free(p);
}

/* Natively malloc does not fail: the state is reached only where it may. */
void check_malloc_may_fail_bad(void)
{
    int *p = malloc(sizeof *p);
    *p = 1; /* fails */
    free(p);
}
