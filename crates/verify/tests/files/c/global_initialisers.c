// lariat:
// expect: global_initialisers_ok proved
// expect: global_initialisers_bad bug line 37 assert
// global_initialisers_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int values[4] = {10, 20, 30};
static int *second = &values[1];
static int **where = &second;
static char text[] = "text";
static char *end = text + 4;
struct node {
    struct node *next;
    int *value;
};
static struct node b, a = {&b, values + 2}, b = {&a, 0};
static int size = sizeof values / sizeof *values;
static long difference = (char *)&((struct node *)0)->value - (char *)0;
static int (*choose)(void) = 0;
static double ratio = 1.0 / 4;

void global_initialisers_ok(void)
{
    assert(*second == 20 && **where == 20 && *end == 0);
    assert(a.next == &b && b.next->value == &values[2] && b.value == 0);
    assert(size == 4 && difference == sizeof(void *) && choose == 0 && ratio == 0.25);
    *where = values;
    assert(*second == 10);
    values[2] = __VERIFIER_nondet_int();
    assert(*a.value == values[2]);
}

void global_initialisers_bad(void)
{
    second += __VERIFIER_nondet_int() & 1;
    assert(**where == 20); /* fails */
}
