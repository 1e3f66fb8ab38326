// lariat:
// expect: recursion_ok bounded
// expect: recursion_bad bug line 37 assert
// recursion_bad fails with the inputs 4
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

static int is_even(int n);
static int is_odd(int n)
{
    return n == 0 ? 0 : is_even(n - 1);
}
static int is_even(int n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

void recursion_ok(void)
{
    assert(factorial(5) == 120);
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 5);
    assert(is_even(n) == (n % 2 == 0));
    assert(is_even(n) + is_odd(n) == 1);
}

void recursion_bad(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 5);
    assert(factorial(n) < 24); /* fails */
}
