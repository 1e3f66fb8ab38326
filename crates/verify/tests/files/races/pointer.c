#include <pthread.h>

static int one = 1, two = 2;
static int *current = &one;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *replace(void *arg)
{
    pthread_mutex_lock(&lock);
    current = &two; /* RACE */
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, replace, NULL);
#ifdef MENDED
    pthread_mutex_lock(&lock);
#endif
    int seen = *current; /* RACE */
#ifdef MENDED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(other, NULL);
    return seen == 3;
}
