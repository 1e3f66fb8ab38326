// lariat:
// expect: bit_fields_packed_ok proved
// expect: bit_fields_packed_bad bug line 37 assert
// bit_fields_packed_bad fails with the inputs 19
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);

struct __attribute__((packed)) header {
    unsigned char version : 4;
    unsigned short length : 12;
    unsigned int value : 24;
    unsigned char end;
};

void bit_fields_packed_ok(void)
{
    struct header h;
    unsigned int x = __VERIFIER_nondet_uint();
    assert(sizeof h == 6);
    h.version = 5;
    h.length = 0xabc;
    h.value = x;
    h.end = 9;
    assert(h.version == 5 && h.length == 0xabc && h.value == (x & 0xffffff) && h.end == 9);
    const unsigned char *bytes = (const unsigned char *)&h;
    assert(bytes[0] == 0xc5 && bytes[1] == 0xab);
    assert(bytes[2] == (x & 255) && bytes[5] == 9);
}

void bit_fields_packed_bad(void)
{
    struct header h;
    h.length = 0xfff;
    h.version = __VERIFIER_nondet_uint();
    h.length++;
    assert(h.length == 0);
    assert(h.version != 3); /* fails */
}
