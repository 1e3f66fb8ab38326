// lariat: --integers bit-vectors
// expect: record_value_element_ok proved
// expect: record_value_element_bad bug line 37 assert
// record_value_element_bad fails with the inputs 7
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct row {
    char mark;
    int cells[3];
};

static struct row shifted(struct row row, int by)
{
    row.cells[0] += by;
    row.cells[2] -= by;
    return row;
}

void record_value_element_ok(void)
{
    struct row first = {'a', {1, 2, 3}}, second = {'b', {4, 5, 6}};
    int by = __VERIFIER_nondet_int();
    __VERIFIER_assume(by >= -100 && by <= 100);
    assert(shifted(first, by).cells[0] == 1 + by);
    assert(shifted(first, by).cells[1] == 2);
    assert((by > 0 ? first : second).cells[2] == (by > 0 ? 3 : 6));
}

void record_value_element_bad(void)
{
    struct row first = {'a', {1, 2, 3}};
    int by = __VERIFIER_nondet_int();
    __VERIFIER_assume(by >= -100 && by <= 100);
    /* The second element stays, the third does not. */
    assert(shifted(first, by).cells[2] != -4);
}
