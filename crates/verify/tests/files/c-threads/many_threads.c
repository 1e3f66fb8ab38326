// lariat: reach
// contexts: any
// expect: bug line 19 reach
//
// The last of 25 increments comes before the check. A search has to find out that none of them may be lost.
#include <pthread.h>

extern void __VERIFIER_error(void);

enum { WORKERS = 25 };

static volatile int done;

static void *look(void *unused)
{
    int seen = done;
    (void)unused;
    if (seen >= WORKERS)
        __VERIFIER_error();
    return 0;
}

static void *work(void *unused)
{
    int before = done;
    (void)unused;
    done = before + 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread, 0, work, 0);
    return 0;
}
