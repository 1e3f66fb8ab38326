// lariat:
// expect: pointer_to_pointer_ok proved
// expect: pointer_to_pointer_bad bug line 42 assert
// pointer_to_pointer_bad fails with the inputs 1
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static void swap(int **a, int **b)
{
    int *p = *a;
    *a = *b;
    *b = p;
}

void pointer_to_pointer_ok(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int *p = &x, *q = &y;
    swap(&p, &q);
    assert(p == &y && q == &x && *p == y);
    int **pp = &p;
    **pp = 5;
    assert(y == 5);
    pp = &q;
    **pp = 6;
    assert(x == 6 && y == 5);
    int *array[3] = {&x, &y, NULL};
    assert(*array[1] == 5 && array[2] == NULL);
    int ***ppp = &pp;
    assert(***ppp == 6);
}

void pointer_to_pointer_bad(void)
{
    int x = 1, y = 2;
    int *p = &x;
    int **pp = &p;
    if (__VERIFIER_nondet_int())
        *pp = &y;
    **pp = 3;
    assert(x == 3); /* fails */
}
