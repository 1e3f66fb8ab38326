// lariat:
// expect: short_circuit_ok proved
// expect: short_circuit_bad bug line 38 assert
// short_circuit_bad fails with the inputs 6
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int evaluated;
static int mark(int result)
{
    evaluated++;
    return result;
}

void short_circuit_ok(void)
{
    int x = __VERIFIER_nondet_int();
    int *p = x ? &x : NULL;
    assert(p == NULL || *p == x);
    assert(!(p && *p != x));
    int both = mark(0) && mark(1);
    assert(both == 0 && evaluated == 1);
    int either = mark(5) || mark(1);
    assert(either == 1 && evaluated == 2);
    int n = 0;
    x && n++;
    assert(n == (x != 0));
    assert((x && 1) + (x || 0) == 2 * !!x);
}

void short_circuit_bad(void)
{
    int x = __VERIFIER_nondet_int();
    int n = 0;
    if (x > 5 || n++ == 0)
        n += 10;
    assert(n == 11); /* fails */
}
