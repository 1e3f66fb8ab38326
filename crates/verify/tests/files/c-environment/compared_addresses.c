// lariat: --check memory --check assert
// expect: ended_block bug-unconfirmed line 22 assert
// expect: freed bug-unconfirmed line 31 assert
// expect: order_of_variables bug-unconfirmed line 38 assert
// expect: one_behind_the_other bug-unconfirmed line 44 assert
// expect: difference_of_objects unknown
// expect: compared_ok proved
#include <assert.h>
#include <stdlib.h>

static int one, two;

void ended_block(void)
{
    int *before = 0, same = 0;
    for (int i = 0; i < 2; i++) {
        int x = i;
        if (before == &x)
            same = 1;
        before = &x;
    }
    assert(!same);
}

void freed(void)
{
    char *p = malloc(10);
    free(p);
    char *q = malloc(10);
    int same = p == q;
    free(q); assert(!same);
}

void order_of_variables(void)
{
    int *p = &one, *q = &two;
    int below = p < q;
    assert(below);
}

void one_behind_the_other(void)
{
    int *p = &one + 1;
    assert(p != &two);
}

void difference_of_objects(void)
{
    int *p = &one, *q = &two;
    assert(p - q != 1);
}

void compared_ok(void)
{
    int array[4] = {0}, other = 0;
    int *end = array + 4, count = 0;
    for (int *p = array; p < end; p++)
        count++;
    assert(count == 4 && end - array == 4);
    int *q = malloc(sizeof *q), *r = &other;
    assert(q != r && q != array && r != &array[1]);
    free(q);
}
