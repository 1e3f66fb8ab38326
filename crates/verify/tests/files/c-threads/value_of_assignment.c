// lariat: assert
// expect: bounded
// The value of an assignment is not read again.
#include <assert.h>
#include <pthread.h>

static int shared;

static void *thread(void *arg)
{
    int value = shared = 2;
    assert(value == 2);
    assert((shared = 3) == 3);
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
