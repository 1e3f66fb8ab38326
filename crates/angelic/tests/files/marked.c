// What the user marks must stay possible, and proves nothing.
// run: default
//   warning inconsistent null_is_possible: n->v = 1
//   spec object_is_possible: n != NULL
// run: default --permissive consistency
//   spec null_is_possible: n != NULL
//   spec object_is_possible: n != NULL
void __lariat_angelic(int);
struct node { int v; };
void null_is_possible(struct node *n) { __lariat_angelic(n == 0); n->v = 1; }
void object_is_possible(struct node *n) { __lariat_angelic(n != 0); n->v = 1; }
