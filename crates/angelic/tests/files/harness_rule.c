// A monitor that belongs to a rule: no harness in C can set it, so `default+harness` does. Without it the caller may be taken
// to hold the lock.
// run: default --entry flush --rule lock
//   spec flush: lock(l) == locked
// run: default+harness --entry flush --rule lock
//   warning definite flush: mutex_unlock(l)
// run: default+harness --harness harness --rule lock
//   warning definite flush: mutex_unlock(l)
// run: default+harness --entry drain --rule lock
//   no warning
struct mutex { int word; };

void mutex_lock(struct mutex *l);
void mutex_unlock(struct mutex *l);

static struct mutex *only;

void flush(struct mutex *l)
{
    mutex_unlock(l);
    mutex_lock(l);
}

void drain(struct mutex *l)
{
    mutex_lock(l);
    mutex_unlock(l);
}

// Nothing has run before a harness: `only` is still null.
void harness(struct mutex *l)
{
    if (only == 0)
        flush(l);
}
