#include <pthread.h>

static int part;
static pthread_barrier_t phase;

static void *worker(void *arg)
{
#ifdef MENDED
    part = 1;
    pthread_barrier_wait(&phase);
#else
    pthread_barrier_wait(&phase);
    part = 1; /* RACE */
#endif
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&other, NULL, worker, NULL);
    pthread_barrier_wait(&phase);
    int seen = part; /* RACE */
    pthread_join(other, NULL);
    return seen == 5;
}
