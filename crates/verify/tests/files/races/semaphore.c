#include <pthread.h>
#include <semaphore.h>

static int item;
static sem_t filled;

static void *producer(void *arg)
{
    item = 3; /* RACE */
    sem_post(&filled);
    return arg;
}

int main(void)
{
    pthread_t other;
    int seen;
    sem_init(&filled, 0, 0);
    pthread_create(&other, NULL, producer, NULL);
#ifdef MENDED
    sem_wait(&filled);
    seen = item;
#else
    seen = item; /* RACE */
    sem_wait(&filled);
#endif
    pthread_join(other, NULL);
    return seen == 1;
}
