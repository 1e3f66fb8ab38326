#include <pthread.h>

static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *arg)
{
    pthread_mutex_lock(&lock);
    shared = 1; /* RACE */
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    int busy = pthread_mutex_trylock(&lock);
#ifdef MENDED
    if (busy == 0)
#endif
        shared = 2; /* RACE */
    if (busy == 0)
        pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
