// What one execution of a call gave says nothing of another one: the second connection can be missing though the first is there.
// run: default --entry second --entry second_checked
//   given accepted second: c after open_conn() != NULL || open_conn() < 0
//   warning inconsistent second: b->fd
//   spec second: c after open_conn() != NULL || open_conn() < 0
//   spec second_checked: c after open_conn() != NULL || open_conn() < 0
#include <stddef.h>
struct conn { int fd; };
int open_conn(const char *host, struct conn **out);
int missing;
static struct conn *opened(const char *host, int *rc)
{
    struct conn *c;
    *rc = open_conn(host, &c);
    if (*rc >= 0)
        missing = c->fd;
    else if (c == NULL)
        missing = -1;
    return c;
}
int second(const char *host)
{
    int first, rc;
    opened(host, &first);
    if (first < 0)
        return first;
    struct conn *b = opened(host, &rc);
    return b->fd;
}
int second_checked(const char *host)
{
    int first, rc;
    opened(host, &first);
    if (first < 0)
        return first;
    struct conn *b = opened(host, &rc);
    return rc < 0 ? rc : b->fd;
}
