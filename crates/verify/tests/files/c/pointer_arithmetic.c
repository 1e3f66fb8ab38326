// lariat:
// expect: pointer_arithmetic_ok proved
// expect: pointer_arithmetic_bad bug line 38 assert
// pointer_arithmetic_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void pointer_arithmetic_ok(void)
{
    int a[10];
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 10);
    int *p = a + i;
    assert(p - a == i);
    assert(&a[10] - p == 10 - i);
    assert((char *)p - (char *)a == i * (int)sizeof(int));
    assert(p >= a && p < a + 10);
    *p = 3;
    assert(a[i] == 3);
    int *q = p--;
    assert(q == p + 1);
    struct {
        int x, y;
    } s[3], *r = s;
    r += 2;
    assert(r - s == 2 && (char *)r - (char *)s == 2 * sizeof *r);
    r -= 1;
    assert(r == &s[1]);
}

void pointer_arithmetic_bad(void)
{
    long a[4] = {1, 2, 3, 4};
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 4);
    long *p = &a[i];
    assert(*p * 2 != a[1] + p[0] || p != a + 1); /* fails */
}
