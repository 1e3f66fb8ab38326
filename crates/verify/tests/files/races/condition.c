#include <pthread.h>

static int ready, item;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void *producer(void *arg)
{
#ifdef MENDED
    pthread_mutex_lock(&lock);
#endif
    item = 3; /* RACE */
    ready = 1; /* RACE */
#ifndef MENDED
    pthread_mutex_lock(&lock);
#endif
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, producer, NULL);
    pthread_mutex_lock(&lock);
    while (!ready) /* RACE */
        pthread_cond_wait(&filled, &lock);
    int seen = item;
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return seen == 1;
}
