#include <pthread.h>
#include <string.h>

static char name[4] = "a";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *rename_it(void *arg)
{
    pthread_mutex_lock(&lock);
    strcpy(name, "b"); /* RACE */
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, rename_it, NULL);
#ifdef MENDED
    pthread_mutex_lock(&lock);
#endif
    int is_short = name[1] == 0; /* RACE */
#ifdef MENDED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(other, NULL);
    return !is_short;
}
