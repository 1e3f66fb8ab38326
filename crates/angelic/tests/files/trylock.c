// A lock that may not be taken: the state depends on the result of the call.
// run: default --rule lock
//   warning not-expressible unlocks_anyway: mutex_unlock(m)
//   warning definite locks_twice: mutex_lock(m)
//   spec tried: lock(m) == unlocked
//   spec interrupted: lock(m) == unlocked
//   spec locks_twice: lock(m) == unlocked
//   spec unlocks_anyway: lock(m) == unlocked
struct mutex;
int mutex_trylock(struct mutex *m);
int mutex_lock_interruptible(struct mutex *m);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
void tried(struct mutex *m) { if (mutex_trylock(m)) mutex_unlock(m); mutex_lock(m); mutex_unlock(m); }
int interrupted(struct mutex *m) { if (mutex_lock_interruptible(m) != 0) return -1; mutex_unlock(m); return 0; }
void unlocks_anyway(struct mutex *m) { mutex_lock_interruptible(m); mutex_unlock(m); }
void locks_twice(struct mutex *m) { mutex_lock(m); mutex_lock(m); }
