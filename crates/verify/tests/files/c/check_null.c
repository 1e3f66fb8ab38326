// lariat: --check null
// expect: check_null_ok proved
// expect: check_null_bad bug line 33 null
// check_null_bad fails with the inputs 0
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct pair {
    int a, b;
};

static int second(struct pair *p)
{
    return p ? p->b : 0;
}

void check_null_ok(void)
{
    struct pair s = {1, 2};
    struct pair *p = __VERIFIER_nondet_int() ? &s : NULL;
    second(p);
    if (p)
        p->a = 3;
    int *q = &s.b;
    *q = 4;
}

void check_null_bad(void)
{
    struct pair s = {1, 2};
    struct pair *p = __VERIFIER_nondet_int() ? &s : NULL;
    p->b = 3; /* fails */
}
