#include <pthread.h>

static long balance = 10;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *withdraw(void *arg)
{
#ifdef MENDED
    pthread_mutex_lock(&lock);
#endif
    balance = 0; /* RACE */
#ifdef MENDED
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, withdraw, NULL);
    pthread_mutex_lock(&lock);
    long seen = balance; /* RACE */
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return seen > 5;
}
