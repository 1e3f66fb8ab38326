// lariat: assert
// expect: bug line 11 assert
#include <assert.h>
#include <pthread.h>

static int shared = 1;

static void *thread(void *arg)
{
    int value = shared ? shared : 1;
    assert(value != 0); // HERE
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    shared = 0;
    pthread_join(other, NULL);
    return 0;
}
