// lariat: deadlock
// expect: bounded
#include <pthread.h>
#include <semaphore.h>

static sem_t full;

static void *thread(void *arg)
{
    sem_post(&full);
    return arg;
}

int main(void)
{
    pthread_t other;
    sem_init(&full, 0, 0);
    pthread_create(&other, NULL, thread, NULL);
    sem_wait(&full);
    pthread_join(other, NULL);
    return 0;
}
