// lariat: --check bounds
// expect: check_bounds_heap_ok proved
// expect: check_bounds_heap_bad bug line 26 bounds
// check_bounds_heap_bad fails with the inputs 0
#include <stdlib.h>
#include <string.h>
extern unsigned int __VERIFIER_nondet_uint(void);

void check_bounds_heap_ok(void)
{
    unsigned int n = __VERIFIER_nondet_uint() % 10 + 1;
    char *p = malloc(n);
    if (!p)
        return;
    p[0] = 'a';
    p[n - 1] = 'b';
    free(p);
}

void check_bounds_heap_bad(void)
{
    unsigned int n = __VERIFIER_nondet_uint() % 10 + 1;
    char *p = malloc(n);
    if (!p)
        return;
    p[n / 2 + 1] = 'a'; /* fails */
    free(p);
}
