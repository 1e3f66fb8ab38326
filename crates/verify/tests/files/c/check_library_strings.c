// lariat: --check memory
// expect: check_library_strings_ok bounded
// expect: check_library_strings_bad bug line 39 bounds
// check_library_strings_bad: not to be run: what lies behind the text may end it
// expect: check_library_strings_mode_bad bug line 45 bounds
// expect: check_library_strings_environment_bad bug line 51 bounds
// expect: check_library_strings_format_bad bug line 57 bounds
// expect: check_library_strings_wrapped_bad bug line 20 bounds
// expect: check_library_strings_buffer unknown
// expect: check_library_strings_few unknown
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list); /* fails */
    va_end(list);
}

void check_library_strings_ok(void)
{
    char name[2] = "a", part[2] = {'b', 'c'};
    FILE *file = fopen(name, "r");
    if (file)
        fclose(file);
    setenv(name, "b", 1);
    const char *format = __VERIFIER_nondet_int() ? "%.2s" : "%.1s";
    printf(format, part);
    say("%.*s", 2, part);
}

void check_library_strings_bad(void)
{
    char name[2] = {'a', 'b'};
    FILE *file = fopen(name, "r"); /* fails */
}

void check_library_strings_mode_bad(void)
{
    char mode[1] = {'r'};
    FILE *file = popen("true", mode); /* fails */
}

void check_library_strings_environment_bad(void)
{
    char name[1] = {'A'};
    setenv("B", name, 1); /* fails */
}

void check_library_strings_format_bad(void)
{
    char format[2] = {'a', 'b'};
    printf(format); /* fails */
}

void check_library_strings_wrapped_bad(void)
{
    char part[2] = {'a', 'b'};
    say("%s", part);
}

/* Whatever is printed goes to the buffer. */
void check_library_strings_buffer(void)
{
    static char buffer[100];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

void check_library_strings_few(void)
{
    char part[2] = {'a', 'b'};
    part[0] = 'c';
    printf("%d %s", 3);
}
