// lariat:
// expect: unknown_callback_ok unknown
// expect: unknown_callback_bad bug line 26 assert
// unknown_callback_bad: not to be run
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int g;

static void set(void)
{
    g = 1;
}

void somebody_elses(void (*)(void));

void unknown_callback_ok(void)
{
    somebody_elses(set);
    assert(g == 0);
}

void unknown_callback_bad(void)
{
    g = __VERIFIER_nondet_int();
    assert(g == 0);
}
