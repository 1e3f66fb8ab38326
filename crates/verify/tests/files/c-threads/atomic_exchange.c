// lariat: assert
// expect: bounded
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>

static atomic_int taken;
static int winners;

static void take(void)
{
    int expected = 0;
    if (atomic_compare_exchange_strong(&taken, &expected, 1))
        winners++;
}

static void *thread(void *arg)
{
    take();
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    take();
    pthread_join(other, NULL);
    assert(winners == 1);
    return 0;
}
