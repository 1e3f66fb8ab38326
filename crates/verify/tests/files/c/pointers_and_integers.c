// lariat:
// expect: pointers_and_integers_ok proved
// expect: pointers_and_integers_bad bug line 30 assert
// pointers_and_integers_bad fails with the inputs 4
#include <assert.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);

void pointers_and_integers_ok(void)
{
    int a[2];
    uintptr_t n = (uintptr_t)&a[0];
    assert((int *)n == a);
    assert((uintptr_t)&a[1] - n == sizeof(int));
    assert(n % _Alignof(int) == 0);
    void *p = a;
    int *q = p;
    *q = __VERIFIER_nondet_int();
    assert(a[0] == *q);
    assert((void *)0 == 0 && !(char *)0);
    assert(&a[0] != 0);
    const void *cv = &a[1];
    assert((const char *)cv - (const char *)p == 4);
}

void pointers_and_integers_bad(void)
{
    int a[2] = {1, 2};
    uintptr_t n = (uintptr_t)a + (__VERIFIER_nondet_int() & 4);
    assert(*(int *)n == 1); /* fails */
}
