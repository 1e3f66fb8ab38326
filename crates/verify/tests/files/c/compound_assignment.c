// lariat:
// expect: compound_assignment_ok proved
// expect: compound_assignment_bad bug line 48 assert
// compound_assignment_bad fails with the inputs 250
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

void compound_assignment_ok(void)
{
    unsigned char c = 200;
    c += 100;
    assert(c == 44);
    c -= 50;
    assert(c == 250);
    c /= 3.0;
    assert(c == 83);
    c *= 2.5;
    assert(c == 207);
    short s = 1000;
    s *= 100;
    assert(s == (short)100000);
    int i = 7;
    i -= 2 + 1;
    assert(i == 4);
    i <<= 3;
    i |= 1;
    i ^= 0x10;
    assert(i == 49);
    i %= 10;
    assert(i == 9);
    unsigned int u = 5;
    u += -6;
    assert(u == 4294967295U);
    int a[2] = {1, 2}, k = 0;
    a[k++] += 10;
    assert(a[0] == 11 && k == 1);
    int x = __VERIFIER_nondet_int() & 255;
    c = x;
    c &= ~15;
    assert(c % 16 == 0);
}

void compound_assignment_bad(void)
{
    unsigned char c = __VERIFIER_nondet_int() & 255;
    int before = c;
    c += 10;
    assert(c == before + 10); /* fails */
}
