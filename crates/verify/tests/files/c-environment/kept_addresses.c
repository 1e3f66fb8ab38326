// lariat:
// expect: kept_addresses_bad bug line 16 assert
// kept_addresses_bad: not to be run
// expect: kept_addresses_ok proved
#include <assert.h>

static int own = 1, hidden = 1;
int *keep = &own;

void *outside(void);

/* Other files can read the address in `keep`. */
void kept_addresses_bad(void)
{
    int *p = outside();
    if (p) *p = 5; assert(own == 1);
}

/* Nobody else knows the address of `hidden`. */
void kept_addresses_ok(void)
{
    int *q = &hidden, *p = outside();
    if (p)
        *p = 5;
    assert(*q == 1);
}
