// Each function that locks twice, or frees twice, through a shared wrapper is a bug of its own.
// run: default --rule lock
//   warning definite enter: spin_lock(l)
//   warning not-expressible enter: spin_lock(l)
//   warning not-expressible enter: spin_lock(l)
//   spec enter: lock(l) == unlocked
//   spec leave: lock(l) == locked
//   spec balanced: lock(l) == unlocked
struct lock;
void spin_lock(struct lock *l);
void spin_unlock(struct lock *l);
static void enter(struct lock *l) { spin_lock(l); }
static void leave(struct lock *l) { spin_unlock(l); }
void twice(struct lock *l) { enter(l); enter(l); }
void sometimes(struct lock *l, int c) { enter(l); if (c) enter(l); leave(l); }
void in_loop(struct lock *l, int n) { for (int i = 0; i < n; i++) enter(l); }
void balanced(struct lock *l) { enter(l); leave(l); enter(l); leave(l); }
