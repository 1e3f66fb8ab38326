#include <pthread.h>

static int is_made;
static int value;
#ifdef MENDED
static pthread_once_t once = PTHREAD_ONCE_INIT;
#endif

static void make(void)
{
    value = 9; /* RACE */
    is_made = 1; /* RACE */
}

static int get(void)
{
#ifdef MENDED
    pthread_once(&once, make);
#else
    if (!is_made) /* RACE */
        make(); /* RACE */
#endif
    return value; /* RACE */
}

static void *thread(void *arg)
{
    return get() == 0 ? arg : NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    int seen = get();
    pthread_join(other, NULL);
    return seen == 1;
}
