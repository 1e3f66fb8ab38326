// lariat:
// expect: designated_initialisers_ok proved
// expect: designated_initialisers_bad bug line 36 assert
// designated_initialisers_bad fails with the inputs 2
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct config {
    int a;
    struct {
        int b;
        int c[4];
    } in;
    const char *name;
};

static struct config global = {.in.c[2] = 7, .name = "x", .a = 1};

void designated_initialisers_ok(void)
{
    int x = __VERIFIER_nondet_int();
    int v[8] = {[3] = x, 4, [0] = 1, [6 ... 7] = 9};
    assert(v[0] == 1 && v[1] == 0 && v[3] == x && v[4] == 4 && v[6] == 9 && v[7] == 9 && v[5] == 0);
    struct config c = {.in = {.b = 2, .c = {[1] = 5, 6}}, .a = 3, .a = 4};
    assert(c.a == 4 && c.in.b == 2 && c.in.c[0] == 0 && c.in.c[1] == 5 && c.in.c[2] == 6 && c.name == 0);
    assert(global.a == 1 && global.in.b == 0 && global.in.c[2] == 7 && global.in.c[3] == 0);
    assert(global.name[0] == 'x' && global.name[1] == 0);
    int w[] = {[4] = 1};
    assert(sizeof w == 5 * sizeof(int));
}

void designated_initialisers_bad(void)
{
    int x = __VERIFIER_nondet_int();
    struct config c = {.a = x, .in.c = {1, 2}};
    assert(c.a != c.in.c[1] + c.in.c[2]); /* fails */
}
