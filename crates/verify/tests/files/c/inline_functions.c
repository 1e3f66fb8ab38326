// lariat:
// expect: inline_functions_ok proved
// expect: inline_functions_bad bug line 31 assert
// inline_functions_bad fails with the inputs 2
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static inline int square(int x)
{
    return x * x;
}
inline int twice(int x)
{
    return x + x;
}
extern inline int twice(int x);

void inline_functions_ok(void)
{
    int x = __VERIFIER_nondet_int() & 1023;
    assert(square(x) >= 0);
    assert(twice(x) == x * 2);
    assert(square(3) == 9 && twice(square(2)) == 8);
    int (*p)(int) = twice;
    assert(p(4) == 8);
}

void inline_functions_bad(void)
{
    int x = __VERIFIER_nondet_int() & 15;
    assert(square(x) != twice(x) || x == 0); /* fails */
}
