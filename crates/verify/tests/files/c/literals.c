// lariat:
// expect: literals_ok proved
// expect: literals_bad bug line 27 assert
// literals_bad fails with the inputs 98
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

void literals_ok(void)
{
    assert(sizeof 1 == 4 && sizeof 1L == sizeof(long) && sizeof 1LL == 8);
    assert(sizeof 2147483648 == 8 || sizeof(long) == 4);
    assert(sizeof 0x80000000 == 4 && 0x80000000 > 0);
    assert(-2147483648 < 0 && 2147483648 > 0);
    assert(010 == 8 && 0x1F == 31 && 0b101 == 5);
    assert(0xffffffff == 4294967295U && 0xffffffff + 1 == 0);
    assert('\n' == 10 && '\t' == 9 && '\\' == 92 && '\'' == 39 && '\0' == 0);
    assert('\101' == 'A' && '\x41' == 'A' && '\a' == 7 && '\e' == 27);
    assert('ab' == 'a' * 256 + 'b');
    assert("\x41\102\n"[1] == 'B');
    assert(1e3 == 1000.0 && 0x1p4 == 16.0 && .5f == 0.5);
    assert(L'\x100' == 256);
}

void literals_bad(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x != 'z' - 0x20 + 010); /* fails */
}
