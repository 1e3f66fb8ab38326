#include <pthread.h>

static int next(void)
{
#ifdef MENDED
    static _Thread_local int last;
#else
    static int last;
#endif
    last = last + 1; /* RACE */
    return last; /* RACE */
}

static void *thread(void *arg)
{
    return next() == 0 ? arg : NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    int seen = next();
    pthread_join(other, NULL);
    return seen == 5;
}
