// lariat: assert
// expect: bug line 25 assert
#include <assert.h>
#include <threads.h>

static tss_t key;
static int ended;

static void ends(void *value)
{
    ended = 1;
}

static int thread(void *arg)
{
    return tss_set(key, &ended);
}

int main(void)
{
    thrd_t other;
    tss_create(&key, ends);
    thrd_create(&other, thread, NULL);
    thrd_join(other, NULL);
    assert(!ended); // HERE
    return 0;
}
