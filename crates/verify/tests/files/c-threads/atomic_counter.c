// lariat: assert
// expect: bounded
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>

static atomic_int count;

static void *thread(void *arg)
{
    count++;
    atomic_fetch_add(&count, 2);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    count += 4;
    pthread_join(other, NULL);
    assert(count == 7);
    return 0;
}
