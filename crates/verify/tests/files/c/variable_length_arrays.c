// lariat:
// expect: variable_length_arrays_ok proved
// expect: variable_length_arrays_bad bug line 35 assert
// variable_length_arrays_bad fails with the inputs 3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void variable_length_arrays_ok(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 4);
    int a[n];
    assert(sizeof a == n * sizeof(int));
    a[0] = 7;
    a[n - 1] = n;
    assert(a[n - 1] == n);
    int b[2][n];
    b[1][0] = 5;
    b[0][n - 1] = 6;
    assert(b[1][0] == 5);
    assert(&b[1][0] - &b[0][0] == n);
    n = 10;
    assert(sizeof a <= 4 * sizeof(int));
}

void variable_length_arrays_bad(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 2 && n <= 5);
    char a[n];
    a[0] = 1;
    a[n - 1] = 2;
    a[2 % n] = 3;
    assert(a[n - 1] == 2); /* fails */
}
