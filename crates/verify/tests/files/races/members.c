#include <pthread.h>

static struct pair {
    int left;
    int right;
} pair;

static void *thread(void *arg)
{
    pair.left = 1; /* RACE */
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
#ifdef MENDED
    pair.right = 2;
#else
    pair.left = 2; /* RACE */
#endif
    pthread_join(other, NULL);
    return 0;
}
