#include <pthread.h>

static int cells[4];

static void *thread(void *arg)
{
    cells[1] = 1; /* RACE */
    return arg;
}

int main(void)
{
    pthread_t other;
#ifdef MENDED
    int mine = 2;
#else
    int mine = 1;
#endif
    pthread_create(&other, NULL, thread, NULL);
    cells[mine] = 2; /* RACE */
    pthread_join(other, NULL);
    return 0;
}
