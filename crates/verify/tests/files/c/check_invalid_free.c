// lariat: --check invalid-free
// expect: check_invalid_free_ok proved
// expect: check_invalid_free_bad bug line 20 invalid-free
// check_invalid_free_bad fails with the inputs 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void check_invalid_free_ok(void)
{
    char *p = malloc(4);
    char *q = p + 1;
    free(q - 1);
}

void check_invalid_free_bad(void)
{
    char *p = malloc(4);
    if (__VERIFIER_nondet_int())
        p++;
    free(p); /* fails */
}
