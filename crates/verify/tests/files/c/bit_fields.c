// lariat:
// expect: bit_fields_ok proved
// expect: bit_fields_bad bug line 39 assert
// bit_fields_bad fails with the inputs 8
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);

struct flags {
    unsigned int low : 3;
    signed int middle : 4;
    unsigned int : 2;
    unsigned int high : 20;
    _Bool last : 1;
};

void bit_fields_ok(void)
{
    struct flags f = {0};
    unsigned int x = __VERIFIER_nondet_uint();
    f.low = x;
    assert(f.low == (x & 7));
    f.middle = 7;
    f.middle++;
    assert(f.middle == -8);
    f.high = x >> 12;
    assert(f.high == x >> 12);
    f.last = x;
    assert(f.last == (x != 0));
    assert(f.low == x % 8);
    f.low += 8;
    assert(f.low == x % 8);
    assert(sizeof(struct flags) == 4);
}

void bit_fields_bad(void)
{
    struct flags f = {0};
    f.middle = __VERIFIER_nondet_uint() & 15;
    assert(f.middle >= 0); /* fails */
}
