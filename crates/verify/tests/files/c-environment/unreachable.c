// lariat: --check all
// expect: unreachable_reached unknown
// expect: unreachable_ok proved
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

void unreachable_reached(void)
{
    int x = __VERIFIER_nondet_int();
    if (x == 3)
        __builtin_unreachable();
    assert(x != 3);
}

void unreachable_ok(void)
{
    int x = __VERIFIER_nondet_int() & 1;
    switch (x) {
    case 0:
    case 1:
        break;
    default:
        __builtin_unreachable();
    }
    assert(x < 2);
}
