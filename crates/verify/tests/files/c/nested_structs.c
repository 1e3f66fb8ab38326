// lariat:
// expect: nested_structs_ok proved
// expect: nested_structs_bad bug line 41 assert
// nested_structs_bad fails with the inputs 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct inner {
    char tag;
    int values[3];
};
struct outer {
    short id;
    struct inner first;
    struct inner rest[2];
    struct {
        int unnamed;
    };
};

void nested_structs_ok(void)
{
    struct outer o = {1, {'a', {2, 3}}, {{'b', {4}}}, {5}};
    assert(o.first.values[0] == 2 && o.first.values[2] == 0);
    assert(o.rest[0].tag == 'b' && o.rest[1].tag == 0);
    assert(o.unnamed == 5);
    int x = __VERIFIER_nondet_int();
    struct outer *p = &o;
    struct inner *q = &p->rest[1];
    q->values[1] = x;
    assert(o.rest[1].values[1] == x);
    o.rest[0] = *q;
    assert(p->rest[0].values[1] == x && p->rest[0].values[0] == 0);
}

void nested_structs_bad(void)
{
    struct outer o = {0};
    o.first = o.rest[0];
    o.rest[0].values[2] = __VERIFIER_nondet_int();
    assert(o.first.values[2] == o.rest[0].values[2]); /* fails */
}
