// Whoever fails on another branch has avoided the failure on this one; whoever fails on another branch for the same cause has not.
// run: default
//   warning not-expressible either: *p
//   warning not-expressible either: *q
//   warning definite broken: *p
//   warning not-expressible calls_broken: *q
//   warning definite same_cause: *p
//   warning not-expressible leaves_loop: *p
//   warning not-expressible leaves_loop: *q
//   warning definite in_a_row: *p
//   warning not-expressible leaves_behind: *p
//   warning not-expressible leaves_behind: *q
//   warning not-expressible mends_behind: *p
//   warning not-expressible mends_behind: *q
#include <stddef.h>
int either(int c) { int *p = NULL, *q = NULL; if (c) return *p; return *q; }
static int broken(void) { int *p = NULL; return *p; }
int calls_broken(int c) { int *q = NULL; if (c) return broken(); return *q; }
int same_cause(int c) { int *p = NULL; switch (c) { case 1: return *p; case 2: return 1 + *p; default: return 2 + *p; } }
int leaves_loop(int n) { int *p = NULL; for (int i = 0; i < n; i++) if (i == 1) return *p; int *q = NULL; return *q; }
int in_a_row(void) { int *p = NULL, *q = NULL; int x = *p; return x + *q; }
// What fails earlier is a bug of its own: whoever could avoid the failure behind it has avoided it.
int leaves_behind(int c, int d) { int *p = NULL, *q = NULL; if (c) { int x = *p; if (d) return x; } return *q; }
int mends_behind(int c) { int x = 0, *p = NULL, *q = NULL; if (c) { x = *p; q = &x; } return *q; }
