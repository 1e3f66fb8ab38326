// lariat: deadlock
// expect: bug line 22 deadlock
// says: thread 1 waits in sem_wait(&full) at deadlock_at_end.c:22:5, holding &lock
//
// The first thread waits; the second one ends and leaves it alone.
#include <pthread.h>
#include <semaphore.h>

static sem_t full, started;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    sem_wait(&started);
    return arg;
}

static void wait_for_it(void)
{
    pthread_mutex_lock(&lock);
    sem_post(&started);
    sem_wait(&full);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t other;
    sem_init(&full, 0, 0);
    sem_init(&started, 0, 0);
    pthread_create(&other, NULL, worker, NULL);
    wait_for_it();
    pthread_join(other, NULL);
    return 0;
}
