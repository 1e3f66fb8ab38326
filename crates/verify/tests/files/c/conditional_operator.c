// lariat:
// expect: conditional_operator_ok proved
// expect: conditional_operator_bad bug line 37 assert
// conditional_operator_bad fails with the inputs 0
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int calls;
static int count(int x)
{
    calls++;
    return x;
}

void conditional_operator_ok(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x > 0 ? 1 : x < 0 ? -1 : 0;
    assert((y == 0) == (x == 0));
    assert((x ?: 7) != 0);
    assert(count(5) ?: count(6) == 5);
    assert(calls == 1);
    unsigned int u = 1;
    assert((x ? -1 : u) > 0);
    assert(sizeof(x ? (char)1 : (short)2) == sizeof(int));
    int a = 1, b = 2;
    *(x ? &a : &b) = 9;
    assert(a + b == (x ? 11 : 10));
    const char *s = x ? "yes" : "no";
    assert(s[0] == 'y' || s[1] == 'o');
}

void conditional_operator_bad(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x ?: 3;
    assert(y != 3); /* fails */
}
