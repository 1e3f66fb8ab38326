// lariat:
// expect: constructors_ok proved
// expect: constructors_bad bug line 31 assert
// constructors_bad: not to be run: the destructor of the driver's process checks it too
#include <assert.h>
#include <stdlib.h>

static int log_;

__attribute__((constructor)) static void third(void)
{
    log_ = log_ * 10 + 3;
}

#define EARLY(n) __attribute__((constructor(n)))

EARLY(102) static void second(void)
{
    log_ = log_ * 10 + 2;
}

EARLY(101) static void first(void)
{
    log_ = log_ * 10 + 1;
}

static int checks;

__attribute__((destructor)) static void last(void)
{
    assert(checks == 0 || log_ == 123); /* fails for constructors_bad */
}

void constructors_ok(void)
{
    assert(log_ == 123);
    checks = 1;
}

void constructors_bad(void)
{
    assert(log_ == 123);
    checks = 1;
    log_ = 0;
    exit(0);
}
