// lariat:
// expect: enums_ok proved
// expect: enums_bad bug line 36 assert
// enums_bad fails with the inputs 7 (any number but 0, 5 and 6)
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

enum color { RED, GREEN = 5, BLUE, LAST = BLUE + 10 };
enum { ANONYMOUS = -3 };

static enum color next(enum color c)
{
    switch (c) {
    case RED:
        return GREEN;
    case GREEN:
        return BLUE;
    default:
        return RED;
    }
}

void enums_ok(void)
{
    assert(RED == 0 && BLUE == 6 && LAST == 16 && ANONYMOUS == -3);
    assert(sizeof(enum color) == sizeof(int));
    enum color c = __VERIFIER_nondet_int() ? GREEN : RED;
    assert(next(next(next(c))) == c);
    enum color odd = (enum color)77;
    assert(next(odd) == RED);
}

void enums_bad(void)
{
    enum color c = (enum color)__VERIFIER_nondet_int();
    assert(next(next(next(c))) == c); /* fails */
}
