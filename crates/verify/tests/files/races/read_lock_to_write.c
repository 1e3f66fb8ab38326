#include <pthread.h>

static int table;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    int seen = table; /* RACE */
    pthread_rwlock_unlock(&lock);
    return seen == 5 ? arg : NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, reader, NULL);
#ifdef MENDED
    pthread_rwlock_wrlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
#endif
    table = 1; /* RACE */
    pthread_rwlock_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
