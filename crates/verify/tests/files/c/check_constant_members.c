// lariat: --check bounds --check assert
// expect: check_constant_members_ok proved
// expect: check_constant_members_bad bug line 31 bounds
// check_constant_members_bad: not to be run: no sanitizer finds it
// expect: check_constant_members_pointer_bad bug line 38 bounds
// check_constant_members_pointer_bad: not to be run: no sanitizer finds it
// expect: check_constant_members_global_bad bug line 44 bounds
// check_constant_members_global_bad: not to be run: no sanitizer finds it
#include <assert.h>
#include <stdlib.h>

struct item { const int number; int count; };
static struct item shared = {1, 2};

void check_constant_members_ok(void)
{
    struct item item = {1, 2}, *p = &item;
    p->count = 3;
    int *count = &p->count;
    *count += 1;
    assert(item.number == 1 && item.count == 4);
    struct item *made = malloc(sizeof *made);
    *(int *)&made->number = 5;
    assert(made->number == 5);
    free(made);
}

void check_constant_members_bad(void)
{
    struct item item = {1, 2};
    *(int *)&item.number = 5; /* fails */
}

void check_constant_members_pointer_bad(void)
{
    struct item item = {1, 2}, *p = &item;
    int *number = (int *)&p->number;
    *number = 5; /* fails */
}

void check_constant_members_global_bad(void)
{
    int *number = (int *)&shared.number;
    *number = 5; /* fails */
}
