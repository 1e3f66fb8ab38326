// lariat:
// expect: integer_promotions_ok proved
// expect: integer_promotions_bad bug line 29 assert
// integer_promotions_bad fails with the inputs 255
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);

/* Operands smaller than int become int before anything is computed. */
void integer_promotions_ok(void)
{
    unsigned char a = __VERIFIER_nondet_uchar();
    unsigned char b = __VERIFIER_nondet_uchar();
    assert(a + b >= a);
    assert(a - b <= 255 && a - b >= -255);
    assert(~a < 0);
    assert(-a <= 0);
    assert(sizeof(a + b) == sizeof(int));
    assert(sizeof(+a) == sizeof(int));
    short s = __VERIFIER_nondet_short();
    assert(s + 1 > s);
    assert((a << 8) >= 0);
}

void integer_promotions_bad(void)
{
    unsigned char a = __VERIFIER_nondet_uchar();
    unsigned char sum = a + 1;
    assert(sum > a); /* fails */
}
