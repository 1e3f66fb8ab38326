// lariat: deadlock
// contexts: any
// expect: bug line 15,29,30 deadlock
// A signal wakes one of those that wait.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;

static void *thread(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!go)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, thread, NULL);
    pthread_create(&second, NULL, thread, NULL);
    pthread_mutex_lock(&lock);
    go = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
