// lariat:
// expect: goto_into_loop_ok proved
// expect: goto_into_loop_bad bug line 42 assert
// goto_into_loop_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int run(int from_middle)
{
    int i = 0, n = 0;
    if (from_middle)
        goto middle;
    for (i = 0; i < 3; i++) {
        n += 10;
    middle:
        n++;
        if (n > 100)
            goto out;
    }
out:
    return n;
}

void goto_into_loop_ok(void)
{
    assert(run(0) == 33);
    assert(run(1) == 23);
    int n = 0;
again:
    n++;
    if (n < 5)
        goto again;
    assert(n == 5);
    goto end;
    assert(0);
end:;
}

void goto_into_loop_bad(void)
{
    int middle = __VERIFIER_nondet_int();
    assert(run(middle) == 33); /* fails */
}
