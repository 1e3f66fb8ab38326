
/* ---- locks: what is known of them is kept beside the program's objects, whose size may differ ---- */

static struct lariat_lock {
    const volatile void *at;
    /* The thread that holds it, or -1 for readers; how often, or how many. A semaphore's value, a barrier's threads that have come. */
    int holder, count;
    int needed, round;
    /* Of a mutex or its attributes: 1 if its holder may take it again. */
    int kind, destroyed;
} lariat_locks[LARIAT_MOST_LOCKS];

LARIAT_PLAIN static struct lariat_lock *lariat_lock_at(const volatile void *at)
{
    int i;
    for (i = 0; i < LARIAT_MOST_LOCKS; i++) {
        if (lariat_locks[i].at == at)
            return &lariat_locks[i];
        if (!lariat_locks[i].at) {
            lariat_locks[i].at = at;
            return &lariat_locks[i];
        }
    }
    lariat_diverged();
}

LARIAT_PLAIN static int lariat_resets(volatile void *at, int count)
{
    struct lariat_lock *lock = lariat_lock_at(at);
    lock->holder = lock->round = 0;
    lock->count = lock->needed = count;
    lock->kind = lock->destroyed = 0;
    return 0;
}

LARIAT_PLAIN static int lariat_destroys(volatile void *at)
{
    struct lariat_lock *lock = lariat_lock_at(at);
    if (lock->count)
        lariat_misused();
    lock->destroyed = 1;
    return 0;
}

/* Takes a lock if that is possible. A thread may take one again that it holds. */
LARIAT_PLAIN static int lariat_takes(struct lariat_lock *lock)
{
    if (lock->count && lock->holder != lariat_self + 1)
        return 0;
    lock->holder = lariat_self + 1;
    lock->count++;
    return 1;
}

LARIAT_PLAIN static int lariat_lock(const char *name, volatile void *at)
{
    struct lariat_lock *lock = lariat_lock_at(at);
    lariat_calls(name, 0);
    if (lock->destroyed || (lock->count && lock->holder == lariat_self + 1 && !lock->kind))
        lariat_misused();
    while (!lariat_takes(lock))
        lariat_is_blocked();
    return 0;
}

LARIAT_PLAIN static int lariat_try(const char *name, volatile void *at, int busy)
{
    lariat_calls(name, 0);
    return lariat_takes(lariat_lock_at(at)) ? 0 : busy;
}

LARIAT_PLAIN static int lariat_unlock(const char *name, volatile void *at)
{
    struct lariat_lock *lock = lariat_lock_at(at);
    lariat_calls(name, 0);
    if (!lock->count || (lock->holder != -1 && lock->holder != lariat_self + 1))
        lariat_misused();
    if (lock->count && --lock->count == 0) {
        lock->holder = 0;
        lariat_wakes(1);
    }
    return 0;
}

LARIAT_PLAIN static int lariat_waits(const char *name, volatile void *mutex)
{
    lariat_unlock(name, mutex);
    lariat_threads[lariat_self].waits = 2;
    lariat_calls(name, 1);
    lariat_threads[lariat_self].waits = 0;
    while (!lariat_takes(lariat_lock_at(mutex)))
        lariat_is_blocked();
    return 0;
}

LARIAT_FUNCTION(int, pthread_mutexattr_init, (void *how)) { return lariat_resets(how, 0); }
LARIAT_FUNCTION(int, pthread_mutexattr_destroy, (void *how)) { return 0; }
LARIAT_FUNCTION(int, pthread_mutexattr_settype, (void *how, int kind)) { lariat_lock_at(how)->kind = kind; return 0; }
LARIAT_FUNCTION(int, pthread_mutex_init, (void *at, const void *how))
{
    lariat_resets(at, 0);
    lariat_lock_at(at)->kind = how ? lariat_lock_at(how)->kind : 0;
    return 0;
}
LARIAT_FUNCTION(int, pthread_mutex_destroy, (void *at)) { return lariat_destroys(at); }
LARIAT_FUNCTION(int, pthread_mutex_lock, (void *at)) { return lariat_lock("pthread_mutex_lock", at); }
LARIAT_FUNCTION(int, pthread_mutex_trylock, (void *at)) { return lariat_try("pthread_mutex_trylock", at, 16); }
LARIAT_FUNCTION(int, pthread_mutex_unlock, (void *at)) { return lariat_unlock("pthread_mutex_unlock", at); }
LARIAT_FUNCTION(int, mtx_init, (void *at, int how)) { lariat_resets(at, 0); lariat_lock_at(at)->kind = how & 1; return 0; }
LARIAT_FUNCTION(void, mtx_destroy, (void *at)) { lariat_destroys(at); }
LARIAT_FUNCTION(int, mtx_lock, (void *at)) { return lariat_lock("mtx_lock", at); }
LARIAT_FUNCTION(int, mtx_trylock, (void *at)) { return lariat_try("mtx_trylock", at, 1); }
LARIAT_FUNCTION(int, mtx_unlock, (void *at)) { return lariat_unlock("mtx_unlock", at); }
LARIAT_FUNCTION(int, pthread_spin_init, (volatile void *at, int shared)) { return lariat_resets(at, 0); }
LARIAT_FUNCTION(int, pthread_spin_destroy, (volatile void *at)) { return 0; }
LARIAT_FUNCTION(int, pthread_spin_lock, (volatile void *at)) { return lariat_lock("pthread_spin_lock", at); }
LARIAT_FUNCTION(int, pthread_spin_trylock, (volatile void *at)) { return lariat_try("pthread_spin_trylock", at, 16); }
LARIAT_FUNCTION(int, pthread_spin_unlock, (volatile void *at)) { return lariat_unlock("pthread_spin_unlock", at); }

LARIAT_FUNCTION(int, pthread_cond_init, (void *at, const void *how)) { return 0; }
LARIAT_FUNCTION(int, pthread_cond_destroy, (void *at)) { return 0; }
LARIAT_FUNCTION(int, pthread_cond_signal, (void *at)) { lariat_calls("pthread_cond_signal", 0); lariat_wakes(2); return 0; }
LARIAT_FUNCTION(int, pthread_cond_broadcast, (void *at)) { lariat_calls("pthread_cond_broadcast", 0); lariat_wakes(2); return 0; }
LARIAT_FUNCTION(int, pthread_cond_wait, (void *at, void *mutex)) { return lariat_waits("pthread_cond_wait", mutex); }
LARIAT_FUNCTION(int, pthread_cond_timedwait, (void *at, void *mutex, const void *time)) { return lariat_waits("pthread_cond_timedwait", mutex); }
LARIAT_FUNCTION(int, cnd_init, (void *at)) { return 0; }
LARIAT_FUNCTION(void, cnd_destroy, (void *at)) {}
LARIAT_FUNCTION(int, cnd_signal, (void *at)) { lariat_calls("cnd_signal", 0); lariat_wakes(2); return 0; }
LARIAT_FUNCTION(int, cnd_broadcast, (void *at)) { lariat_calls("cnd_broadcast", 0); lariat_wakes(2); return 0; }
LARIAT_FUNCTION(int, cnd_wait, (void *at, void *mutex)) { return lariat_waits("cnd_wait", mutex); }
LARIAT_FUNCTION(int, cnd_timedwait, (void *at, void *mutex, const void *time)) { return lariat_waits("cnd_timedwait", mutex); }

LARIAT_PLAIN static int lariat_reads(struct lariat_lock *lock)
{
    if (lock->count && lock->holder != -1)
        return 0;
    lock->holder = -1;
    lock->count++;
    return 1;
}

LARIAT_PLAIN static int lariat_writes(struct lariat_lock *lock)
{
    if (lock->count)
        return 0;
    lock->holder = lariat_self + 1;
    lock->count++;
    return 1;
}

LARIAT_FUNCTION(int, pthread_rwlock_init, (void *at, const void *how)) { return lariat_resets(at, 0); }
LARIAT_FUNCTION(int, pthread_rwlock_destroy, (void *at)) { return lariat_destroys(at); }
LARIAT_FUNCTION(int, pthread_rwlock_rdlock, (void *at))
{
    lariat_calls("pthread_rwlock_rdlock", 0);
    while (!lariat_reads(lariat_lock_at(at)))
        lariat_is_blocked();
    return 0;
}
LARIAT_FUNCTION(int, pthread_rwlock_wrlock, (void *at))
{
    lariat_calls("pthread_rwlock_wrlock", 0);
    while (!lariat_writes(lariat_lock_at(at)))
        lariat_is_blocked();
    return 0;
}
LARIAT_FUNCTION(int, pthread_rwlock_tryrdlock, (void *at))
{ lariat_calls("pthread_rwlock_tryrdlock", 0); return lariat_reads(lariat_lock_at(at)) ? 0 : 16; }
LARIAT_FUNCTION(int, pthread_rwlock_trywrlock, (void *at))
{ lariat_calls("pthread_rwlock_trywrlock", 0); return lariat_writes(lariat_lock_at(at)) ? 0 : 16; }
LARIAT_FUNCTION(int, pthread_rwlock_unlock, (void *at)) { return lariat_unlock("pthread_rwlock_unlock", at); }

LARIAT_FUNCTION(int, sem_init, (void *at, int shared, unsigned value)) { return lariat_resets(at, (int)value); }
LARIAT_FUNCTION(int, sem_destroy, (void *at)) { return 0; }
LARIAT_FUNCTION(int, sem_wait, (void *at))
{
    lariat_calls("sem_wait", 0);
    while (lariat_lock_at(at)->count <= 0)
        lariat_is_blocked();
    lariat_lock_at(at)->count--;
    return 0;
}
LARIAT_FUNCTION(int, sem_trywait, (void *at))
{
    lariat_calls("sem_trywait", 0);
    if (lariat_lock_at(at)->count <= 0)
        return -1;
    lariat_lock_at(at)->count--;
    return 0;
}
LARIAT_FUNCTION(int, sem_post, (void *at)) { lariat_calls("sem_post", 0); lariat_lock_at(at)->count++; lariat_wakes(1); return 0; }
LARIAT_FUNCTION(int, sem_getvalue, (void *at, int *value)) { lariat_calls("sem_getvalue", 0); *value = lariat_lock_at(at)->count; return 0; }

LARIAT_FUNCTION(int, pthread_barrier_init, (void *at, const void *how, unsigned count))
{
    lariat_resets(at, (int)count);
    lariat_lock_at(at)->count = 0;
    return 0;
}
LARIAT_FUNCTION(int, pthread_barrier_destroy, (void *at)) { return 0; }
LARIAT_FUNCTION(int, pthread_barrier_wait, (void *at))
{
    struct lariat_lock *barrier = lariat_lock_at(at);
    int round;
    lariat_calls("pthread_barrier_wait", 0);
    round = barrier->round;
    if (++barrier->count == barrier->needed) {
        barrier->count = 0;
        barrier->round++;
        lariat_wakes(1);
        return -1;
    }
    lariat_calls("pthread_barrier_wait", 1);
    while (barrier->round == round)
        lariat_is_blocked();
    return 0;
}

LARIAT_PLAIN static void lariat_runs_once(const char *name, void *at, void (*run)(void))
{
    struct lariat_lock *flag = lariat_lock_at(at);
    lariat_calls(name, 0);
    if (flag->count == 0) {
        flag->count = 1;
        run();
        lariat_calls(name, 1);
        flag->count = 2;
        lariat_wakes(1);
    } else {
        lariat_calls(name, 1);
        while (flag->count != 2)
            lariat_is_blocked();
    }
}
LARIAT_FUNCTION(int, pthread_once, (void *at, void (*run)(void))) { lariat_runs_once("pthread_once", at, run); return 0; }
LARIAT_FUNCTION(void, call_once, (void *at, void (*run)(void))) { lariat_runs_once("call_once", at, run); }

/* The program calls them by these names. */
#define name lariat_name
#define pthread_create lariat_pthread_create
#define thrd_create lariat_thrd_create
#define pthread_join lariat_pthread_join
#define thrd_join lariat_thrd_join
#define pthread_exit lariat_pthread_exit
#define thrd_exit lariat_thrd_exit
#define pthread_self lariat_pthread_self
#define thrd_current lariat_thrd_current
#define pthread_detach lariat_pthread_detach
#define thrd_detach lariat_thrd_detach
#define pthread_mutexattr_init lariat_pthread_mutexattr_init
#define pthread_mutexattr_destroy lariat_pthread_mutexattr_destroy
#define pthread_mutexattr_settype lariat_pthread_mutexattr_settype
#define pthread_mutex_init lariat_pthread_mutex_init
#define pthread_mutex_destroy lariat_pthread_mutex_destroy
#define pthread_mutex_lock lariat_pthread_mutex_lock
#define pthread_mutex_trylock lariat_pthread_mutex_trylock
#define pthread_mutex_unlock lariat_pthread_mutex_unlock
#define mtx_init lariat_mtx_init
#define mtx_destroy lariat_mtx_destroy
#define mtx_lock lariat_mtx_lock
#define mtx_trylock lariat_mtx_trylock
#define mtx_unlock lariat_mtx_unlock
#define pthread_spin_init lariat_pthread_spin_init
#define pthread_spin_destroy lariat_pthread_spin_destroy
#define pthread_spin_lock lariat_pthread_spin_lock
#define pthread_spin_trylock lariat_pthread_spin_trylock
#define pthread_spin_unlock lariat_pthread_spin_unlock
#define pthread_cond_init lariat_pthread_cond_init
#define pthread_cond_destroy lariat_pthread_cond_destroy
#define pthread_cond_signal lariat_pthread_cond_signal
#define pthread_cond_broadcast lariat_pthread_cond_broadcast
#define pthread_cond_wait lariat_pthread_cond_wait
#define pthread_cond_timedwait lariat_pthread_cond_timedwait
#define cnd_init lariat_cnd_init
#define cnd_destroy lariat_cnd_destroy
#define cnd_signal lariat_cnd_signal
#define cnd_broadcast lariat_cnd_broadcast
#define cnd_wait lariat_cnd_wait
#define cnd_timedwait lariat_cnd_timedwait
#define pthread_rwlock_init lariat_pthread_rwlock_init
#define pthread_rwlock_destroy lariat_pthread_rwlock_destroy
#define pthread_rwlock_rdlock lariat_pthread_rwlock_rdlock
#define pthread_rwlock_wrlock lariat_pthread_rwlock_wrlock
#define pthread_rwlock_tryrdlock lariat_pthread_rwlock_tryrdlock
#define pthread_rwlock_trywrlock lariat_pthread_rwlock_trywrlock
#define pthread_rwlock_unlock lariat_pthread_rwlock_unlock
#define sem_init lariat_sem_init
#define sem_destroy lariat_sem_destroy
#define sem_wait lariat_sem_wait
#define sem_trywait lariat_sem_trywait
#define sem_post lariat_sem_post
#define sem_getvalue lariat_sem_getvalue
#define pthread_barrier_init lariat_pthread_barrier_init
#define pthread_barrier_destroy lariat_pthread_barrier_destroy
#define pthread_barrier_wait lariat_pthread_barrier_wait
#define pthread_once lariat_pthread_once
#define call_once lariat_call_once
