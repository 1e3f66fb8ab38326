// lariat:
// expect: scopes_and_shadowing_ok proved
// expect: scopes_and_shadowing_bad bug line 44 assert
// scopes_and_shadowing_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int x = 1;

static int shadow(int x)
{
    {
        int x = 5;
        x++;
    }
    return x;
}

void scopes_and_shadowing_ok(void)
{
    assert(x == 1 && shadow(7) == 7);
    int y = x;
    for (int x = 0; x < 2; x++)
        y += x;
    assert(y == 2 && x == 1);
    struct x {
        int x;
    } s = {3};
    assert(s.x == 3);
x:
    x++;
    if (x < 3)
        goto x;
    assert(x == 3);
}

void scopes_and_shadowing_bad(void)
{
    int y = 0;
    if (__VERIFIER_nondet_int()) {
        int y = 3;
        x = y;
    }
    assert(x + y == 1); /* fails */
}
