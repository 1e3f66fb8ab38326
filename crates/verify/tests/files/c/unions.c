// lariat:
// expect: unions_ok proved
// expect: unions_bad bug line 39 assert
// unions_bad fails with the inputs 8323072
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);

union word {
    unsigned int whole;
    unsigned short halves[2];
    unsigned char bytes[4];
};
union real {
    float value;
    unsigned int bits;
};

void unions_ok(void)
{
    union word w;
    w.whole = __VERIFIER_nondet_uint();
    assert(w.bytes[0] == (w.whole & 255));
    assert(w.bytes[3] == w.whole >> 24);
    assert(w.halves[1] == w.whole >> 16);
    w.halves[0] = 0;
    assert((w.whole & 0xffff) == 0);
    w.bytes[1] = 1;
    assert((w.whole & 0xffff) == 256);
    union real r;
    r.value = 1.0f;
    assert(r.bits == 0x3f800000);
    assert(sizeof w == 4);
}

void unions_bad(void)
{
    union word w;
    w.whole = __VERIFIER_nondet_uint();
    assert(w.bytes[2] != 0x7f); /* fails */
}
