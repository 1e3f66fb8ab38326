// lariat: race
// expect: bounded
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *thread(void *arg)
{
    *shared = 1;
    return arg;
}

int main(void)
{
    pthread_t other;
    shared = malloc(sizeof *shared);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    free(shared);
    return 0;
}
