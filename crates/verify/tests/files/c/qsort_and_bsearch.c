// lariat:
// expect: qsort_and_bsearch_ok bounded
// expect: qsort_and_bsearch_bad bug line 33 assert
// qsort_and_bsearch_bad fails with the inputs 2
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int compared;
static int by_value(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    compared = 1;
    return a < b ? -1 : a > b;
}

void qsort_and_bsearch_ok(void)
{
    int v[3] = {__VERIFIER_nondet_int() ? 9 : 3, 5, 4};
    qsort(v, 3, sizeof *v, by_value);
    assert(v[0] <= v[1] && v[1] <= v[2]);
    assert(v[1] == 5 || v[2] == 5);
    assert(compared);
    int key = 5;
    int *found = bsearch(&key, v, 3, sizeof *v, by_value);
    assert(found != NULL && *found == 5);
}

void qsort_and_bsearch_bad(void)
{
    int v[3] = {3, __VERIFIER_nondet_int(), 1};
    qsort(v, 3, sizeof *v, by_value);
    assert(v[1] != 2); /* fails */
}
