// lariat:
// expect: behind_the_last unknown
// expect: of_another_type unknown
// expect: of_another_size unknown
// expect: arguments_ok proved
#include <assert.h>
#include <stdarg.h>

static int last(int count, ...)
{
    va_list list;
    int found = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        found = va_arg(list, int);
    va_end(list);
    return found;
}

static double real(int count, ...)
{
    va_list list;
    va_start(list, count);
    double found = va_arg(list, double);
    va_end(list);
    return found;
}

static long wide(int count, ...)
{
    va_list list;
    va_start(list, count);
    long found = va_arg(list, long);
    va_end(list);
    return found;
}

void behind_the_last(void)
{
    int found = last(3, 1, 2);
    assert(found != 5);
}

void of_another_type(void)
{
    double found = real(1, 7);
    assert(found != 3.0);
}

void of_another_size(void)
{
    long found = wide(1, -7);
    assert(found == -7);
}

void arguments_ok(void)
{
    assert(last(2, 1, 2u) == 2);
    assert(real(1, 2.5f) == 2.5);
    assert(wide(1, 7ul) == 7);
    assert(wide(1, "text") != 0);
}
