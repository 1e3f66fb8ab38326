// lariat: --check memory
// expect: counted unknown
// expect: one proved
#include <poll.h>
#include <time.h>

/* How many records are written, only the library knows. */
void counted(void)
{
    struct pollfd one[1] = {{0}};
    poll(one, 2, 0);
}

void one(void)
{
    struct timespec now;
    int numbers[2] = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    numbers[1] = 1;
}
