// lariat: locks
// expect: bug line 10 locks
#include <pthread.h>

int main(void)
{
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_destroy(&lock); // HERE
    return 0;
}
