// lariat: assert
// expect: bounded
#include <pthread.h>
#include <assert.h>

static pthread_key_t key;
static int mine, yours;

static void *thread(void *arg)
{
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &yours);
    assert(pthread_getspecific(key) == &yours);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &mine);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    assert(pthread_getspecific(key) == &mine);
    return 0;
}
