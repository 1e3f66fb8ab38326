// lariat:
// expect: switch_fall_through_ok proved
// expect: switch_fall_through_bad bug line 47 assert
// switch_fall_through_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int classify(int x)
{
    int r = 0;
    switch (x) {
    case 1:
        r = 1;
    case 2:
        r += 10;
        break;
    case -3: {
        r = 5;
        break;
    }
    default:
        r = 100;
    case 4:
        r++;
    }
    return r;
}

void switch_fall_through_ok(void)
{
    assert(classify(1) == 11 && classify(2) == 10 && classify(-3) == 5 && classify(4) == 1 && classify(9) == 101);
    int x = __VERIFIER_nondet_int();
    int r = classify(x);
    assert((r == 101) == (x != 1 && x != 2 && x != -3 && x != 4));
    switch (x) {
        int never;
    }
    switch ((unsigned char)x) {
    case 256 - 1:
        assert((x & 255) == 255);
    }
}

void switch_fall_through_bad(void)
{
    int x = __VERIFIER_nondet_int();
    assert(classify(x) != 11); /* fails */
}
