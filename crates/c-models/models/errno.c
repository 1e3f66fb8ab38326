/* errno.h: one object for each thread. Models set it where they fail, to any positive number; functions that succeed leave it. */

static _Thread_local int __lariat_errno;

/* glibc and musl: the address of errno. */
int *__errno_location(void)
{
    return &__lariat_errno;
}

/* macOS and FreeBSD. */
int *__error(void)
{
    return &__lariat_errno;
}

/* NetBSD and Android. */
int *__errno(void)
{
    return &__lariat_errno;
}

/* A library function has failed with this number. */
void __lariat_fail_with(int number)
{
    __lariat_errno = number;
}

/* A library function has failed. */
void __lariat_set_errno(void)
{
    int number = __VERIFIER_nondet_int();
    __lariat_assume(number > 0 && number < 4096);
    __lariat_errno = number;
}
