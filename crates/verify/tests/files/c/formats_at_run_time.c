// lariat:
// expect: formats_at_run_time_ok bounded
// expect: formats_at_run_time_bad bug line 50 assert
// formats_at_run_time_bad fails with the inputs 0 (none are read)
// expect: formats_at_run_time_count_bad bug line 58 assert
// expect: formats_at_run_time_wrapped_count_bad bug line 65 assert
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int print_into(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsprintf(to, format, list);
    va_end(list);
    return n;
}

static int limited(char *to, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, size, format, list);
    va_end(list);
    return n;
}

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

void formats_at_run_time_ok(void)
{
    char to[32];
    assert(print_into(to, "%d:%s", -5, "ab") == 5 && strcmp(to, "-5:ab") == 0);
    assert(limited(to, 4, "%3c|%x", 'y', 255u) == 6 && strcmp(to, "  y") == 0);
    assert(limited(to, sizeof to, "%-*d%%%03ld", 3, 7, 12L) == 7 && strcmp(to, "7  %012") == 0);
}

void formats_at_run_time_bad(void)
{
    char to[32];
    print_into(to, "%hhd", 257);
    assert(to[0] == '2'); /* fails */
}

void formats_at_run_time_count_bad(void)
{
    char format[] = "ab%n", to[8];
    int n = 5;
    sprintf(to, format, &n);
    assert(n == 5); /* fails */
}

void formats_at_run_time_wrapped_count_bad(void)
{
    int n = 5;
    say("abc%n", &n);
    assert(n == 5); /* fails */
}
