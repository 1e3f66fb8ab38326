// lariat:
// expect: set_by_others bug line 14 assert
// expect: set_by_the_library bug line 22 assert
// expect: set_by_nobody proved
// expect: looked_at_at_once proved
#include <assert.h>
#include <errno.h>
extern int others(void);

void set_by_others(void)
{
    errno = 0;
    others();
    assert(errno == 0);
}

void set_by_the_library(void)
{
    errno = 0;
    extern int chroot(const char *);
    chroot("/");
    assert(errno == 0);
}

static int own(int x)
{
    return x + 1;
}

void set_by_nobody(void)
{
    errno = 3;
    assert(own(1) == 2);
    assert(errno == 3);
}

void looked_at_at_once(void)
{
    errno = 0;
    int before = errno;
    others();
    assert(before == 0);
}
