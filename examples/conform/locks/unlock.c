/* Unlocks a mutex. Bugs: FORGETS_COUNT releases a recursive mutex at the first unlock; FOREIGN releases what another
 * thread has locked. */
#include "mutex.h"

int mutex_unlock(struct mutex *mutex)
{
    switch (mutex->kind) {
    case FAST:
        raw_unlock();
        return OK;

    case RECURSIVE:
        if (mutex->owner != self())
            return EPERM;
#ifndef FORGETS_COUNT
        if (mutex->count > 0) {
            mutex->count--;
            return OK;
        }
#endif
        mutex->owner = 0;
        raw_unlock();
        return OK;

    case ERROR_CHECK:
#ifndef FOREIGN
        if (mutex->owner != self() || mutex->owner == 0)
            return EPERM;
#endif
        mutex->owner = 0;
        raw_unlock();
        return OK;

    default:
        return EINVAL;
    }
}

/* The component: any mutex. */
int unlock(int kind, int owner, int count)
{
    struct mutex mutex = { kind, owner, count };

    return mutex_unlock(&mutex);
}
