// lariat:
// expect: matrix_sum_ok proved
// expect: matrix_sum_bad bug line 30 assert
// matrix_sum_bad fails with the inputs 3 4
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

/* A nest of loops over a matrix of variable size: each loop gets inferred facts, which a proof must be able to do without. */
static int sum(int rows, int columns, int m[rows][columns])
{
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            total += m[i][j];
    return total;
}

void matrix_sum_ok(void)
{
    int x = __VERIFIER_nondet_int() & 255;
    int m[2][2] = {{1, 2}, {4, x}};
    assert(sum(2, 2, m) == 7 + x);
}

void matrix_sum_bad(void)
{
    int x = __VERIFIER_nondet_int() & 3;
    int y = __VERIFIER_nondet_int() & 7;
    int m[2][2] = {{1, x}, {y, 2}};
    assert(sum(2, 2, m) != 10 || x != 3); /* fails */
}
