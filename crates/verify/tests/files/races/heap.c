#include <pthread.h>
#include <stdlib.h>

static void *thread(void *arg)
{
    int *cell = arg;
    *cell = 1; /* RACE */
    return NULL;
}

int main(void)
{
    pthread_t other;
    int *mine = malloc(sizeof *mine);
    int *given = malloc(sizeof *given);
    if (mine == NULL || given == NULL)
        return 1;
#ifndef MENDED
    mine = given;
#endif
    pthread_create(&other, NULL, thread, given);
    *mine = 2; /* RACE */
    pthread_join(other, NULL);
    return 0;
}
