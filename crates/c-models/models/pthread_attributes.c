/*
 * What threads, locks and conditions can be made with. An attribute that can be asked for is in the first words of its object; of those the
 * models of `pthread.c` obey the type of a mutex.
 */

#define ERANGE 34
#define MOST_NAME 15

/* ---- threads ---- */

struct __lariat_thread_attributes {
    int detached;
    size_t stack;
};

int pthread_attr_init(struct __lariat_thread_attributes *attributes)
{
    attributes->detached = 0;
    attributes->stack = 8388608;
    return 0;
}

int pthread_attr_destroy(struct __lariat_thread_attributes *attributes)
{
    return 0;
}

int pthread_attr_setdetachstate(struct __lariat_thread_attributes *attributes, int state)
{
    if (state != 0 && state != 1)
        return EINVAL;
    attributes->detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const struct __lariat_thread_attributes *attributes, int *state)
{
    *state = attributes->detached;
    return 0;
}

/* The smallest stack differs among systems: a small one may be refused. */
int pthread_attr_setstacksize(struct __lariat_thread_attributes *attributes, size_t size)
{
    if (size < 131072 && __VERIFIER_nondet_bool())
        return EINVAL;
    attributes->stack = size;
    return 0;
}

int pthread_attr_getstacksize(const struct __lariat_thread_attributes *attributes, size_t *size)
{
    *size = attributes->stack;
    return 0;
}

/* What may not be allowed fails. */
static int __lariat_may_fail(void)
{
    return __VERIFIER_nondet_bool() ? EINVAL : 0;
}

int pthread_attr_setscope(struct __lariat_thread_attributes *attributes, int scope)
{
    return __lariat_may_fail();
}

int pthread_attr_setinheritsched(struct __lariat_thread_attributes *attributes, int inherit)
{
    return __lariat_may_fail();
}

int pthread_attr_setschedpolicy(struct __lariat_thread_attributes *attributes, int policy)
{
    return __lariat_may_fail();
}

int pthread_attr_setguardsize(struct __lariat_thread_attributes *attributes, size_t size)
{
    return 0;
}

/* Names have at most fifteen characters. */
int pthread_setname_np(unsigned long thread, const char *name)
{
    for (int length = 0; length <= MOST_NAME; length++)
        if (name[length] == 0)
            return 0;
    return ERANGE;
}

/* Whether and how a thread can be cancelled makes no difference as long as none is. */
static _Thread_local int __lariat_cancel_state;
static _Thread_local int __lariat_cancel_type;

int pthread_setcancelstate(int state, int *old)
{
    if (state != 0 && state != 1)
        return EINVAL;
    if (old != NULL)
        *old = __lariat_cancel_state;
    __lariat_cancel_state = state;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if (type != 0 && type != 1)
        return EINVAL;
    if (old != NULL)
        *old = __lariat_cancel_type;
    __lariat_cancel_type = type;
    return 0;
}

void pthread_testcancel(void)
{
}

/* ---- mutexes: an attribute object is the type ---- */

int pthread_mutexattr_init(int *attributes)
{
    *attributes = 0;
    return 0;
}

int pthread_mutexattr_destroy(int *attributes)
{
    return 0;
}

int pthread_mutexattr_settype(int *attributes, int kind)
{
    if (kind < 0 || kind > 3)
        return EINVAL;
    *attributes = kind;
    return 0;
}

int pthread_mutexattr_gettype(const int *attributes, int *kind)
{
    *kind = *attributes;
    return 0;
}

/* Sharing between processes shows nothing in one. */
int pthread_mutexattr_setpshared(int *attributes, int shared)
{
    return shared == 0 || shared == 1 ? 0 : EINVAL;
}

/* ---- conditions, locks for readers and writers, barriers ---- */

int pthread_condattr_init(void *attributes)
{
    return 0;
}

int pthread_condattr_destroy(void *attributes)
{
    return 0;
}

int pthread_condattr_setclock(void *attributes, int clock)
{
    return clock == 0 || clock == 1 ? 0 : EINVAL;
}

int pthread_condattr_setpshared(void *attributes, int shared)
{
    return shared == 0 || shared == 1 ? 0 : EINVAL;
}

int pthread_rwlockattr_init(void *attributes)
{
    return 0;
}

int pthread_rwlockattr_destroy(void *attributes)
{
    return 0;
}

int pthread_rwlockattr_setpshared(void *attributes, int shared)
{
    return shared == 0 || shared == 1 ? 0 : EINVAL;
}

int pthread_barrierattr_init(void *attributes)
{
    return 0;
}

int pthread_barrierattr_destroy(void *attributes)
{
    return 0;
}

int pthread_barrierattr_setpshared(void *attributes, int shared)
{
    return shared == 0 || shared == 1 ? 0 : EINVAL;
}
