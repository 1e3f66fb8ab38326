/* Locks a mutex. Bugs: NO_DEADLOCK_CHECK waits for itself; COUNT_WRONG takes the lock again instead of counting. */
#include "mutex.h"

int mutex_lock(struct mutex *mutex)
{
    int me = self();

    switch (mutex->kind) {
    case FAST:
        raw_lock();
        return OK;

    case RECURSIVE:
        if (mutex->owner == me) {
            mutex->count++;
#ifdef COUNT_WRONG
            raw_lock();
#endif
            return OK;
        }
        raw_lock();
        mutex->owner = me;
        mutex->count = 0;
        return OK;

    case ERROR_CHECK:
#ifndef NO_DEADLOCK_CHECK
        if (mutex->owner == me)
            return EDEADLK;
#endif
        raw_lock();
        mutex->owner = me;
        return OK;

    default:
        return EINVAL;
    }
}

/* The component: any mutex. */
int lock(int kind, int owner, int count)
{
    struct mutex mutex = { kind, owner, count };

    return mutex_lock(&mutex);
}
