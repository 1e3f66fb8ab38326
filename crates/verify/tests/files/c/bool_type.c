// lariat:
// expect: bool_type_ok proved
// expect: bool_type_bad bug line 35 assert
// bool_type_bad fails with the inputs 2
#include <assert.h>
#include <stdbool.h>
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);

void bool_type_ok(void)
{
    int x = __VERIFIER_nondet_int();
    bool b = x;
    assert(b == 0 || b == 1);
    assert(b == (x != 0));
    b = 256;
    assert(b == true);
    b = 0.5;
    assert(b);
    b = (int *)0;
    assert(!b);
    b += 5;
    assert(b == 1);
    b--;
    assert(b == 0);
    bool c = &x;
    assert(c && sizeof(bool) == 1);
    assert(true + true == 2);
}

void bool_type_bad(void)
{
    int x = __VERIFIER_nondet_int();
    bool b = x;
    assert((unsigned char)x == 0 || b == x); /* fails */
}
