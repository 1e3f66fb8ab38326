// lariat: --check invalid-free
// expect: check_invalid_free_local_ok proved
// expect: check_invalid_free_local_bad bug line 20 invalid-free
// check_invalid_free_local_bad fails with the inputs 0
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void check_invalid_free_local_ok(void)
{
    int local;
    int *p = __VERIFIER_nondet_int() ? malloc(sizeof *p) : &local;
    if (p != &local)
        free(p);
}

void check_invalid_free_local_bad(void)
{
    int local;
    int *p = __VERIFIER_nondet_int() ? malloc(sizeof *p) : &local;
    free(p); /* fails */
}
