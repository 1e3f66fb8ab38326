// What the library returns has its cause where it is called.
// run: default
//   warning not-expressible home: h[0]
//   warning not-expressible path: p[0]
#include <stdlib.h>
char home(void) { char *h = getenv("HOME"); return h[0]; }
char path(void) { char *p = getenv("PATH"); return p[0]; }
