// lariat:
// expect: unknown_pointers_ok proved
// expect: unknown_pointers_bad bug line 25 assert
// unknown_pointers_bad: not to be run
#include <assert.h>

int shared = 1;
static int own = 1;

int *from_elsewhere(void);

void unknown_pointers_ok(void)
{
    int *p = from_elsewhere();
    if (p)
        *p = 2;
    assert(own == 1);
}

void unknown_pointers_bad(void)
{
    int *q = &shared, *p = from_elsewhere();
    if (p == q) {
        *p = 2;
        assert(shared == 1);
    }
}
