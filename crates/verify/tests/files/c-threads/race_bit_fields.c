// lariat: race
// expect: unknown
#include <pthread.h>

static struct {
    unsigned left : 4;
    unsigned right : 4;
} bits;

static void *thread(void *arg)
{
    bits.left = 1;
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    bits.right = 1;
    pthread_join(other, NULL);
    return 0;
}
