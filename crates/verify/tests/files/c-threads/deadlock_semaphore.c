// lariat: deadlock
// expect: bug line 19 deadlock
#include <pthread.h>
#include <semaphore.h>

static sem_t full;

static void *thread(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t other;
    sem_init(&full, 0, 0);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    sem_wait(&full); // HERE
    return 0;
}
