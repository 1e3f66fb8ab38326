// A refused specification is not assumed any more: what else fails where it does not hold is a warning, too.
// run: default
//   warning inconsistent both: *x
//   warning inconsistent both: *x
//   warning inconsistent behind: *x
//   warning inconsistent behind: *q
#include <stddef.h>
int seen;
int both(int *x, int c) { if (x == NULL) seen = 1; if (c) return *x; seen = 3; return *x + 1; }
int behind(int *x, int c)
{
    int *q = NULL;
    if (x == NULL)
        seen = 1;
    if (c)
        return *x;
    if (x == NULL)
        return *q;
    return 0;
}
