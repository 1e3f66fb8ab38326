// lariat: assert
// expect: bug line 11 assert
// Two reads in one expression are two steps.
#include <assert.h>
#include <pthread.h>

static int shared;

static void *thread(void *arg)
{
    assert(shared == shared); // HERE
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    shared = 1;
    pthread_join(other, NULL);
    return 0;
}
