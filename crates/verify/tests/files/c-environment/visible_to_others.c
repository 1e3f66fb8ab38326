// lariat: --externals havoc
// expect: visible_to_others_ok proved
// expect: visible_to_others_bad bug line 22 assert
#include <assert.h>

void other(void);
static int hidden = 1, shown = 1;
int *leads = &shown;

void visible_to_others_ok(void)
{
    hidden = 1;
    other();
    assert(hidden == 1);
}

/* What others see may lead them further. */
void visible_to_others_bad(void)
{
    shown = 1;
    other();
    assert(shown == 1); /* fails */
}
