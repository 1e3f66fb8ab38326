// lariat:
// expect: typeof_types_ok proved
// expect: typeof_types_bad bug line 31 assert
// typeof_types_bad fails with the inputs 32767
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

void typeof_types_ok(void)
{
    unsigned char c = 250;
    __typeof__(c) d = c + 10;
    assert(d == 4);
    __typeof__(c + 10) e = c + 10;
    assert(e == 260);
    __typeof__(int *) p = &(__typeof__(int)){7};
    assert(*p == 7);
    int a[3] = {1, 2, 3};
    __typeof__(a) b = {4};
    assert(sizeof b == sizeof a && b[2] == 0);
    int x = 1;
    __typeof__(x++) y = 5;
    assert(x == 1 && y == 5);
    __auto_type z = 3000000000U;
    assert(z > 0);
}

void typeof_types_bad(void)
{
    short s = (short)__VERIFIER_nondet_int();
    __typeof__(s) t = (__typeof__(s))(s + 1);
    assert(t > s); /* fails */
}
