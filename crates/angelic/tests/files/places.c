// Calls are told apart by their places only where an entry has several of the name.
// run: default --entry one --entry two --entry other
//   spec one: get() != NULL
//   spec other: get() != NULL
//   spec two: get()@10:26 != NULL
//   spec two: get()@10:41 != NULL
struct node { int v; };
struct node *get(void);
void one(void) { get()->v = 1; }
void two(void) { int a = get()->v; a += get()->v; }
void other(void) { struct node *n = get(); n->v = 1; }
// A callee's result is specified where it is called, and nothing more is assumed of the caller's own.
// run: default --entry inner --entry outer
//   spec inner: get() != NULL
//   spec outer: get()@17 != NULL
void inner(void) { get()->v = 1; }
void outer(void) { inner(); get()->v = 2; }
