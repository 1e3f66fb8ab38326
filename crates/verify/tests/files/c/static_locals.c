// lariat:
// expect: static_locals_ok proved
// expect: static_locals_bad bug line 40 assert
// static_locals_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int next(void)
{
    static int counter = 10;
    return counter++;
}

static int *place(void)
{
    static int here;
    return &here;
}

void static_locals_ok(void)
{
    int a = next();
    int b = next();
    assert(a == 10 && b == 11);
    {
        static int counter;
        counter++;
        assert(counter == 1);
    }
    assert(next() == 12);
    assert(*place() == 0);
    *place() = 5;
    assert(*place() == 5);
}

void static_locals_bad(void)
{
    if (__VERIFIER_nondet_int())
        next();
    assert(next() == 10); /* fails */
}
