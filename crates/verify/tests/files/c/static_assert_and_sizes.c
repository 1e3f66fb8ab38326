// lariat:
// expect: static_assert_and_sizes_ok proved
// expect: static_assert_and_sizes_bad bug line 44 assert
// static_assert_and_sizes_bad fails with the inputs 77
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

struct padded {
    char a;
    int b;
    char c;
    short d;
    double e;
};
struct __attribute__((packed)) tight {
    char a;
    int b;
};

_Static_assert(sizeof(struct padded) == 24 || sizeof(struct padded) == 20, "padding");
_Static_assert(offsetof(struct padded, d) == 10, "d");

void static_assert_and_sizes_ok(void)
{
    struct padded p;
    assert(offsetof(struct padded, b) == 4 && offsetof(struct padded, c) == 8);
    assert((char *)&p.b - (char *)&p == 4);
    assert(sizeof(struct tight) == 5 && offsetof(struct tight, b) == 1);
    assert(_Alignof(int) == 4 && _Alignof(struct tight) == 1);
    assert(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long long) == 8);
    assert(sizeof(long) == sizeof(void *));
    int n = 0;
    assert(sizeof(n++) == 4 && n == 0);
    p.b = __VERIFIER_nondet_int();
    assert(*(int *)((char *)&p + 4) == p.b);
}

void static_assert_and_sizes_bad(void)
{
    struct padded p = {0};
    p.d = (short)__VERIFIER_nondet_int();
    short *q = (short *)((char *)&p + offsetof(struct padded, d));
    assert(*q != 77); /* fails */
}
