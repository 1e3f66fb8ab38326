// lariat:
// expect: labels_as_values_ok proved
// expect: labels_as_values_bad bug line 39 assert
// labels_as_values_bad fails with the inputs 0
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int interpret(const unsigned char *code, int value)
{
    static void *const table[] = {&&add, &&twice, &&stop};
    goto *table[*code];
add:
    value += 3;
    goto *table[*++code];
twice:
    value *= 2;
    goto *table[*++code];
stop:
    return value;
}

void labels_as_values_ok(void)
{
    const unsigned char program[] = {0, 1, 0, 2};
    assert(interpret(program, 1) == 11);
    void *where = __VERIFIER_nondet_int() ? &&left : &&right;
    int x = 0;
    goto *where;
left:
    x = 1;
right:
    x += 2;
    assert(x == 2 || x == 3);
}

void labels_as_values_bad(void)
{
    unsigned char program[2] = {__VERIFIER_nondet_int() & 1, 2};
    assert(interpret(program, 3) != 6 || program[0] == 2); /* fails */
}
