#include <pthread.h>

static int hits;

static void *thread(void *arg)
{
    __sync_fetch_and_add(&hits, 1); /* RACE */
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
#ifdef MENDED
    int seen = __atomic_load_n(&hits, __ATOMIC_ACQUIRE);
#else
    int seen = hits; /* RACE */
#endif
    pthread_join(other, NULL);
    return seen == 5;
}
