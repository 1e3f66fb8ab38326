// lariat: use-after-free
// expect: bug line 18 use-after-free
// A thread's own objects end with it.
#include <pthread.h>

static _Thread_local int own = 3;

static void *thread(void *arg)
{
    return &own;
}
int main(void)
{
    pthread_t other;
    void *result;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, &result);
    return *(int *)result; // HERE
}
