// lariat:
// expect: duffs_device_ok bounded
// expect: duffs_device_bad bug line 39 assert
// duffs_device_bad fails with the inputs 0
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int steps(int count)
{
    int done = 0;
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            done++;
        case 3:
            done++;
        case 2:
            done++;
        case 1:
            done++;
        } while (--n > 0);
    }
    return done;
}

void duffs_device_ok(void)
{
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count >= 1 && count <= 9);
    assert(steps(count) == count);
}

void duffs_device_bad(void)
{
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count >= 0 && count <= 9);
    assert(steps(count) == count); /* fails */
}
