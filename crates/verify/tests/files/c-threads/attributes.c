// lariat: assert
// expect: bounded
#include <assert.h>
#include <pthread.h>

static void *thread(void *arg)
{
    int before;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0 && before == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcancelstate(before, &before) == 0 && before == PTHREAD_CANCEL_DISABLE);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_attr_t attributes;
    pthread_condattr_t condition;
    int state;
    assert(pthread_attr_init(&attributes) == 0);
    assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
    assert(pthread_condattr_init(&condition) == 0);
    pthread_create(&other, &attributes, thread, NULL);
    return 0;
}
