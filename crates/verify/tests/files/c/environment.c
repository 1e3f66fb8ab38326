// lariat:
// expect: environment_ok proved
// expect: environment_bad bug line 45 assert
// environment_bad: not to be run: nothing changes the variable
// expect: environment_address_bad bug line 52 assert
// expect: environment_library_bad bug-unconfirmed line 61 assert
// expect: environment_other_type unknown
#include <assert.h>
#include <unistd.h>

#ifdef OK /* A compiler needs its definition. */
volatile unsigned status = 1;
#else
extern volatile unsigned status;
#endif
static volatile int mine;
volatile int visible = 1;
struct device { volatile unsigned control, data; };
static int written;

static void two(int x, int y) { written = x + y; }

void environment_ok(void)
{
    while (!(status & 1))
        ;
    mine = 3;
    mine++;
    assert(mine == 4);
    assert(visible == 1);
    volatile int local = 2;
    volatile int *p = &local;
    *p += 1;
    assert(*p == 3);
    unsigned s = status;
    assert(s == s);
    char *arguments[] = {"p", "-a", 0};
    optind = 1;
    assert(optind == 1);
}

void environment_bad(void)
{
    unsigned first = status, second = status;
    assert(first == second); /* fails */
}

void environment_address_bad(void)
{
    struct device *device = (struct device *)0x40000000;
    unsigned first = device->data, second = device->data;
    assert(first == second); /* fails */
}

void environment_library_bad(void)
{
    char *arguments[] = {"p", "-a", 0};
    optind = 1;
    opterr = 0;
    getopt(2, arguments, "a");
    assert(optind == 1); /* fails */
}

void environment_other_type(void)
{
    void (*p)(int) = (void (*)(int))two;
    p(5);
    assert(written != 5);
}
