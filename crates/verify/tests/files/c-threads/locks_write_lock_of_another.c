// lariat: locks
// expect: bug line 13 locks
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t locked;

static void *thread(void *arg)
{
    sem_wait(&locked);
    if (arg == NULL)
        pthread_rwlock_unlock(&lock); // HERE
    return arg;
}

int main(void)
{
    pthread_t other;
    sem_init(&locked, 0, 0);
    pthread_create(&other, NULL, thread, NULL);
    pthread_rwlock_wrlock(&lock);
    sem_post(&locked);
    pthread_join(other, NULL);
    return 0;
}
