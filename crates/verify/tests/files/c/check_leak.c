// lariat: --check leak
// expect: check_leak_ok proved
// expect: check_leak_bad bug line 26 leak
// check_leak_bad fails with the inputs 0
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char *kept;

void check_leak_ok(void)
{
    char *p = malloc(1);
    char *q = p;
    p = malloc(1);
    free(q);
    free(p);
    kept = malloc(1);
    free(kept);
}

void check_leak_bad(void)
{
    char *p = malloc(1);
    if (__VERIFIER_nondet_int())
        free(p);
} /* fails */
