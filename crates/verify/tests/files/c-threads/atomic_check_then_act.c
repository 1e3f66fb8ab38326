// lariat: assert
// expect: bug line 30 assert
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>

static atomic_int taken;
static atomic_int winners;

static void take(void)
{
    if (atomic_load(&taken) == 0) {
        atomic_store(&taken, 1);
        winners++;
    }
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
    assert(winners == 1); // HERE
    return 0;
}
