// lariat:
// expect: volatile_and_const_ok proved
// expect: volatile_and_const_bad bug line 33 assert
// volatile_and_const_bad fails with the inputs 11
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static volatile int status;
static const int limit = 10;
static const struct {
    int low, high;
} range = {1, 9};

void volatile_and_const_ok(void)
{
    volatile int local = 3;
    local++;
    assert(local == 4);
    assert(limit == 10 && range.high - range.low == 8);
    const int *p = &limit;
    assert(*p == 10);
    int x = __VERIFIER_nondet_int();
    const int fixed = x;
    const volatile int *q = &fixed;
    assert(*q == x);
    status = 1;
}

void volatile_and_const_bad(void)
{
    int x = __VERIFIER_nondet_int();
    const int copy = x;
    assert(copy != limit + range.low); /* fails */
}
