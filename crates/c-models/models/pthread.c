/*
 * POSIX threads and those of C11. A thread is known by the number that the verifier gives it: 1 is the first one's. What a function
 * does to a lock is one step, and the accesses between __lariat_atomic_begin() and __lariat_atomic_end() synchronise threads.
 *
 * Creating a thread does not fail. Waiting on a condition may end without a signal, as POSIX allows, so that signals need no
 * record. Locks are in the first words of their objects, which static initialisers set to zero; `waiting` counts those that wait
 * for ever.
 *
 * Deadlock: a thread that cannot go on may decide to wait for ever. If something happens later that it has waited for, that was a
 * mistake, and the execution shows nothing. A deadlock is that all threads that have not ended wait for ever, without mistake.
 */

#define EBUSY 16
#define EDEADLK 35
#define EPERM 1
#define EAGAIN 11
#define ETIMEDOUT 110
#define RECURSIVE 1
#define ERROR_CHECKING 2
#define DESTROYED (-1)
#define MOST_THREADS 128
#define MOST_KEYS 16

#define CHECKS_DEADLOCK __lariat_checks("deadlock")
#define CHECKS_LOCKS __lariat_checks("locks")

/* A mutex: the type is where glibc keeps it. Members, not elements of an array: so each is a variable of its own for the verifier. */
struct __lariat_mutex {
    int holder;
    int again;
    int waiting;
#if __SIZEOF_POINTER__ == 8
    int unused;
#endif
    int kind;
};

struct __lariat_rwlock {
    /* The number of readers, or the writer with a minus sign. */
    int held;
    int waiting;
};

struct __lariat_semaphore {
    int value;
    int waiting;
};

struct __lariat_barrier {
    int needed;
    int come;
    int round;
    int waiting;
};

/* Where deadlocks are checked: who waits for ever, who waits and will go on, and how many of these a signal has woken. */
struct __lariat_condition {
    int waiting;
    int others;
    int woken;
};

static _Bool __lariat_finished[MOST_THREADS];
static void *__lariat_results[MOST_THREADS];

/* ---- deadlock: only where that is checked ---- */

static int __lariat_alive = 1;
static int __lariat_waiting;
static _Bool __lariat_mistaken;
static _Bool __lariat_joined[MOST_THREADS];

/* One thread more waits for ever. The caller stops it, outside of its atomic block. */
static void __lariat_waits(void)
{
    __lariat_waiting++;
    __lariat_check(__lariat_mistaken || __lariat_waiting < __lariat_alive, "deadlock",
                   "all threads can wait for each other for ever");
}

/* What so many threads wait for happens. */
static void __lariat_wakes(int waiting)
{
    if (waiting != 0)
        __lariat_mistaken = 1;
}

static void __lariat_thread_starts(void)
{
    if (CHECKS_DEADLOCK) {
        __lariat_atomic_begin();
        __lariat_alive++;
        __lariat_atomic_end();
    }
}

/* The values that a thread has of its own, and what is done with each when the thread ends. */
static unsigned int __lariat_keys;
static _Thread_local void *__lariat_specific[MOST_KEYS];
static void (*__lariat_key_destructors[MOST_KEYS])(void *);

/* It is never called, but shows that what is called is known. */
static void __lariat_no_destructor(void *value)
{
}

/* Gives each value that is not null to its destructor, and again those that these set, four times at most. */
static void __lariat_run_key_destructors(void)
{
    unsigned int keys;
    __lariat_atomic_begin();
    keys = __lariat_keys;
    __lariat_atomic_end();
    int again = 1;
    for (int round = 0; round < 4 && again; round++) {
        again = 0;
        for (unsigned int key = 0; key < keys; key++) {
            void (*destructor)(void *) = __lariat_no_destructor;
            __lariat_atomic_begin();
            if (__lariat_key_destructors[key] != NULL)
                destructor = __lariat_key_destructors[key];
            __lariat_atomic_end();
            void *value = __lariat_specific[key];
            if (value != NULL && destructor != __lariat_no_destructor) {
                again = 1;
                __lariat_specific[key] = NULL;
                destructor(value);
            }
        }
    }
}

static void __lariat_thread_ends(void *result)
{
    unsigned long self = __lariat_thread_id();
    if (self >= MOST_THREADS)
        __lariat_unsupported("more than 127 threads");
    if (__lariat_uses("pthread_key_create"))
        __lariat_run_key_destructors();
    __lariat_end_thread_objects();
    __lariat_atomic_begin();
    __lariat_results[self] = result;
    __lariat_finished[self] = 1;
    if (CHECKS_DEADLOCK) {
        __lariat_wakes(__lariat_joined[self]);
        __lariat_alive--;
        __lariat_check(__lariat_mistaken || __lariat_waiting == 0 || __lariat_waiting < __lariat_alive, "deadlock",
                       "all threads that are left can wait for ever");
    }
    __lariat_atomic_end();
}

/* What a thread executes. The verifier starts a thread where this is called; the result is the thread's number then. */
unsigned long __lariat_thread(void *(*start)(void *), void *arg)
{
    __lariat_thread_ends(start(arg));
    return 0;
}

/* The same for the threads of C11. */
unsigned long __lariat_c11_thread(int (*start)(void *), void *arg)
{
    __lariat_thread_ends((void *)(long)start(arg));
    return 0;
}

/* Starts a thread; 0. */
int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *arg)
{
    __lariat_thread_starts();
    *thread = __lariat_thread(start, arg);
    return 0;
}

static void __lariat_must_be_thread(unsigned long thread)
{
    if (thread == 0 || thread >= MOST_THREADS)
        __lariat_unsupported("waiting for the end of what is no thread");
}

/* Waits for the end of a thread, and gives its result. */
static void *__lariat_join(unsigned long thread)
{
    void *result = NULL;
    int waits = 0;
    __lariat_must_be_thread(thread);
    __lariat_atomic_begin();
    if (CHECKS_DEADLOCK && !__lariat_finished[thread]) {
        __lariat_joined[thread] = 1;
        __lariat_waits();
        waits = 1;
    } else {
        __lariat_assume(__lariat_finished[thread]);
        result = __lariat_results[thread];
    }
    __lariat_atomic_end();
    if (waits)
        __lariat_thread_stop();
    return result;
}

/* A thread that waits for its own end is told so, as by glibc; where deadlocks are checked, it is one. */
static int __lariat_joins_itself(unsigned long thread)
{
    return !CHECKS_DEADLOCK && thread == __lariat_thread_id();
}

/* Waits for the end of a thread; 0. */
int pthread_join(unsigned long thread, void **result)
{
    if (__lariat_joins_itself(thread))
        return EDEADLK;
    void *ignored;
    void **target = result != NULL ? result : &ignored;
    *target = __lariat_join(thread);
    return 0;
}

/* The same if the thread has ended. */
int pthread_tryjoin_np(unsigned long thread, void **result)
{
    int has_ended;
    __lariat_must_be_thread(thread);
    __lariat_atomic_begin();
    has_ended = __lariat_finished[thread];
    __lariat_atomic_end();
    return has_ended ? pthread_join(thread, result) : EBUSY;
}

/* The same, or for some time. */
int pthread_timedjoin_np(unsigned long thread, void **result, const void *time)
{
    if (__VERIFIER_nondet_bool())
        return pthread_tryjoin_np(thread, result) == 0 ? 0 : ETIMEDOUT;
    __lariat_must_be_thread(thread);
    __lariat_atomic_begin();
    __lariat_assume(__lariat_finished[thread]);
    __lariat_atomic_end();
    return pthread_join(thread, result);
}

/* Ends the running thread. */
void pthread_exit(void *result)
{
    __lariat_thread_ends(result);
    __lariat_thread_stop();
}

/* The running thread. */
unsigned long pthread_self(void)
{
    return __lariat_thread_id();
}

int pthread_equal(unsigned long left, unsigned long right)
{
    return left == right;
}

/* Nobody will wait for the thread; 0. */
int pthread_detach(unsigned long thread)
{
    return 0;
}

/* Others may run, as they always may. */
int sched_yield(void)
{
    return 0;
}

/* ---- mutexes ---- */

int pthread_mutex_init(struct __lariat_mutex *mutex, const int *attributes)
{
    mutex->holder = 0;
    mutex->again = 0;
    mutex->waiting = 0;
    int none = 0;
    const int *kind = attributes != NULL ? attributes : &none;
    mutex->kind = *kind;
    return 0;
}

int pthread_mutex_destroy(struct __lariat_mutex *mutex)
{
    if (CHECKS_LOCKS) {
        __lariat_atomic_begin();
        __lariat_check(mutex->holder <= 0, "locks", "a mutex can be destroyed while a thread holds it");
        mutex->holder = DESTROYED;
        __lariat_atomic_end();
    }
    return 0;
}

/* Waits until the mutex is free and takes it. One that a thread holds itself depends on its type: never, an error or once more. */
int pthread_mutex_lock(struct __lariat_mutex *mutex)
{
    int self = (int)__lariat_thread_id();
    int result = 0;
    int waits = 0;
    __lariat_atomic_begin();
    if (CHECKS_LOCKS)
        __lariat_check(mutex->holder != DESTROYED, "locks", "a mutex can be locked after it was destroyed");
    if (mutex->holder == self) {
        int kind = mutex->kind;
        if (kind == RECURSIVE) {
            mutex->again++;
        } else if (kind == ERROR_CHECKING) {
            result = EDEADLK;
        } else {
            __lariat_check(0, "locks", "a mutex can be locked twice by the same thread");
            if (CHECKS_DEADLOCK) {
                __lariat_waits();
                waits = 1;
            } else {
                __lariat_assume(0);
            }
        }
    } else if (CHECKS_DEADLOCK && mutex->holder != 0) {
        mutex->waiting++;
        __lariat_waits();
        waits = 1;
    } else {
        __lariat_assume(mutex->holder == 0);
        mutex->holder = self;
    }
    __lariat_atomic_end();
    if (waits)
        __lariat_thread_stop();
    return result;
}

/* Takes the mutex if it is free. */
int pthread_mutex_trylock(struct __lariat_mutex *mutex)
{
    int self = (int)__lariat_thread_id();
    int busy = 0;
    __lariat_atomic_begin();
    if (mutex->holder == 0)
        mutex->holder = self;
    else if (mutex->holder == self && mutex->kind == RECURSIVE)
        mutex->again++;
    else
        busy = EBUSY;
    __lariat_atomic_end();
    return busy;
}

/* Waits until the mutex is free, or for some time, so never for ever. */
int pthread_mutex_timedlock(struct __lariat_mutex *mutex, const void *time)
{
    int self = (int)__lariat_thread_id();
    int result = 0;
    __lariat_atomic_begin();
    if (CHECKS_LOCKS)
        __lariat_check(mutex->holder != DESTROYED, "locks", "a mutex can be locked after it was destroyed");
    if (mutex->holder == self && mutex->kind != 0) {
        if (mutex->kind == RECURSIVE)
            mutex->again++;
        else
            result = EDEADLK;
    } else if (mutex->holder != 0 && __VERIFIER_nondet_bool()) {
        result = ETIMEDOUT;
    } else {
        __lariat_assume(mutex->holder == 0);
        mutex->holder = self;
    }
    __lariat_atomic_end();
    return result;
}

/* The same by another clock. */
int pthread_mutex_clocklock(struct __lariat_mutex *mutex, int clock, const void *time)
{
    return pthread_mutex_timedlock(mutex, time);
}

int pthread_mutex_unlock(struct __lariat_mutex *mutex)
{
    int self = (int)__lariat_thread_id();
    int result = 0;
    __lariat_atomic_begin();
    if (mutex->holder != self && mutex->kind != 0) {
        result = EPERM;
    } else if (mutex->again != 0) {
        mutex->again--;
    } else {
        __lariat_check(mutex->holder == self, "locks", "a mutex can be unlocked by a thread that does not hold it");
        if (CHECKS_DEADLOCK)
            __lariat_wakes(mutex->waiting);
        mutex->holder = 0;
    }
    __lariat_atomic_end();
    return result;
}

/* ---- spin locks: the number of the holder, negative if somebody waits for ever ---- */

int pthread_spin_init(volatile int *lock, int shared)
{
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(volatile int *lock)
{
    return 0;
}

int pthread_spin_lock(volatile int *lock)
{
    int waits = 0;
    __lariat_atomic_begin();
    __lariat_check(*lock != (int)__lariat_thread_id(), "locks", "a spin lock can be locked twice by the same thread");
    if (CHECKS_DEADLOCK && *lock != 0) {
        if (*lock > 0)
            *lock = -*lock;
        __lariat_waits();
        waits = 1;
    } else {
        __lariat_assume(*lock == 0);
        *lock = (int)__lariat_thread_id();
    }
    __lariat_atomic_end();
    if (waits)
        __lariat_thread_stop();
    return 0;
}

int pthread_spin_trylock(volatile int *lock)
{
    int busy = EBUSY;
    __lariat_atomic_begin();
    if (*lock == 0) {
        *lock = (int)__lariat_thread_id();
        busy = 0;
    }
    __lariat_atomic_end();
    return busy;
}

int pthread_spin_unlock(volatile int *lock)
{
    __lariat_atomic_begin();
    __lariat_check(*lock == (int)__lariat_thread_id() || *lock == -(int)__lariat_thread_id(), "locks",
                   "a spin lock can be unlocked by a thread that does not hold it");
    if (CHECKS_DEADLOCK)
        __lariat_wakes(*lock < 0);
    *lock = 0;
    __lariat_atomic_end();
    return 0;
}

/* ---- conditions ---- */

int pthread_cond_init(struct __lariat_condition *condition, const void *attributes)
{
    if (CHECKS_DEADLOCK) {
        condition->waiting = 0;
        condition->others = 0;
        condition->woken = 0;
    }
    return 0;
}

int pthread_cond_destroy(struct __lariat_condition *condition)
{
    return 0;
}

/* Wakes one of those that wait: one that waits for ever only if there is no other. */
int pthread_cond_signal(struct __lariat_condition *condition)
{
    if (CHECKS_DEADLOCK) {
        __lariat_atomic_begin();
        if (condition->others != 0) {
            condition->others--;
            condition->woken++;
        } else {
            __lariat_wakes(condition->waiting);
        }
        __lariat_atomic_end();
    }
    return 0;
}

int pthread_cond_broadcast(struct __lariat_condition *condition)
{
    if (CHECKS_DEADLOCK) {
        __lariat_atomic_begin();
        condition->woken += condition->others;
        condition->others = 0;
        __lariat_wakes(condition->waiting);
        __lariat_atomic_end();
    }
    return 0;
}

/* One that waits goes on, as one of those that were woken or else without a signal, and takes the mutex. */
static void __lariat_goes_on(struct __lariat_condition *condition, struct __lariat_mutex *mutex)
{
    int waits = 0;
    __lariat_atomic_begin();
    if (condition->woken != 0)
        condition->woken--;
    else
        condition->others--;
    if (mutex->holder != 0) {
        mutex->waiting++;
        __lariat_waits();
        waits = 1;
    } else {
        mutex->holder = (int)__lariat_thread_id();
    }
    __lariat_atomic_end();
    if (waits)
        __lariat_thread_stop();
}

/* Gives the mutex back and waits, with or without a signal, until it has it again. */
int pthread_cond_wait(struct __lariat_condition *condition, struct __lariat_mutex *mutex)
{
    int waits = 0;
    __lariat_atomic_begin();
    __lariat_check(mutex->holder == (int)__lariat_thread_id(), "locks",
                   "a thread can wait on a condition without holding its mutex");
    if (CHECKS_DEADLOCK)
        __lariat_wakes(mutex->waiting);
    mutex->holder = 0;
    if (CHECKS_DEADLOCK) {
        waits = __VERIFIER_nondet_bool();
        if (waits) {
            condition->waiting++;
            __lariat_waits();
        } else {
            condition->others++;
        }
    }
    __lariat_atomic_end();
    if (waits)
        __lariat_thread_stop();
    if (CHECKS_DEADLOCK)
        __lariat_goes_on(condition, mutex);
    else
        pthread_mutex_lock(mutex);
    return 0;
}

/* The same, or for some time. */
int pthread_cond_timedwait(struct __lariat_condition *condition, struct __lariat_mutex *mutex, const void *time)
{
    __lariat_atomic_begin();
    __lariat_check(mutex->holder == (int)__lariat_thread_id(), "locks",
                   "a thread can wait on a condition without holding its mutex");
    if (CHECKS_DEADLOCK) {
        __lariat_wakes(mutex->waiting);
        condition->others++;
    }
    mutex->holder = 0;
    __lariat_atomic_end();
    if (CHECKS_DEADLOCK)
        __lariat_goes_on(condition, mutex);
    else
        pthread_mutex_lock(mutex);
    return __VERIFIER_nondet_bool() ? ETIMEDOUT : 0;
}

int pthread_cond_clockwait(struct __lariat_condition *condition, struct __lariat_mutex *mutex, int clock, const void *time)
{
    return pthread_cond_timedwait(condition, mutex, time);
}

/* ---- locks for readers and writers ---- */

/* How many locks the running thread has as a reader; only where misuse is checked. */
static _Thread_local int __lariat_reads;

static void __lariat_reads_more(int more)
{
    if (CHECKS_LOCKS)
        __lariat_reads += more;
}

int pthread_rwlock_init(struct __lariat_rwlock *lock, const void *attributes)
{
    lock->held = 0;
    lock->waiting = 0;
    return 0;
}

int pthread_rwlock_destroy(struct __lariat_rwlock *lock)
{
    __lariat_atomic_begin();
    __lariat_check(lock->held == 0, "locks", "a lock can be destroyed while a thread holds it");
    __lariat_atomic_end();
    return 0;
}

int pthread_rwlock_rdlock(struct __lariat_rwlock *lock)
{
    int waits = 0;
    __lariat_atomic_begin();
    if (CHECKS_DEADLOCK && lock->held < 0) {
        lock->waiting++;
        __lariat_waits();
        waits = 1;
    } else {
        __lariat_assume(lock->held >= 0);
        lock->held++;
    }
    __lariat_atomic_end();
    if (waits)
        __lariat_thread_stop();
    __lariat_reads_more(1);
    return 0;
}

int pthread_rwlock_wrlock(struct __lariat_rwlock *lock)
{
    int waits = 0;
    __lariat_atomic_begin();
    if (CHECKS_DEADLOCK && lock->held != 0) {
        lock->waiting++;
        __lariat_waits();
        waits = 1;
    } else {
        __lariat_assume(lock->held == 0);
        lock->held = -(int)__lariat_thread_id();
    }
    __lariat_atomic_end();
    if (waits)
        __lariat_thread_stop();
    return 0;
}

int pthread_rwlock_tryrdlock(struct __lariat_rwlock *lock)
{
    int busy = EBUSY;
    __lariat_atomic_begin();
    if (lock->held >= 0) {
        lock->held++;
        busy = 0;
    }
    __lariat_atomic_end();
    if (!busy)
        __lariat_reads_more(1);
    return busy;
}

int pthread_rwlock_trywrlock(struct __lariat_rwlock *lock)
{
    int busy = EBUSY;
    __lariat_atomic_begin();
    if (lock->held == 0) {
        lock->held = -(int)__lariat_thread_id();
        busy = 0;
    }
    __lariat_atomic_end();
    return busy;
}

/* Waits until no writer has the lock, or for some time. */
int pthread_rwlock_timedrdlock(struct __lariat_rwlock *lock, const void *time)
{
    int result = 0;
    __lariat_atomic_begin();
    if (lock->held < 0 && __VERIFIER_nondet_bool()) {
        result = ETIMEDOUT;
    } else {
        __lariat_assume(lock->held >= 0);
        lock->held++;
    }
    __lariat_atomic_end();
    if (!result)
        __lariat_reads_more(1);
    return result;
}

/* Waits until nobody has the lock, or for some time. */
int pthread_rwlock_timedwrlock(struct __lariat_rwlock *lock, const void *time)
{
    int result = 0;
    __lariat_atomic_begin();
    if (lock->held != 0 && __VERIFIER_nondet_bool()) {
        result = ETIMEDOUT;
    } else {
        __lariat_assume(lock->held == 0);
        lock->held = -(int)__lariat_thread_id();
    }
    __lariat_atomic_end();
    return result;
}

int pthread_rwlock_unlock(struct __lariat_rwlock *lock)
{
    __lariat_atomic_begin();
    __lariat_check(lock->held != 0, "locks", "a lock can be unlocked though nobody holds it");
    if (CHECKS_LOCKS)
        __lariat_check(lock->held > 0 ? __lariat_reads > 0 : lock->held == -(int)__lariat_thread_id(), "locks",
                       "a lock can be unlocked by a thread that does not hold it");
    if (lock->held > 0) {
        lock->held--;
        __lariat_reads_more(-1);
    } else {
        lock->held = 0;
    }
    if (CHECKS_DEADLOCK && lock->held == 0)
        __lariat_wakes(lock->waiting);
    __lariat_atomic_end();
    return 0;
}

/* ---- semaphores ---- */

int sem_init(struct __lariat_semaphore *semaphore, int shared, unsigned int value)
{
    semaphore->value = (int)value;
    semaphore->waiting = 0;
    return 0;
}

int sem_destroy(struct __lariat_semaphore *semaphore)
{
    return 0;
}

int sem_wait(struct __lariat_semaphore *semaphore)
{
    int waits = 0;
    __lariat_atomic_begin();
    if (CHECKS_DEADLOCK && semaphore->value <= 0) {
        semaphore->waiting++;
        __lariat_waits();
        waits = 1;
    } else {
        __lariat_assume(semaphore->value > 0);
        semaphore->value--;
    }
    __lariat_atomic_end();
    if (waits)
        __lariat_thread_stop();
    return 0;
}

int sem_trywait(struct __lariat_semaphore *semaphore)
{
    int busy = -1;
    __lariat_atomic_begin();
    if (semaphore->value > 0) {
        semaphore->value--;
        busy = 0;
    }
    __lariat_atomic_end();
    if (busy)
        __lariat_fail_with(EAGAIN);
    return busy;
}

/* Waits until the semaphore is positive, or for some time, so never for ever. */
int sem_timedwait(struct __lariat_semaphore *semaphore, const void *time)
{
    int late = 0;
    __lariat_atomic_begin();
    if (semaphore->value <= 0 && __VERIFIER_nondet_bool()) {
        late = -1;
    } else {
        __lariat_assume(semaphore->value > 0);
        semaphore->value--;
    }
    __lariat_atomic_end();
    if (late)
        __lariat_fail_with(ETIMEDOUT);
    return late;
}

int sem_clockwait(struct __lariat_semaphore *semaphore, int clock, const void *time)
{
    return sem_timedwait(semaphore, time);
}

int sem_post(struct __lariat_semaphore *semaphore)
{
    __lariat_atomic_begin();
    semaphore->value++;
    if (CHECKS_DEADLOCK)
        __lariat_wakes(semaphore->waiting);
    __lariat_atomic_end();
    return 0;
}

int sem_getvalue(struct __lariat_semaphore *semaphore, int *value)
{
    int found;
    __lariat_atomic_begin();
    found = semaphore->value;
    __lariat_atomic_end();
    *value = found;
    return 0;
}

/* ---- barriers ---- */

int pthread_barrier_init(struct __lariat_barrier *barrier, const void *attributes, unsigned int count)
{
    barrier->needed = (int)count;
    barrier->come = 0;
    barrier->round = 0;
    barrier->waiting = 0;
    return 0;
}

int pthread_barrier_destroy(struct __lariat_barrier *barrier)
{
    return 0;
}

/* Waits until all have come; -1 for one of them, 0 for the others. */
int pthread_barrier_wait(struct __lariat_barrier *barrier)
{
    int round;
    int last;
    int waits = 0;
    __lariat_atomic_begin();
    round = barrier->round;
    last = ++barrier->come == barrier->needed;
    if (last) {
        barrier->come = 0;
        barrier->round = round + 1;
        if (CHECKS_DEADLOCK)
            __lariat_wakes(barrier->waiting);
    }
    __lariat_atomic_end();
    if (!last) {
        __lariat_atomic_begin();
        if (CHECKS_DEADLOCK && barrier->round == round) {
            barrier->waiting++;
            __lariat_waits();
            waits = 1;
        } else {
            __lariat_assume(barrier->round != round);
        }
        __lariat_atomic_end();
        if (waits)
            __lariat_thread_stop();
    }
    return last ? -1 : 0;
}

/* ---- what runs once ---- */

/* Runs the function unless that was done before with this flag; 0. */
int pthread_once(int *flag, void (*run)(void))
{
    int is_first;
    __lariat_atomic_begin();
    is_first = *flag == 0;
    if (is_first)
        *flag = 1;
    __lariat_atomic_end();
    if (is_first)
        run();
    __lariat_atomic_begin();
    if (is_first)
        *flag = 2;
    else
        __lariat_assume(*flag == 2);
    __lariat_atomic_end();
    return 0;
}

/* Runs the function unless that was done before with this flag. */
void call_once(int *flag, void (*run)(void))
{
    pthread_once(flag, run);
}

/* ---- values that each thread has of its own ---- */

/* Makes a key; the value of every thread is null. */
int pthread_key_create(unsigned int *key, void (*destructor)(void *))
{
    unsigned int fresh;
    __lariat_atomic_begin();
    fresh = __lariat_keys;
    if (fresh >= MOST_KEYS)
        __lariat_unsupported("more than 16 keys");
    __lariat_key_destructors[fresh] = destructor;
    __lariat_keys = fresh + 1;
    __lariat_atomic_end();
    *key = fresh;
    return 0;
}

/* The key is not used any more, and nothing is done with its values; 0. */
int pthread_key_delete(unsigned int key)
{
    if (key >= MOST_KEYS)
        return EINVAL;
    __lariat_atomic_begin();
    __lariat_key_destructors[key] = NULL;
    __lariat_atomic_end();
    return 0;
}

/* The running thread's value. */
void *pthread_getspecific(unsigned int key)
{
    if (key >= MOST_KEYS)
        return NULL;
    return __lariat_specific[key];
}

int pthread_setspecific(unsigned int key, const void *value)
{
    if (key >= MOST_KEYS)
        return EINVAL;
    __lariat_specific[key] = (void *)value;
    return 0;
}

/* ---- C11's threads.h ---- */

#define THRD_BUSY 1
#define THRD_ERROR 2
#define THRD_TIMEDOUT 4

int thrd_create(unsigned long *thread, int (*start)(void *), void *arg)
{
    __lariat_thread_starts();
    *thread = __lariat_c11_thread(start, arg);
    return 0;
}

int thrd_join(unsigned long thread, int *result)
{
    if (__lariat_joins_itself(thread))
        return THRD_ERROR;
    int ignored;
    int *target = result != NULL ? result : &ignored;
    *target = (int)(long)__lariat_join(thread);
    return 0;
}

void thrd_exit(int result)
{
    __lariat_thread_ends((void *)(long)result);
    __lariat_thread_stop();
}

unsigned long thrd_current(void)
{
    return __lariat_thread_id();
}

int thrd_equal(unsigned long left, unsigned long right)
{
    return left == right;
}

int thrd_detach(unsigned long thread)
{
    return 0;
}

void thrd_yield(void)
{
}

/* Waits for some time, or until a signal comes. */
int thrd_sleep(const void *time, void *rest)
{
    return 0;
}

int mtx_init(struct __lariat_mutex *mutex, int type)
{
    pthread_mutex_init(mutex, NULL);
    mutex->kind = type & 1 ? RECURSIVE : 0;
    return 0;
}

void mtx_destroy(struct __lariat_mutex *mutex)
{
    pthread_mutex_destroy(mutex);
}

int mtx_lock(struct __lariat_mutex *mutex)
{
    return pthread_mutex_lock(mutex) == 0 ? 0 : THRD_ERROR;
}

int mtx_trylock(struct __lariat_mutex *mutex)
{
    return pthread_mutex_trylock(mutex) == 0 ? 0 : THRD_BUSY;
}

int mtx_timedlock(struct __lariat_mutex *mutex, const void *time)
{
    return pthread_mutex_timedlock(mutex, time) == 0 ? 0 : THRD_TIMEDOUT;
}

int mtx_unlock(struct __lariat_mutex *mutex)
{
    return pthread_mutex_unlock(mutex) == 0 ? 0 : THRD_ERROR;
}

int cnd_init(struct __lariat_condition *condition)
{
    return pthread_cond_init(condition, NULL);
}

void cnd_destroy(struct __lariat_condition *condition)
{
}

int cnd_signal(struct __lariat_condition *condition)
{
    return pthread_cond_signal(condition);
}

int cnd_broadcast(struct __lariat_condition *condition)
{
    return pthread_cond_signal(condition);
}

int cnd_wait(struct __lariat_condition *condition, struct __lariat_mutex *mutex)
{
    return pthread_cond_wait(condition, mutex);
}

int cnd_timedwait(struct __lariat_condition *condition, struct __lariat_mutex *mutex, const void *time)
{
    return pthread_cond_timedwait(condition, mutex, time) == 0 ? 0 : THRD_TIMEDOUT;
}

int tss_create(unsigned int *key, void (*destructor)(void *))
{
    return pthread_key_create(key, destructor);
}

void tss_delete(unsigned int key)
{
    pthread_key_delete(key);
}

void *tss_get(unsigned int key)
{
    return pthread_getspecific(key);
}

int tss_set(unsigned int key, void *value)
{
    return pthread_setspecific(key, value) == 0 ? 0 : THRD_ERROR;
}
