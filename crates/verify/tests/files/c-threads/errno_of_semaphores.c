// lariat: assert
// expect: bounded
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
    sem_t empty;
    struct timespec soon = {0, 0};
    sem_init(&empty, 0, 0);
    assert(sem_trywait(&empty) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&empty, &soon) == -1 && errno == ETIMEDOUT);
    return 0;
}
