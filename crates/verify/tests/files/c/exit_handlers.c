// lariat:
// expect: exit_handlers_ok proved
// expect: exit_handlers_bad bug line 18 assert
// exit_handlers_bad fails with the inputs 2
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int order;

static void first(void)
{
    assert(order == 2);
}

static void second(void)
{
    assert(order == 1);
    order = 2;
}

void exit_handlers_ok(void)
{
    atexit(first);
    atexit(second);
    order = 1;
    exit(0);
}

void exit_handlers_bad(void)
{
    atexit(second);
    order = __VERIFIER_nondet_int();
    exit(0);
}
