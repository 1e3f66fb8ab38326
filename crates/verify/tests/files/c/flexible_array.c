// lariat:
// expect: flexible_array_ok proved
// expect: flexible_array_bad bug line 37 assert
// flexible_array_bad fails with the inputs 0
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct buffer {
    int length;
    short data[];
};

void flexible_array_ok(void)
{
    assert(sizeof(struct buffer) == sizeof(int));
    struct buffer *b = malloc(sizeof *b + 3 * sizeof(short));
    if (!b)
        return;
    b->length = 3;
    int x = __VERIFIER_nondet_int();
    b->data[0] = (short)x;
    b->data[2] = 7;
    assert(b->data[0] == (short)x && b->length == 3 && b->data[2] == 7);
    assert((char *)b->data - (char *)b == 4);
    free(b);
}

void flexible_array_bad(void)
{
    struct buffer *b = malloc(sizeof *b + 2 * sizeof(short));
    if (!b)
        return;
    b->length = 9;
    b->data[0] = b->data[1] = 1;
    b->data[__VERIFIER_nondet_int() & 1] = 2;
    assert(b->data[0] + b->length == 10); /* fails */
    free(b);
}
