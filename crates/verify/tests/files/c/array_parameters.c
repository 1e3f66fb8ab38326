// lariat:
// expect: array_parameters_ok proved
// expect: array_parameters_bad bug line 43 assert
// array_parameters_bad fails with the inputs 4
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int corner(int m[2][2])
{
    assert(sizeof m == sizeof(void *));
    m[0][0]++;
    return m[1][1];
}

static int sum(int rows, int columns, int m[rows][columns])
{
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            total += m[i][j];
    return total;
}

static int first(const int a[static 1])
{
    return *a;
}

void array_parameters_ok(void)
{
    int x = __VERIFIER_nondet_int() & 255;
    int m[2][2] = {{1, 2}, {4, x}};
    assert(corner(m) == x && m[0][0] == 2);
    assert(sum(2, 2, m) == 8 + x);
    assert(first(m[1]) == 4);
    int(*row)[2] = m + 1;
    assert((*row)[0] == 4 && row[-1][1] == 2);
}

void array_parameters_bad(void)
{
    int m[2][2] = {{1, 2}, {3, __VERIFIER_nondet_int() & 7}};
    assert(sum(2, 2, m) != 10); /* fails */
}
