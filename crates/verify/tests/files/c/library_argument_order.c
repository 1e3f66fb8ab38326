// lariat:
// expect: library_argument_order_ok proved
// expect: library_argument_order_bad bug line 36 assert
// library_argument_order_bad: not to be run: a compiler has one order
// expect: library_argument_order_copy_bad bug line 43 assert
#include <assert.h>
#include <stdio.h>
#include <string.h>

static char text[2];
static int counter;
static char first[4] = "abc", second[4] = "xyz", *current = first;

static char *digit(int value) { text[0] = (char)('0' + value); return text; }
static int next(void) { return ++counter; }
static unsigned long choose(void) { current = second; return 3; }

/* Calls of the library that are taken apart evaluate their arguments as other calls do. */
void library_argument_order_ok(void)
{
    char to[8];
    sprintf(to, "%s%d", digit(1), next());
    assert(to[0] == '1' && to[1] == '1');
    sprintf(to, "%s%s", digit(1), digit(2));
    assert((to[0] == '1' && to[1] == '1') || (to[0] == '2' && to[1] == '2'));
    counter = 0;
    snprintf(to, sizeof to, "%d%d", next(), next());
    assert(to[0] != to[1] && counter == 2);
}

void library_argument_order_bad(void)
{
    char to[8];
    sprintf(to, "%s%s", digit(1), digit(2));
    /* gcc evaluates the last argument first. */
    assert(to[0] == '2'); /* fails */
}

void library_argument_order_copy_bad(void)
{
    char to[4] = "";
    memcpy(to, current, choose());
    assert(to[0] == 'a'); /* fails */
}
