// [Angelic15] Fig. 6 (b): the level is wrong whatever it was at the start.
// run: default --exclude Harness
//   warning definite KeReleaseIrql: irqlVal == PASSIVE
//   spec KeReleaseIrql: irqlVal == 0
// run: no-alias --exclude Harness
//   warning definite KeReleaseIrql: irqlVal == PASSIVE
//   spec KeReleaseIrql: irqlVal == 0
// run: default+harness --harness Harness
//   warning definite KeReleaseIrql: irqlVal == PASSIVE
// typestate: irqlVal
#include <assert.h>

enum { PASSIVE = 0, DISPATCH = 2 };
int irqlVal;

void KeReleaseIrql(void)
{
    assert(irqlVal == PASSIVE);
    irqlVal = DISPATCH;
}

void KeRaiseIrql(void)
{
    irqlVal = DISPATCH;
    KeReleaseIrql();
}

void Harness(void)
{
    irqlVal = PASSIVE;
    KeRaiseIrql();
}
