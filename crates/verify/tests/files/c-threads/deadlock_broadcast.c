// lariat: deadlock
// expect: bounded
// A broadcast wakes all that wait.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;

static void *thread(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!go)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_mutex_lock(&lock);
    go = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
