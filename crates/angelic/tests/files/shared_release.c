// Two uses after one wrapper of `free` are two bugs.
// run: default --check use-after-free
//   warning definite always: n->v
//   warning not-expressible sometimes: n->v
//   spec two: a != b
#include <stdlib.h>
struct node { int v; struct node *next; };
void release(struct node *n) { free(n); }
int always(struct node *n) { release(n); return n->v; }
int sometimes(struct node *n, int c) { if (c) release(n); return n->v; }
int two(struct node *a, struct node *b) { release(a); return b->v; }
int fine(struct node *n) { int v = n->v; release(n); return v; }
