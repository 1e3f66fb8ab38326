/*
 * POSIX threads. A thread is known by the number that the verifier gives it: 1 is the first one's. What a function does to a lock is one step.
 *
 * Creating a thread does not fail. Waiting on a condition may end without a signal, as POSIX allows, so that signals need no
 * record. Locks are in the first words of their objects, which static initialisers set to zero: the number of the thread that holds
 * a mutex, and how often it has locked it again.
 */

#define EBUSY 16
#define EDEADLK 35
#define EPERM 1
#define ETIMEDOUT 110
/* Where glibc keeps the type of a mutex. */
#define MUTEX_KIND (sizeof(long) == 8 ? 4 : 3)
#define RECURSIVE 1
#define ERROR_CHECKING 2
#define MOST_THREADS 128

static _Bool __lariat_finished[MOST_THREADS];
static void *__lariat_results[MOST_THREADS];

static void __lariat_thread_ends(void *result)
{
    unsigned long self = __lariat_thread_id();
    if (self >= MOST_THREADS)
        __lariat_unsupported("more than 127 threads");
    __lariat_atomic_begin();
    __lariat_results[self] = result;
    __lariat_finished[self] = 1;
    __lariat_atomic_end();
}

/* What a thread executes. The verifier starts a thread where this is called; the result is the thread's number then. */
unsigned long __lariat_thread(void *(*start)(void *), void *arg)
{
    __lariat_thread_ends(start(arg));
    return 0;
}

/* Starts a thread; 0. */
int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *arg)
{
    *thread = __lariat_thread(start, arg);
    return 0;
}

/* Waits for the end of a thread; 0. */
int pthread_join(unsigned long thread, void **result)
{
    __lariat_assume(thread > 0 && thread < MOST_THREADS);
    __lariat_assume(__lariat_finished[thread]);
    if (result != NULL)
        *result = __lariat_results[thread];
    return 0;
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

/* ---- mutexes ---- */

int pthread_mutex_init(int *mutex, const int *attributes)
{
    mutex[0] = 0;
    mutex[1] = 0;
    mutex[MUTEX_KIND] = attributes == NULL ? 0 : attributes[0];
    return 0;
}

int pthread_mutex_destroy(int *mutex)
{
    return 0;
}

int pthread_mutexattr_init(int *attributes)
{
    attributes[0] = 0;
    return 0;
}

int pthread_mutexattr_destroy(int *attributes)
{
    return 0;
}

int pthread_mutexattr_settype(int *attributes, int kind)
{
    attributes[0] = kind;
    return 0;
}

/* Waits until the mutex is free and takes it. One that a thread holds itself depends on its type: never, an error or once more. */
int pthread_mutex_lock(int *mutex)
{
    int self = (int)__lariat_thread_id();
    __lariat_atomic_begin();
    if (mutex[0] == self) {
        int kind = mutex[MUTEX_KIND];
        __lariat_assume(kind == RECURSIVE || kind == ERROR_CHECKING);
        if (kind == RECURSIVE)
            mutex[1]++;
        __lariat_atomic_end();
        return kind == RECURSIVE ? 0 : EDEADLK;
    }
    __lariat_assume(mutex[0] == 0);
    mutex[0] = self;
    __lariat_atomic_end();
    return 0;
}

/* Takes the mutex if it is free. */
int pthread_mutex_trylock(int *mutex)
{
    int self = (int)__lariat_thread_id();
    int busy = 0;
    __lariat_atomic_begin();
    if (mutex[0] == 0)
        mutex[0] = self;
    else if (mutex[0] == self && mutex[MUTEX_KIND] == RECURSIVE)
        mutex[1]++;
    else
        busy = EBUSY;
    __lariat_atomic_end();
    return busy;
}

int pthread_mutex_unlock(int *mutex)
{
    __lariat_atomic_begin();
    if (mutex[1] != 0)
        mutex[1]--;
    else
        mutex[0] = 0;
    __lariat_atomic_end();
    return 0;
}

/* ---- spin locks ---- */

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
    __lariat_atomic_begin();
    __lariat_assume(*lock == 0);
    *lock = 1;
    __lariat_atomic_end();
    return 0;
}

int pthread_spin_trylock(volatile int *lock)
{
    int busy = EBUSY;
    __lariat_atomic_begin();
    if (*lock == 0) {
        *lock = 1;
        busy = 0;
    }
    __lariat_atomic_end();
    return busy;
}

int pthread_spin_unlock(volatile int *lock)
{
    *lock = 0;
    return 0;
}

/* ---- conditions ---- */

int pthread_cond_init(int *condition, const void *attributes)
{
    return 0;
}

int pthread_cond_destroy(int *condition)
{
    return 0;
}

int pthread_cond_signal(int *condition)
{
    return 0;
}

int pthread_cond_broadcast(int *condition)
{
    return 0;
}

/* Gives the mutex back and waits, with or without a signal, until it has it again. */
int pthread_cond_wait(int *condition, int *mutex)
{
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return 0;
}

int pthread_cond_timedwait(int *condition, int *mutex, const void *time)
{
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return __VERIFIER_nondet_bool() ? ETIMEDOUT : 0;
}

/* ---- locks for readers and writers: the first word is -1 for a writer, or the number of readers ---- */

int pthread_rwlock_init(int *lock, const void *attributes)
{
    lock[0] = 0;
    return 0;
}

int pthread_rwlock_destroy(int *lock)
{
    return 0;
}

int pthread_rwlock_rdlock(int *lock)
{
    __lariat_atomic_begin();
    __lariat_assume(lock[0] >= 0);
    lock[0]++;
    __lariat_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(int *lock)
{
    __lariat_atomic_begin();
    __lariat_assume(lock[0] == 0);
    lock[0] = -1;
    __lariat_atomic_end();
    return 0;
}

int pthread_rwlock_tryrdlock(int *lock)
{
    int busy = EBUSY;
    __lariat_atomic_begin();
    if (lock[0] >= 0) {
        lock[0]++;
        busy = 0;
    }
    __lariat_atomic_end();
    return busy;
}

int pthread_rwlock_trywrlock(int *lock)
{
    int busy = EBUSY;
    __lariat_atomic_begin();
    if (lock[0] == 0) {
        lock[0] = -1;
        busy = 0;
    }
    __lariat_atomic_end();
    return busy;
}

int pthread_rwlock_unlock(int *lock)
{
    __lariat_atomic_begin();
    if (lock[0] > 0)
        lock[0]--;
    else
        lock[0] = 0;
    __lariat_atomic_end();
    return 0;
}

/* ---- semaphores: the first word is the value ---- */

int sem_init(int *semaphore, int shared, unsigned int value)
{
    semaphore[0] = (int)value;
    return 0;
}

int sem_destroy(int *semaphore)
{
    return 0;
}

int sem_wait(int *semaphore)
{
    __lariat_atomic_begin();
    __lariat_assume(semaphore[0] > 0);
    semaphore[0]--;
    __lariat_atomic_end();
    return 0;
}

int sem_trywait(int *semaphore)
{
    int busy = -1;
    __lariat_atomic_begin();
    if (semaphore[0] > 0) {
        semaphore[0]--;
        busy = 0;
    }
    __lariat_atomic_end();
    return busy;
}

int sem_post(int *semaphore)
{
    __lariat_atomic_begin();
    semaphore[0]++;
    __lariat_atomic_end();
    return 0;
}

int sem_getvalue(int *semaphore, int *value)
{
    *value = semaphore[0];
    return 0;
}

/* ---- barriers: how many must come, how many have, and how often all have ---- */

int pthread_barrier_init(int *barrier, const void *attributes, unsigned int count)
{
    barrier[0] = (int)count;
    barrier[1] = 0;
    barrier[2] = 0;
    return 0;
}

int pthread_barrier_destroy(int *barrier)
{
    return 0;
}

/* Waits until all have come; -1 for one of them, 0 for the others. */
int pthread_barrier_wait(int *barrier)
{
    __lariat_atomic_begin();
    int round = barrier[2];
    int last = ++barrier[1] == barrier[0];
    if (last) {
        barrier[1] = 0;
        barrier[2] = round + 1;
    }
    __lariat_atomic_end();
    if (!last)
        __lariat_assume(barrier[2] != round);
    return last ? -1 : 0;
}
