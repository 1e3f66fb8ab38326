// lariat:
// expect: union_in_record_value_ok proved
// expect: union_in_record_value_bad bug line 36 assert
// union_in_record_value_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct tagged {
    char tag[2];
    union {
        unsigned int whole;
        unsigned char bytes[4];
    } value;
};

static struct tagged same(struct tagged x)
{
    return x;
}

void union_in_record_value_ok(void)
{
    struct tagged a = {{1, 2}, {3656624879u}}, b = {{3, 4}, {7u}};
    int choice = __VERIFIER_nondet_int();
    assert((choice ? a : b).value.whole == (choice ? 3656624879u : 7u));
    assert(same(a).value.whole == 3656624879u);
    assert(same(a).value.bytes[0] == (3656624879u & 255));
}

void union_in_record_value_bad(void)
{
    struct tagged a = {{1, 2}, {3656624879u}}, b = {{3, 4}, {7u}};
    int choice = __VERIFIER_nondet_int();
    unsigned int value = (choice ? a : b).value.whole;
    /* Four bytes, not one. */
    assert(value <= 255);
}
