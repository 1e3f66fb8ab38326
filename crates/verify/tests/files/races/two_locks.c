#include <pthread.h>

static int shared;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *arg)
{
    pthread_mutex_lock(&first);
    shared = 1; /* RACE */
    pthread_mutex_unlock(&first);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
#ifdef MENDED
    pthread_mutex_t *mine = &first;
#else
    pthread_mutex_t *mine = &second;
#endif
    pthread_mutex_lock(mine);
    shared = 2; /* RACE */
    pthread_mutex_unlock(mine);
    pthread_join(other, NULL);
    return 0;
}
