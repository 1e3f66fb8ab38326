#include <pthread.h>
#include <stdatomic.h>

static int data;
#ifdef MENDED
static atomic_int ready;
#else
static int ready;
#endif

static void *producer(void *arg)
{
    data = 42;
    ready = 1; /* RACE */
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, producer, NULL);
    int seen = 0;
    if (ready) /* RACE */
        seen = data; /* RACE */
    pthread_join(other, NULL);
    return seen == 1;
}
