// lariat: --externals havoc
// expect: visible_callback_ok proved
// expect: visible_callback_other unknown
#include <assert.h>

void other(void);
static int hidden = 1;
void (*hook)(void);

static void set(void)
{
    hidden = 2;
}

void visible_callback_ok(void)
{
    hook = set;
    assert(hidden == 1);
}

/* Others may call what a variable of theirs leads to. */
void visible_callback_other(void)
{
    hook = set;
    other();
    assert(hidden == 1);
}
