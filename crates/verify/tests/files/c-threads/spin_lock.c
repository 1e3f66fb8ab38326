// lariat: assert
// expect: bounded
#include <pthread.h>
#include <assert.h>

static int count;
static pthread_spinlock_t lock;

static void *thread(void *arg)
{
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_spin_init(&lock, 0);
    pthread_create(&other, NULL, thread, NULL);
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
    pthread_join(other, NULL);
    assert(count == 2);
    return 0;
}
