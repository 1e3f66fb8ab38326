// lariat: use-after-free
// expect: bounded
#include <pthread.h>

static _Thread_local int own = 3;

static void *thread(void *arg)
{
    int local = own;
    int *pointer = &local;
    own = *pointer + *(int *)arg;
    pthread_exit(NULL);
}
int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, &own);
    pthread_join(other, NULL);
    return own;
}
