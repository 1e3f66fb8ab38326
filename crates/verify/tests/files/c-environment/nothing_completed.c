// lariat:
// expect: contradiction unknown
// expect: exits proved
// expect: runs_for_ever proved
// expect: unreached unknown
// expect: last_path proved
// expect: no_path unknown
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

/* All paths but one are cut. */
void last_path(void)
{
    int n = 0;
    for (int i = 0; i < 6; i++)
        n += __VERIFIER_nondet_int() != 0;
    __VERIFIER_assume(n == 6);
    assert(n == 6);
}

/* Each path is cut at its end. */
void no_path(void)
{
    int n = 0;
    for (int i = 0; i < 6; i++)
        n += __VERIFIER_nondet_int() != 0;
    __VERIFIER_assume(n == 7);
    assert(n == 7);
}
