// lariat:
// expect: library_callbacks_ok proved
// expect: library_callbacks_bad bug line 65 assert
// library_callbacks_bad fails with the inputs 7
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int calls;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start(void)
{
    calls++;
}

static int compare(const void *left, const void *right)
{
    calls++;
    return *(const int *)left != *(const int *)right;
}

static int order(const void *left, const void *right, void *sign)
{
    return *(int *)sign * (*(const int *)left - *(const int *)right);
}

void library_callbacks_ok(void)
{
    calls = 0;
    pthread_once(&once, start);
    pthread_once(&once, start);
    assert(calls == 1);
    int numbers[2] = {4, 9};
    size_t count = 2;
    int key = 9;
    assert(lfind(&key, numbers, &count, sizeof key, compare) == &numbers[1]);
    assert(calls == 3);
    int sign = -1;
    qsort_r(numbers, 2, sizeof key, order, &sign);
    assert(numbers[0] == 9 && numbers[1] == 4);
}

static int is_seven(const void *left, const void *right)
{
    return *(const int *)left != 7;
}

static int found;

static void note(void)
{
    found = 1;
}

void library_callbacks_bad(void)
{
    int number = __VERIFIER_nondet_int();
    size_t count = 1;
    if (lfind(&number, &number, &count, sizeof number, is_seven))
        note();
    assert(!found);
}
