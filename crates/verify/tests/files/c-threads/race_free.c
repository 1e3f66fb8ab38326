// lariat: race
// expect: unknown
// The other thread may free what is written: a race, which is not told from an ordered use after the end.
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *thread(void *arg)
{
    free(shared);
    return arg;
}

int main(void)
{
    pthread_t other;
    shared = malloc(sizeof *shared);
    pthread_create(&other, NULL, thread, NULL);
    *shared = 1;
    pthread_join(other, NULL);
    return 0;
}
