#include <pthread.h>

static int count;
#ifdef MENDED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void step(void)
{
#ifdef MENDED
    pthread_mutex_lock(&lock);
#endif
    count++; /* RACE */
#ifdef MENDED
    pthread_mutex_unlock(&lock);
#endif
}

static void *thread(void *arg)
{
    step();
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    step();
    pthread_join(other, NULL);
    return 0;
}
