// lariat:
// expect: case_ranges_ok proved
// expect: case_ranges_bad bug line 36 assert
// case_ranges_bad fails with the inputs 65
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int kind(int c)
{
    switch (c) {
    case '0' ... '9':
        return 1;
    case 'a' ... 'z':
    case 'A' ... 'Z':
        return 2;
    case -5 ... -1:
        return 3;
    default:
        return 0;
    }
}

void case_ranges_ok(void)
{
    int c = __VERIFIER_nondet_int();
    int k = kind(c);
    assert((k == 1) == (c >= '0' && c <= '9'));
    assert((k == 3) == (c < 0 && c >= -5));
    assert(kind('z') == 2 && kind('z' + 1) == 0);
}

void case_ranges_bad(void)
{
    int c = __VERIFIER_nondet_int();
    if (kind(c) == 2)
        assert(c >= 'a'); /* fails */
}
