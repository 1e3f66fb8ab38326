// lariat:
// expect: compound_literals_ok proved
// expect: compound_literals_bad bug line 41 assert
// compound_literals_bad fails with the inputs 3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct pair {
    int a, b;
};

static int *const numbers = (int[]){1, 2, 3};

static int total(struct pair p)
{
    return p.a + p.b;
}

void compound_literals_ok(void)
{
    int x = __VERIFIER_nondet_int() & 255;
    assert(total((struct pair){x, 1}) == x + 1);
    struct pair *p = &(struct pair){.b = x};
    p->a = 2;
    assert(total(*p) == x + 2);
    assert(((int[]){4, 5, 6})[1] == 5);
    assert(numbers[2] == 3);
    int last = 0;
    for (int i = 0; i < 3; i++) {
        int *q = &(int){0};
        last = *q;
        *q = i + 1;
    }
    assert(last == 0);
}

void compound_literals_bad(void)
{
    int x = __VERIFIER_nondet_int();
    numbers[1] = x;
    assert(numbers[1] == ((int[]){1, 2, 3})[1]); /* fails */
}
