// lariat: --check use-after-free
// expect: check_use_after_free_ok proved
// expect: check_use_after_free_bad bug line 29 use-after-free
// check_use_after_free_bad fails with the inputs 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void check_use_after_free_ok(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return;
    *p = 1;
    int *q = p;
    int copy = *q;
    free(p);
    q = &copy;
    *q = 2;
}

void check_use_after_free_bad(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return;
    int *q = p;
    if (__VERIFIER_nondet_int())
        free(p);
    *q = 1; /* fails */
}
