// lariat:
// expect: integer_conversions_ok proved
// expect: integer_conversions_bad bug line 32 assert
// integer_conversions_bad fails with the inputs 32768
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

void integer_conversions_ok(void)
{
    int i = __VERIFIER_nondet_int();
    signed char c = (signed char)i;
    unsigned char u = (unsigned char)i;
    assert(c >= -128 && c <= 127);
    assert((unsigned char)c == u);
    assert(u == (i & 255));
    unsigned int n = (unsigned int)i;
    assert((int)n == i);
    assert((i < 0) == (n > 2147483647U));
    long long wide = i;
    assert((wide < 0) == (i < 0));
    unsigned long long extended = (unsigned long long)i;
    assert(i >= 0 || extended > 0xffffffff00000000ULL - 1);
    short s = (short)70000;
    assert(s == 4464);
}

void integer_conversions_bad(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    short s = (short)n;
    assert(s == (int)n); /* fails */
}
