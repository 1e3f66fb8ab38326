// lariat: assert
// expect: bounded
#include <pthread.h>
#include <assert.h>
#include <errno.h>

static void *thread(void *arg)
{
    errno = 2;
    return arg;
}

int main(void)
{
    pthread_t other;
    errno = 1;
    pthread_create(&other, NULL, thread, NULL);
    assert(errno == 1);
    pthread_join(other, NULL);
    return 0;
}
