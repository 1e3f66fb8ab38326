// lariat: deadlock
// expect: bounded
// Who waits for some time only does not wait for ever.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t empty;

static void *thread(void *arg)
{
    struct timespec soon = {0, 0};
    if (pthread_mutex_timedlock(&lock, &soon) == 0)
        pthread_mutex_unlock(&lock);
    sem_timedwait(&empty, &soon);
    return arg;
}

int main(void)
{
    pthread_t other;
    sem_init(&empty, 0, 0);
    pthread_mutex_lock(&lock);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
