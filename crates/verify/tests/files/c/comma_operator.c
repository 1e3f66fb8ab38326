// lariat:
// expect: comma_operator_ok proved
// expect: comma_operator_bad bug line 33 assert
// comma_operator_bad fails with the inputs 3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int calls;
static int note(int x)
{
    calls++;
    return x;
}

void comma_operator_ok(void)
{
    int x = (note(1), note(2));
    assert(x == 2 && calls == 2);
    int i, j;
    for (i = 0, j = 5; i < j; i++, j--)
        ;
    assert(i == 3 && j == 2);
    int a = (i = 7, i + 1);
    assert(a == 8 && i == 7);
    (void)note(3), x = 9;
    assert(x == 9 && calls == 3);
}

void comma_operator_bad(void)
{
    int x = __VERIFIER_nondet_int();
    int y = (x &= 3, x + 1);
    assert(y != 4); /* fails */
}
