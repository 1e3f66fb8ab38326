// lariat:
// expect: functions_of_others bug line 13 assert
// functions_of_others: not to be run
#include <assert.h>

/* Another file may have put any function into it that it can name. */
extern void (*hook)(int);

static int state;

void visible(int x)
{
    state = x; assert(state != 3); /* fails */
}

void functions_of_others(void)
{
    if (hook)
        hook(3);
}
