// [Angelic15] Fig. 6 (a): a lock counter. Which value it has at the start decides, and only a harness knows.
// (Machine integers wrap around: that is the other part of the second specification.)
// run: default --exclude Harness
//   spec KeCheckSpinLock: LockDepth > 0
//   spec IoCancelSpinLock: LockDepth < -2147483647 || LockDepth > 1
// run: no-typestate --exclude Harness
//   warning not-expressible KeCheckSpinLock: LockDepth > 0
// run: no-alias --exclude Harness
//   spec KeCheckSpinLock: LockDepth > 0
//   spec IoCancelSpinLock: LockDepth < -2147483647 || LockDepth > 1
// run: no-explain --exclude Harness
//   warning demonic KeCheckSpinLock: LockDepth > 0
// run: default+harness --harness Harness
//   warning definite KeCheckSpinLock: LockDepth > 0
// run: default+harness --entry IoCancelSpinLock
//   warning definite KeCheckSpinLock: LockDepth > 0
// typestate: LockDepth
#include <assert.h>

int LockDepth;

void KeAcquireSpinLock(void) { LockDepth++; }
void KeReleaseSpinLock(void) { LockDepth--; }
void KeCheckSpinLock(void) { assert(LockDepth > 0); }

void IoCancelSpinLock(void)
{
    KeReleaseSpinLock();
    KeReleaseSpinLock();
    KeAcquireSpinLock();
    KeCheckSpinLock();
}

void Harness(void)
{
    LockDepth = 0;
    IoCancelSpinLock();
}
