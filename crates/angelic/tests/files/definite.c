// `definite`: no environment avoids the failure. Loops that run zero times, other branches and `exit` are ways to avoid it.
// run: default
//   warning definite straight: *p = 1
//   warning definite counts_down: *p = 1
//   warning not-expressible loop_sets: *p = 1
//   warning not-expressible maybe_ends: *p = 1
//   warning not-expressible one_branch: *p = 1
//   warning definite two_failures: *q = 2
//   warning not-expressible two_failures: *p = 1
#include <stdlib.h>
void straight(void) { int *p = NULL; *p = 1; }
void counts_down(int n) { int *p = NULL; while (n > 0) n--; *p = 1; }
void loop_sets(int n) { int *p = NULL; for (int i = 0; i < n; i++) p = &n; *p = 1; }
void maybe_ends(int c) { int *p = NULL; if (c) exit(1); *p = 1; }
void one_branch(int c) { int *p = NULL; if (c) *p = 1; }
void two_failures(int c) { int *p = NULL, *q = NULL; if (c) *p = 1; *q = 2; }
