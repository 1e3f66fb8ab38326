// lariat:
// expect: struct_of_functions_ok proved
// expect: struct_of_functions_bad bug line 41 assert
// struct_of_functions_bad fails with the inputs 1
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

struct shape {
    int (*area)(const struct shape *);
    int width;
    int height;
};

static int rectangle(const struct shape *s)
{
    return s->width * s->height;
}
static int line(const struct shape *s)
{
    return s->width;
}

static struct shape shapes[] = {{rectangle, 3, 4}, {.area = line, .width = 7}};

void struct_of_functions_ok(void)
{
    int total = 0;
    for (int i = 0; i < 2; i++)
        total += shapes[i].area(&shapes[i]);
    assert(total == 19);
    struct shape copy = shapes[0];
    copy.area = NULL;
    assert(copy.area != rectangle && shapes[0].area == rectangle);
}

void struct_of_functions_bad(void)
{
    struct shape s = shapes[__VERIFIER_nondet_int() != 0];
    s.height = 0;
    assert(s.area(&s) == 0); /* fails */
}
