// A number of a record says when a pointer of the record is there, the result of a call when what it wrote is. A null check somewhere
// else does not contradict that; one under the same condition does.
// run: default
//   spec sum: e != NULL
//   spec sum: e->items != NULL || e->count <= 0
//   spec clear: e != NULL
//   spec clear: e->flags == 0 || e->items != NULL
//   warning inconsistent checked_when_used: e->items[0].value
//   warning inconsistent always_used: e->items[0].value
//   warning inconsistent other_number: e->items[0].value
//   spec checked_when_used: e != NULL
//   spec always_used: e != NULL
//   spec other_number: e != NULL
//   warning inconsistent other_pointer: p->left->count
//   spec other_pointer: p != NULL
//   spec dial: c after open_conn() != NULL || open_conn() < 0
//   warning inconsistent dial_anyway: c->fd
//   warning inconsistent failed_use: c->fd
//   spec failed_use: c after open_conn() != NULL || open_conn() < 0
//   warning inconsistent used_on_failure: c->fd = -1
#include <stddef.h>
struct item { int value; };
struct set { int count; unsigned flags; struct item *items; };
int missing;
int sum(struct set *e)
{
    int s = 0;
    if (e->items == NULL)
        missing++;
    for (int i = 0; i < e->count; i++)
        s += e->items[i].value;
    return s;
}
void clear(struct set *e)
{
    if (e->flags)
        e->items->value = 0;
    if (e->items != NULL)
        missing = 0;
}
int checked_when_used(struct set *e)
{
    if (e->count > 0) {
        if (e->items == NULL)
            missing++;
        return e->items[0].value;
    }
    return 0;
}
int always_used(struct set *e)
{
    if (e->items == NULL)
        missing++;
    return e->items[0].value;
}
int other_number(struct set *e, int verbose)
{
    if (e->items == NULL)
        missing++;
    return verbose ? e->items[0].value : 0;
}
struct pair { struct set *left, *right; };
int other_pointer(struct pair *p)
{
    if (p->left == NULL && p->right == NULL)
        return 0;
    return p->left->count;
}
struct conn { int fd; };
int open_conn(const char *host, struct conn **out);
int dial(const char *host)
{
    struct conn *c;
    int rc = open_conn(host, &c);
    if (rc < 0) {
        if (c == NULL)
            missing++;
        return rc;
    }
    return c->fd;
}
int dial_anyway(const char *host)
{
    struct conn *c;
    int rc = open_conn(host, &c);
    if (c == NULL)
        rc = 0;
    if (rc < 0)
        return rc;
    return c->fd;
}
int failed_use(const char *host)
{
    struct conn *c;
    int rc = open_conn(host, &c);
    if (rc < 0)
        return c == NULL ? c->fd : rc;
    return c->fd;
}
int used_on_failure(const char *host)
{
    struct conn *c = NULL;
    int rc = open_conn(host, &c);
    if (rc < 0)
        c->fd = -1;
    if (c == NULL)
        return -1;
    return c->fd;
}
