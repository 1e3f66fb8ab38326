// lariat:
// expect: alloca_ok proved
// expect: alloca_bad bug line 29 assert
// alloca_bad fails with the inputs 8
#include <alloca.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int use(int x)
{
    int *p = alloca(2 * sizeof *p);
    p[0] = x;
    p[1] = 1;
    return p[0] + p[1];
}

void alloca_ok(void)
{
    int x = __VERIFIER_nondet_int() & 255;
    assert(use(x) == x + 1);
    char *first = alloca(1), *second = __builtin_alloca(1);
    *first = 1;
    *second = 2;
    assert(*first == 1 && first != second);
}

void alloca_bad(void)
{
    assert(use(__VERIFIER_nondet_int() & 255) != 9); /* fails */
}
