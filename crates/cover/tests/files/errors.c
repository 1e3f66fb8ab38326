// Failures: which calls of the error function and which assertions can be reached.
// run: --goal error
//   1 of 2 reached
//   dead 15 reach_error(): no execution fails here
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x != 3);
    assert(x * 0 == 0);
    if (x == 3)
        reach_error();
    if (x == 4)
        reach_error();
    return 0;
}
