// lariat:
// expect: int128_ok proved
// expect: int128_bad bug line 28 assert
// int128_bad fails with the inputs 18446744073709551615
#include <assert.h>
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

void int128_ok(void)
{
    long long a = __VERIFIER_nondet_longlong();
    __int128 wide = (__int128)a + a;
    assert(wide / 2 == a);
    assert((wide < 0) == (a < 0));
    unsigned __int128 u = (unsigned __int128)1 << 100;
    assert(u >> 98 == 4 && (unsigned long long)u == 0);
    assert(sizeof wide == 16);
    unsigned long long b = __VERIFIER_nondet_ulonglong();
    u = (unsigned __int128)b << 64 | 5;
    assert((unsigned long long)(u >> 64) == b && (int)u == 5);
    assert((__int128)-1 < 0 && (unsigned __int128)-1 > 0);
}

void int128_bad(void)
{
    unsigned long long a = __VERIFIER_nondet_ulonglong();
    unsigned __int128 sum = (unsigned __int128)a + 1;
    assert(sum == a + 1); /* fails */
}
