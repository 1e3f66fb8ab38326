// lariat:
// expect: increments_ok proved
// expect: increments_bad bug line 41 assert
// increments_bad fails with the inputs 3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct bits {
    unsigned int n : 2;
    signed int s : 2;
};

void increments_ok(void)
{
    signed char c = 127;
    c++;
    assert(c == -128);
    unsigned char u = 0;
    assert(u-- == 0 && u == 255);
    assert(++u == 0);
    int a[3] = {1, 2, 3};
    int *p = a;
    assert(*p++ == 1 && *p == 2);
    assert(++*p == 3 && a[1] == 3);
    assert((*p)-- == 3 && *--p == 1);
    struct bits b = {3, 1};
    assert(b.n++ == 3 && b.n == 0);
    assert(++b.s == -2);
    double d = 1.5;
    assert(d++ == 1.5 && d == 2.5);
    int i = __VERIFIER_nondet_int() & 255;
    int old = i;
    assert(i++ == old && ++i == old + 2 && i-- == old + 2 && --i == old);
}

void increments_bad(void)
{
    struct bits b = {0};
    b.n = __VERIFIER_nondet_int() & 3;
    unsigned int before = b.n;
    assert(++b.n == before + 1); /* fails */
}
