// lariat:
// expect: structs_by_value_ok proved
// expect: structs_by_value_bad bug line 39 assert
// structs_by_value_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct point {
    int x;
    int y;
};

static struct point mirrored(struct point p)
{
    int x = p.x;
    p.x = p.y;
    p.y = x;
    return p;
}

void structs_by_value_ok(void)
{
    struct point p = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
    struct point q = mirrored(p);
    assert(q.x == p.y && q.y == p.x);
    struct point copy = p;
    copy.x = ~copy.x;
    assert(copy.x != p.x && copy.y == p.y);
    assert(mirrored(mirrored(p)).x == p.x);
    struct point a[2] = {p, q};
    a[0] = a[1];
    assert(a[0].x == p.y);
}

void structs_by_value_bad(void)
{
    struct point p = {1, __VERIFIER_nondet_int()};
    mirrored(p);
    assert(p.x != p.y); /* fails */
}
