// lariat: locks
// expect: bug line 9 locks
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *arg)
{
    pthread_mutex_unlock(&lock); // HERE
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_mutex_lock(&lock);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    return 0;
}
