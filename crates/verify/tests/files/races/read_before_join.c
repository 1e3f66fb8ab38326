#include <pthread.h>

static int result;

static void *compute(void *arg)
{
    result = 7; /* RACE */
    return arg;
}

int main(void)
{
    pthread_t other;
    int seen;
    pthread_create(&other, NULL, compute, NULL);
#ifdef MENDED
    pthread_join(other, NULL);
    seen = result;
#else
    seen = result; /* RACE */
    pthread_join(other, NULL);
#endif
    return seen == 1;
}
