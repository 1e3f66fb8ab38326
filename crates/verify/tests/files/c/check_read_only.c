// lariat: --check bounds
// expect: check_read_only_ok proved
// expect: check_read_only_bad bug line 38 bounds
// check_read_only_bad: not to be run: the compiled program gets a signal
// expect: check_read_only_global_bad bug line 44 bounds
// expect: check_read_only_local_bad bug line 51 bounds
// expect: check_read_only_name_bad bug line 56 bounds
// expect: check_read_only_literal_bad bug line 61 bounds
// expect: check_read_only_member_bad bug line 66 bounds
#include <assert.h>
#include <string.h>

static const char text[] = "abc";
static char writable[] = "abc";
static const int number = 3;
static const struct pair { int first, second; } both = {1, 2};

static char first(const char *s) { return s[0]; }
static void set(char *s) { s[0] = 'x'; }

void check_read_only_ok(void)
{
    assert(first(text) == 'a' && first("xyz") == 'x');
    set(writable);
    assert(writable[0] == 'x');
    const int local = 3;
    const int *p = &local;
    assert(*p == 3);
    char buffer[8] = "abcdefg";
    memcpy(buffer + 4, buffer, 3);
    memmove(buffer + 1, buffer, 3);
    assert(buffer[4] == 'a' && buffer[1] == 'a');
}

void check_read_only_bad(void)
{
    char *s = "abc";
    s[0] = 'x'; /* fails */
}

void check_read_only_global_bad(void)
{
    char *s = (char *)text;
    s[0] = 'x'; /* fails */
}

void check_read_only_local_bad(void)
{
    const int local = 3;
    int *p = (int *)&local;
    *p = 4; /* fails */
}

void check_read_only_name_bad(void)
{
    *(int *)&number = 4; /* fails */
}

void check_read_only_literal_bad(void)
{
    "abc"[1] = 'x'; /* fails */
}

void check_read_only_member_bad(void)
{
    ((struct pair *)&both)->second++; /* fails */
}
