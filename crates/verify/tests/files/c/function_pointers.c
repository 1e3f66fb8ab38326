// lariat:
// expect: function_pointers_ok proved
// expect: function_pointers_bad bug line 46 assert
// function_pointers_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int add(int a, int b)
{
    return a + b;
}
static int sub(int a, int b)
{
    return a - b;
}
static int first(int a, int b)
{
    return a;
}

typedef int operation(int, int);
static operation *const table[] = {add, sub, &first};

static int apply(operation f, int a, int b)
{
    return (*f)(a, b);
}

void function_pointers_ok(void)
{
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 3);
    int result = table[i](7, 2);
    assert(result == 9 || result == 5 || result == 7);
    assert(apply(sub, 7, 2) == 5);
    operation *f = i == 1 ? add : first;
    assert(f != sub);
    assert(f(1, 2) == (i == 1 ? 3 : 1));
}

void function_pointers_bad(void)
{
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 3);
    assert(apply(table[i], 3, 3) != 0); /* fails */
}
