// lariat:
// expect: memory_functions_ok proved
// expect: memory_functions_bad bug line 40 assert
// memory_functions_bad fails with the inputs 768
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct record {
    int id;
    char name[4];
    double weight;
};

void memory_functions_ok(void)
{
    struct record a = {__VERIFIER_nondet_int(), "abc", 1.5}, b;
    memcpy(&b, &a, sizeof b);
    assert(b.id == a.id && b.name[2] == 'c' && b.weight == 1.5);
    memset(&a, 0, sizeof a);
    assert(a.id == 0 && a.name[0] == 0 && a.weight == 0.0 && b.weight == 1.5);
    int v[5] = {1, 2, 3, 4, 5};
    memmove(v + 1, v, 3 * sizeof *v);
    assert(v[0] == 1 && v[1] == 1 && v[2] == 2 && v[3] == 3 && v[4] == 5);
    unsigned char c[4];
    memset(c, 0xab, sizeof c);
    assert(c[0] == 0xab && c[3] == 0xab);
    assert(memcmp("abc", "abd", 2) == 0 && memcmp("abc", "ab\xff", 3) < 0);
    unsigned int bits;
    float f = 2.0f;
    memcpy(&bits, &f, sizeof bits);
    assert(bits == 0x40000000);
}

void memory_functions_bad(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned char bytes[sizeof x];
    memcpy(bytes, &x, sizeof x);
    assert(bytes[1] != 3); /* fails */
}
