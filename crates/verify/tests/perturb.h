/*
 * For runs under ThreadSanitizer: pauses of random length where threads synchronise, so that runs have different schedules. A pause orders
 * nothing. C11's threads are mapped to those of POSIX, which the sanitizer knows.
 */
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int paused(int result)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    unsigned chance = (unsigned)(now.tv_nsec / 97 % 16);
    if (chance >= 8)
        usleep((chance - 8) * 150);
    return result;
}

#define pthread_create(thread, attributes, start, arg) \
    paused(pthread_create((thread), (attributes), (start), (arg)))
#define pthread_mutex_lock(mutex) paused(pthread_mutex_lock(mutex))
#define pthread_mutex_unlock(mutex) paused(pthread_mutex_unlock(mutex))

/* Both are an array of as many bytes on Linux. */
#define mtx_init(mutex, type) pthread_mutex_init((pthread_mutex_t *)(mutex), NULL)
#define mtx_lock(mutex) pthread_mutex_lock((pthread_mutex_t *)(mutex))
#define mtx_unlock(mutex) pthread_mutex_unlock((pthread_mutex_t *)(mutex))
#define thrd_create(thread, start, arg) \
    pthread_create((pthread_t *)(thread), NULL, (void *(*)(void *))(start), (arg))
#define thrd_join(thread, result) pthread_join((thread), NULL)
