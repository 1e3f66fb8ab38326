// lariat:
// expect: contradiction unknown
// expect: exits proved
// expect: runs_for_ever proved
// expect: unreached unknown
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void contradiction(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 3);
    __VERIFIER_assume(x < 3);
    assert(x == 7);
}

void exits(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x == x);
    exit(0);
}

void runs_for_ever(void)
{
    int x = 0;
    while (1) {
        assert(x == 0 || x == 1);
        x = 1 - x;
    }
}

void unreached(void)
{
}

void elsewhere(void)
{
    assert(0);
}
