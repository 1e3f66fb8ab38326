// lariat: assert
// expect: bounded
// A recursive mutex that is locked twice is still its holder's.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *thread(void *arg)
{
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_mutexattr_t attributes;
    int kind;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutexattr_gettype(&attributes, &kind) == 0 && kind == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    assert(pthread_mutex_unlock(&lock) == 0 && pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return 0;
}
