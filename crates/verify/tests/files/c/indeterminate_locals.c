// lariat:
// expect: indeterminate_locals_ok proved
// expect: indeterminate_locals_bad bug line 31 assert
// indeterminate_locals_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

/* Without the check `uninit`, a local that is not set holds anything, but always the same. */
void indeterminate_locals_ok(void)
{
    int x;
    int y = x;
    x = 3;
    assert(x == 3);
    int a[3];
    a[1] = y;
    assert(a[1] == y);
    struct {
        int m, n;
    } s;
    s.m = 4;
    assert(s.m == 4);
}

void indeterminate_locals_bad(void)
{
    int a[2];
    a[0] = __VERIFIER_nondet_int();
    if (a[0] == 1)
        a[1] = 5;
    assert(a[0] != 1 || a[1] != 5); /* fails */
}
