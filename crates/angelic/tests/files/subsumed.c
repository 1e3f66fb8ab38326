// Of two specifications the one that says more is listed, with all that it excludes. What the program calls unreachable is excluded.
// run: default
//   spec weaker_first: p != NULL
//   spec unreachable: q != NULL
//   no warning
#include <stddef.h>
int weaker_first(int *p, int *q, int c) {
    int *r = q ? q : p;
    if (c) return *p;
    return *r;
}
int unreachable(int *p, int *q) {
    if (!p) __builtin_unreachable();
    return *p + *q;
}
