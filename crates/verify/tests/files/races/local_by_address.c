#include <pthread.h>

static void *fill(void *arg)
{
    int *cell = arg;
    *cell = 1; /* RACE */
    return NULL;
}

int main(void)
{
    pthread_t other;
    int cell = 0;
    pthread_create(&other, NULL, fill, &cell);
#ifdef MENDED
    pthread_join(other, NULL);
    return cell == 5;
#else
    int seen = cell; /* RACE */
    pthread_join(other, NULL);
    return seen == 5;
#endif
}
