#include <threads.h>

static int total;
static mtx_t lock;

static int add(void *arg)
{
    (void)arg;
#ifdef MENDED
    mtx_lock(&lock);
#endif
    total += 2; /* RACE */
#ifdef MENDED
    mtx_unlock(&lock);
#endif
    return 0;
}

int main(void)
{
    thrd_t other;
    mtx_init(&lock, mtx_plain);
    thrd_create(&other, add, NULL);
    mtx_lock(&lock);
    total += 1; /* RACE */
    mtx_unlock(&lock);
    thrd_join(other, NULL);
    return 0;
}
