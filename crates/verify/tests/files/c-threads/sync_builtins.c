// lariat: assert
// expect: bounded
#include <pthread.h>
#include <assert.h>

static int count;

static void *thread(void *arg)
{
    __sync_fetch_and_add(&count, 1);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    __sync_fetch_and_add(&count, 1);
    pthread_join(other, NULL);
    assert(count == 2);
    return 0;
}
