// lariat:
// expect: varargs_ok proved
// expect: varargs_bad bug line 45 assert
// varargs_bad fails with the inputs 5
#include <assert.h>
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);

static int sum(int count, ...)
{
    va_list args;
    int total = 0;
    va_start(args, count);
    for (int i = 0; i < count; i++)
        total += va_arg(args, int);
    va_end(args);
    return total;
}

static double mixed(const char *kinds, ...)
{
    va_list args, again;
    va_start(args, kinds);
    va_copy(again, args);
    double d = va_arg(args, double);
    d += va_arg(again, double);
    long long n = va_arg(args, long long);
    char *s = va_arg(args, char *);
    va_end(again);
    va_end(args);
    return d + n + s[0];
}

void varargs_ok(void)
{
    short s = 3;
    assert(sum(0) == 0);
    assert(sum(3, 1, s, 'a') == 101);
    assert(mixed("dLs", 1.5, 10LL, "b") == 111.0);
}

void varargs_bad(void)
{
    int x = __VERIFIER_nondet_int() & 15;
    assert(sum(2, x, 4) != 9); /* fails */
}
