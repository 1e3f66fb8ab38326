// lariat:
// expect: hidden_addresses_ok proved
// expect: hidden_addresses_bad bug line 58 assert
// hidden_addresses_bad fails with the inputs 0
#include <assert.h>
#include <stdint.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static _Alignas(8) int g = 1;

struct tagged {
    uintptr_t tag : 3, rest : 61;
};

static int *through_bit_field(int *p)
{
    struct tagged t;
    t.tag = 1;
    t.rest = (uintptr_t)p >> 3;
    return (int *)(uintptr_t)(t.rest << 3);
}

static int *through_overflow(int *p)
{
    uintptr_t sum;
    __builtin_add_overflow((uintptr_t)p, 0, &sum);
    return (int *)sum;
}

static int *through_floats(int *p)
{
    float halves[2];
    memcpy(halves, &p, sizeof p);
    float copies[2] = {halves[0], halves[1]};
    int *q;
    memcpy(&q, copies, sizeof q);
    return q;
}

void hidden_addresses_ok(void)
{
    *through_bit_field(&g) = 2;
    assert(g == 2);
    *through_overflow(&g) = 3;
    assert(g == 3);
}

void hidden_addresses_bad(void)
{
    int way = __VERIFIER_nondet_int();
    __VERIFIER_assume(way >= 0 && way <= 1);
    if (way == 0)
        *through_overflow(&g) = 2;
    else
        *through_floats(&g) = 3;
    assert(g == 1);
}
