// lariat:
// expect: malloc_and_realloc_ok proved
// expect: malloc_and_realloc_bad bug line 39 assert
// malloc_and_realloc_bad fails with the inputs 1
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void malloc_and_realloc_ok(void)
{
    int x = __VERIFIER_nondet_int();
    int *a = malloc(2 * sizeof *a);
    int *b = calloc(3, sizeof *b);
    if (a == NULL || b == NULL)
        return;
    assert(a != b);
    assert(b[0] == 0 && b[2] == 0);
    a[0] = x;
    a[1] = 2;
    b[1] = 4;
    assert(a[0] == x);
    int *c = realloc(a, 4 * sizeof *c);
    if (c == NULL)
        return;
    assert(c[0] == x && c[1] == 2);
    c[3] = 5;
    assert(b[1] == 4 && c[3] == 5);
    free(b);
    free(c);
    free(NULL);
}

void malloc_and_realloc_bad(void)
{
    int *a = calloc(2, sizeof *a);
    if (a == NULL)
        return;
    a[__VERIFIER_nondet_int() & 1] = 1;
    assert(a[1] == 0); /* fails */
    free(a);
}
