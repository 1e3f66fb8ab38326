// lariat:
// expect: qsort_and_bsearch_ok bounded
// expect: qsort_and_bsearch_bad bug line 34 assert
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
    int v[2] = {__VERIFIER_nondet_int() ? 9 : 3, 5};
    qsort(v, 2, sizeof *v, by_value);
    assert(v[0] <= v[1]);
    assert(v[0] == 5 || v[1] == 5);
    assert(compared);
    int sorted[3] = {4, 5, 9};
    int key = 5;
    int *found = bsearch(&key, sorted, 3, sizeof *sorted, by_value);
    assert(found != NULL && *found == 5);
}

void qsort_and_bsearch_bad(void)
{
    int v[2] = {__VERIFIER_nondet_int(), 1};
    qsort(v, 2, sizeof *v, by_value);
    assert(v[1] != 2); /* fails */
}
