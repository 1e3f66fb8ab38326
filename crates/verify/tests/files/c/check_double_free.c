// lariat: --check double-free
// expect: check_double_free_ok proved
// expect: check_double_free_bad bug line 23 double-free
// check_double_free_bad fails with the inputs 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void check_double_free_ok(void)
{
    char *p = malloc(1), *q = malloc(1);
    free(p);
    p = NULL;
    free(p);
    free(q);
}

void check_double_free_bad(void)
{
    char *p = malloc(4);
    char *q = p;
    if (__VERIFIER_nondet_int())
        free(q);
    free(p); /* fails */
}
