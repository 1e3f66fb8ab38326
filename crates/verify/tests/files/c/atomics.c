// lariat:
// expect: atomics_ok proved
// expect: atomics_bad bug line 31 assert
// atomics_bad fails with the inputs 7
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static _Atomic int counter;
static _Atomic(long) total = 5;

void atomics_ok(void)
{
    counter++;
    counter += 2;
    assert(counter == 3);
    int old = counter--;
    assert(old == 3 && counter == 2);
    total = counter;
    assert(total == 2);
    _Atomic int local = __VERIFIER_nondet_int();
    int copy = local;
    local = copy;
    assert(local == copy);
    assert(sizeof counter == sizeof(int));
}

void atomics_bad(void)
{
    counter = __VERIFIER_nondet_int() & 7;
    counter |= 8;
    assert(counter < 15); /* fails */
}
