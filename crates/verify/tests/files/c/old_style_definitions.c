// lariat:
// expect: old_style_definitions_ok proved
// expect: old_style_definitions_bad bug line 40 assert
// old_style_definitions_bad fails with the inputs 5
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int scale(x, factor, shift)
    int x;
    short factor;
    char shift;
{
    return x * factor + shift;
}

int undeclared();

int main_value(n)
{
    return n + 1;
}

void old_style_definitions_ok()
{
    assert(scale(2, 3, 4) == 10);
    assert(scale(1, 65536 + 2, 256 + 1) == 3);
    assert(main_value(4) == 5);
    assert(undeclared(1, 2) == 3);
}

int undeclared(a, b)
    int a, b;
{
    return a + b;
}

void old_style_definitions_bad()
{
    int x = __VERIFIER_nondet_int() & 7;
    assert(scale(x, 2, 1) != 11); /* fails */
}
