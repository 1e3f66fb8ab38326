// lariat: use-after-free
// expect: bug line 19 use-after-free
// So do the variables of a function that calls pthread_exit.
#include <pthread.h>

static int *kept;

static void *thread(void *arg)
{
    int local = 3;
    kept = &local;
    pthread_exit(NULL);
}
int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    return *kept; // HERE
}
