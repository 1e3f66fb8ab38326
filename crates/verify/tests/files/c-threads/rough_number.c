// lariat: reach
// contexts: any
// expect: bug line 27 reach
//
// How many threads there are may be read from a text, and what `sscanf` reads is known roughly only. The bug needs no text.
#include <pthread.h>
#include <stdio.h>

extern void __VERIFIER_error(void);

static int writers = 2;
static int first, second;

static void *set(void *unused)
{
    (void)unused;
    first = 1;
    second = 1;
    return 0;
}

static void *look(void *unused)
{
    int a = first, b = second;
    (void)unused;
    if (a != b)
        __VERIFIER_error();
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc > 1)
        sscanf(argv[1], "%d", &writers);
    for (int i = 0; i < writers; i++)
        pthread_create(&thread, 0, set, 0);
    pthread_create(&thread, 0, look, 0);
    return 0;
}
