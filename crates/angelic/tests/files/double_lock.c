// run: default --rule lock
//   warning definite twice: spin_lock(l)
//   warning not-expressible sometimes: spin_lock(l)
//   spec twice: lock(l) == unlocked
//   spec sometimes: lock(l) == unlocked
struct lock;
void spin_lock(struct lock *l);
void spin_unlock(struct lock *l);
void twice(struct lock *l) { spin_lock(l); spin_lock(l); }
void sometimes(struct lock *l, int c) { if (c) spin_lock(l); spin_lock(l); spin_unlock(l); }
