// lariat: assert
// expect: bounded
#include <assert.h>
#include <threads.h>

static _Thread_local int own = 5;
static _Thread_local int list[2] = {1, 2};

static int sum(const int *numbers)
{
    return numbers[0] + numbers[1];
}

static int thread(void *arg)
{
    assert(own == 5 && sum(list) == 3);
    own = 7;
    list[1] = 9;
    assert(sum(list) == 10);
    return arg == NULL ? 3 : 4;
}

int main(void)
{
    thrd_t other;
    int result;
    own = 6;
    list[0] = 0;
    thrd_create(&other, thread, NULL);
    assert(own == 6);
    thrd_join(other, &result);
    assert(result == 3 && own == 6 && sum(list) == 2);
    return 0;
}
