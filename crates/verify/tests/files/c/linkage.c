// lariat:
// expect: linkage_ok proved
// expect: linkage_bad bug line 62 assert
// linkage_bad fails with the inputs 0
// expect: linkage_weak_bad bug line 68 assert
// expect: linkage_ifunc unknown
// expect: linkage_absent proved
// expect: linkage_again proved
#include <assert.h>

int original = 1;
extern int other_name __attribute__((alias("original")));
extern unsigned char first_byte[4] __attribute__((alias("original")));

int twice(int x) { return 2 * x; }
int doubled(int x) __attribute__((alias("twice")));
static int referred(int x) __attribute__((weakref("twice")));

int labelled asm("label_of_it") = 3;
extern int label_of_it;
static int kept asm("inner") = 4;
extern int inner;

int overridable(void) __attribute__((weak));
int overridable(void) { return 7; }

extern int absent(void) __attribute__((weak));
extern int missing __attribute__((weak));

#define ALIAS_OF(name) __attribute__((alias(#name)))
extern int by_macro ALIAS_OF(original);

static int chosen_body(void) { return 1; }
static void *resolve(void) { return (void *)chosen_body; }
#ifdef OK /* A sanitizer does not bear a resolver. */
int chosen(void);
#define chosen chosen_body
#else
int chosen(void) __attribute__((ifunc("resolve")));
#endif

void linkage_ok(void)
{
    other_name = 5;
    assert(original == 5 && &original == &other_name && by_macro == 5);
    first_byte[0] = 6;
    assert(original == 6);
    assert(doubled(4) == 8 && referred(5) == 10 && doubled == twice);
    label_of_it = 8;
    assert(labelled == 8);
    inner = 9;
    assert(kept == 9);
    assert(overridable() == 7 && overridable != 0);
    if (absent)
        assert(absent != 0);
}

void linkage_bad(void)
{
    original = 1;
    other_name = 2;
    assert(original == 1); /* fails */
}

void linkage_weak_bad(void)
{
    int *p = &missing;
    assert(p != 0); /* fails */
}

int linkage_ifunc(void)
{
    assert(chosen() == 1);
    return 0;
}

void linkage_absent(void)
{
    assert(absent == 0 && &missing == 0);
}

/* Only for places that a compiler wants to inline; the second definition is the function. */
extern inline __attribute__((gnu_inline)) int again(int x) { return x + 1; }
int again(int x) { return x + 2; }

void linkage_again(void)
{
    int (*pointer)(int) = again;
    assert(again(1) == 3 && pointer(2) == 4);
}
