/* assert.h: a failing assertion is reported, and the program ends. */

/* glibc: what assert() calls when its argument is 0. */
void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
{
    __lariat_check(0, "assert", "assertion failed");
    __lariat_stop();
}

/* glibc: assert_perror(). */
void __assert_perror_fail(int errnum, const char *file, unsigned int line, const char *function)
{
    __lariat_check(0, "assert", "assertion failed");
    __lariat_stop();
}

/* glibc and others: the old form. */
void __assert(const char *assertion, const char *file, int line)
{
    __lariat_check(0, "assert", "assertion failed");
    __lariat_stop();
}

/* macOS. */
void __assert_rtn(const char *function, const char *file, int line, const char *assertion)
{
    __lariat_check(0, "assert", "assertion failed");
    __lariat_stop();
}

/* newlib. */
void __assert_func(const char *file, int line, const char *function, const char *assertion)
{
    __lariat_check(0, "assert", "assertion failed");
    __lariat_stop();
}
