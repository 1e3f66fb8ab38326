// A function of the program with the name of one of the library is the program's own.
// run: default
//   warning inconsistent read: *p
//   warning inconsistent uses: *index(p)
#include <stddef.h>
static int read(int *p) { if (!p) p = NULL; return *p; }
int first(int *p) { return p ? read(p) : 0; }
static int *index(int *p) { return p ? p + 1 : NULL; }
int uses(int *p) { return *index(p); }
