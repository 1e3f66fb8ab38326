#include <pthread.h>
#include <stdatomic.h>

#ifdef MENDED
static atomic_int stop;
#else
static int stop;
#endif
static int rounds;

static void *worker(void *arg)
{
    while (!stop) /* RACE */
        rounds = 1;
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, worker, NULL);
    stop = 1; /* RACE */
    pthread_join(other, NULL);
    return 0;
}
