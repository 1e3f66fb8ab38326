// lariat:
// expect: arrays_ok proved
// expect: arrays_bad bug line 30 assert
// arrays_bad fails with the inputs 2
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int table[5] = {3, 1, 4};

void arrays_ok(void)
{
    int a[3][4] = {{1, 2, 3, 4}, {5, 6}};
    assert(a[0][3] == 4 && a[1][1] == 6 && a[1][2] == 0 && a[2][0] == 0);
    assert(sizeof a == 12 * sizeof(int) && sizeof a[0] == 4 * sizeof(int));
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 3);
    a[i][2] = 9;
    assert(a[0][2] + a[1][2] + a[2][2] == (i == 0 ? 9 : 12));
    assert(*(*(a + 1) + 1) == (6));
    assert(table[3] == 0 && 2[table] == 4);
    int *flat = &a[0][0];
    assert(flat[4] == 5);
}

void arrays_bad(void)
{
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 5);
    assert(table[i] < 4); /* fails */
}
