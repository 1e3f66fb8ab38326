// lariat: assert
// expect: bounded
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    struct timespec soon = {0, 0};
    assert(pthread_rwlock_timedrdlock(&lock, &soon) == 0);
    assert(pthread_rwlock_timedwrlock(&lock, &soon) == ETIMEDOUT);
    assert(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_timedwrlock(&lock, &soon) == 0);
    return 0;
}
