// A part of a conjunction can be rejected: what needs it is a warning.
// run: default --rule lock
//   given rejected both: a != b
//   warning rejected both: spin_lock(b)
//   spec both: lock(a) == unlocked
//   spec both: a != b
struct lock;
void spin_lock(struct lock *l);
void both(struct lock *a, struct lock *b) { spin_lock(a); spin_lock(b); }
