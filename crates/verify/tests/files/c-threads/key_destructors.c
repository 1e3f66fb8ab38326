// lariat: assert
// expect: bounded
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int sum, runs;

/* The value that it sets is given to it again. */
static void ends(void *value)
{
    sum += *(int *)value;
    if (++runs == 1)
        pthread_setspecific(key, value);
}

static void *thread(void *arg)
{
    pthread_setspecific(key, arg);
    pthread_exit(NULL);
}

int main(void)
{
    pthread_t other;
    int five = 5;
    pthread_key_create(&key, ends);
    pthread_create(&other, NULL, thread, &five);
    pthread_join(other, NULL);
    assert(sum == 10 && runs == 2);
    return 0;
}
