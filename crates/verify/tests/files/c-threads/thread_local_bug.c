// lariat: assert
// expect: bug line 11 assert
#include <pthread.h>
#include <assert.h>

static __thread int own;

static void *thread(void *arg)
{
    own++;
    assert(own == 2); // HERE
    return arg;
}

int main(void)
{
    pthread_t other;
    own = 1;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    return 0;
}
