// Threads are not followed, and nothing is claimed.
// run:
//   0 of 4 reached
//   unknown 12 work: the program starts threads, which `cover` does not follow
//   unknown 14 shared is true: the program starts threads, which `cover` does not follow
//   unknown 14 shared is false: the program starts threads, which `cover` does not follow
//   unknown 19 main: the program starts threads, which `cover` does not follow
#include <pthread.h>

int shared;

void *work(void *argument)
{
    if (shared)
        shared = 2;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    shared = 1;
    return 0;
}
