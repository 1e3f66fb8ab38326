/* POSIX: files, processes, time. What the system answers may be anything that its contract allows. */

typedef int pid_t;
struct timeval {
    long tv_sec;
    long tv_usec;
};
struct timespec {
    long tv_sec;
    long tv_nsec;
};

size_t strlen(const char *s);

/* With memory checks: the string must be there. */
static void __lariat_read_path(const char *path)
{
    if (LARIAT_CHECKS_MEMORY)
        strlen(path);
}

/* 0, or -1 on failure. */
static int __lariat_zero_or_error(void)
{
    if (__VERIFIER_nondet_bool())
        return 0;
    __lariat_set_errno();
    return -1;
}

/* Any number that is not negative, or -1 on failure. */
static int __lariat_any_or_error(void)
{
    int result = __VERIFIER_nondet_int();
    __lariat_assume(result >= -1);
    if (result < 0)
        __lariat_set_errno();
    return result;
}

/* At most n, or -1 on failure. */
static ssize_t __lariat_count_or_error(size_t n)
{
    ssize_t count = (ssize_t)__VERIFIER_nondet_long();
    __lariat_assume(count >= -1 && (count < 0 || (size_t)count <= n));
    if (count < 0)
        __lariat_set_errno();
    return count;
}

/* ---- files ---- */

/* A file descriptor, or -1 on failure. */
int open(const char *path, int flags, ...)
{
    __lariat_read_path(path);
    return __lariat_any_or_error();
}

/* A file descriptor, or -1 on failure. */
int openat(int folder, const char *path, int flags, ...)
{
    __lariat_read_path(path);
    return __lariat_any_or_error();
}

/* A file descriptor, or -1 on failure. */
int creat(const char *path, unsigned int mode)
{
    __lariat_read_path(path);
    return __lariat_any_or_error();
}

/* 0, or -1 on failure. */
int close(int fd)
{
    return __lariat_zero_or_error();
}

/* Reads at most n bytes: any bytes, or what the program itself has written; how many, or -1 on failure. Few are written one
   by one, so that what lies behind them stays. */
static ssize_t __lariat_read_bytes(void *to, size_t n, int is_own)
{
    ssize_t count = (ssize_t)n;
    if (is_own ? __lariat_any_int() != 0 : __VERIFIER_nondet_bool())
        count = __lariat_count_or_error(n);
    if (count <= 0)
        return count;
    __lariat_check(__lariat_valid(to, (size_t)count), "bounds", "the function writes outside of the object");
    if (n <= 8) {
        unsigned char *bytes = to;
        for (int i = 0; i < 8; i++)
            if (i < count)
                bytes[i] = is_own ? (unsigned char)__lariat_any_int() : __VERIFIER_nondet_uchar();
    } else if (is_own) {
        __lariat_any_bytes(to, (size_t)count);
    } else {
        __lariat_havoc(to, (size_t)count);
    }
    return count;
}

/* Reads at most n bytes; how many, or -1 on failure. What comes from the standard input is never what the program has written;
   what comes from elsewhere may be. */
ssize_t read(int fd, void *to, size_t n)
{
    return __lariat_read_bytes(to, n, fd != 0 && __lariat_has_written());
}

/* read at a position. */
ssize_t pread(int fd, void *to, size_t n, ptrdiff_t position)
{
    return read(fd, to, n);
}

/* Writes at most n bytes; how many, or -1 on failure. */
ssize_t write(int fd, const void *from, size_t n)
{
    __lariat_check(n == 0 || __lariat_valid(from, n), "bounds", "write reads outside of the object");
    __lariat_give_out(from, n);
    if (fd != 1 && fd != 2)
        __lariat_note_write();
    return __lariat_count_or_error(n);
}

/* write at a position. */
ssize_t pwrite(int fd, const void *from, size_t n, ptrdiff_t position)
{
    return write(fd, from, n);
}

/* Receives at most n bytes: any bytes; how many, or -1 on failure. */
ssize_t recv(int socket, void *to, size_t n, int flags)
{
    return __lariat_read_bytes(to, n, 0);
}

/* Sends at most n bytes; how many, or -1 on failure. What is sent is not what is received. */
ssize_t send(int socket, const void *from, size_t n, int flags)
{
    __lariat_check(n == 0 || __lariat_valid(from, n), "bounds", "send reads outside of the object");
    __lariat_give_out(from, n);
    return __lariat_count_or_error(n);
}

/* A position, or -1 on failure. */
ptrdiff_t lseek(int fd, ptrdiff_t offset, int origin)
{
    ptrdiff_t position = (ptrdiff_t)__VERIFIER_nondet_long();
    __lariat_assume(position >= -1);
    if (position < 0)
        __lariat_set_errno();
    return position;
}

/* Stores two file descriptors and returns 0, or -1 on failure. */
int pipe(int fds[2])
{
    int from = __VERIFIER_nondet_int();
    int to = __VERIFIER_nondet_int();
    if (__lariat_zero_or_error() < 0)
        return -1;
    __lariat_assume(from >= 0 && to >= 0 && from != to);
    fds[0] = from;
    fds[1] = to;
    return 0;
}

/* A file descriptor, or -1 on failure. */
int dup(int fd)
{
    return __lariat_any_or_error();
}

/* The second file descriptor, or -1 on failure. What is read from the standard input later is not followed. */
int dup2(int fd, int other)
{
    if (other == 0)
        __lariat_unsupported("another file in place of the standard input");
    if (other == 1 || other == 2)
        __lariat_note_write();
    return __lariat_zero_or_error() < 0 ? -1 : other;
}

/* 0, or -1 on failure. */
int unlink(const char *path)
{
    __lariat_read_path(path);
    return __lariat_zero_or_error();
}

/* 0, or -1 on failure. */
int rmdir(const char *path)
{
    __lariat_read_path(path);
    return __lariat_zero_or_error();
}

/* 0, or -1 on failure. */
int mkdir(const char *path, unsigned int mode)
{
    __lariat_read_path(path);
    return __lariat_zero_or_error();
}

/* 0, or -1 on failure. */
int chdir(const char *path)
{
    __lariat_read_path(path);
    return __lariat_zero_or_error();
}

/* 0, or -1 on failure. */
int chmod(const char *path, unsigned int mode)
{
    __lariat_read_path(path);
    return __lariat_zero_or_error();
}

/* 0, or -1 on failure. */
int access(const char *path, int mode)
{
    __lariat_read_path(path);
    return __lariat_zero_or_error();
}

/* 0, or -1 on failure. */
int fsync(int fd)
{
    return __lariat_zero_or_error();
}

/* 0, or -1 on failure. */
int ftruncate(int fd, ptrdiff_t length)
{
    return __lariat_zero_or_error();
}

/* 0 or 1. */
int isatty(int fd)
{
    return __VERIFIER_nondet_bool();
}

/* Any old mask. */
unsigned int umask(unsigned int mask)
{
    return __VERIFIER_nondet_uint() & 511;
}

/* The folder's name, which fits n bytes with its zero, or null on failure. GNU: on the heap if there is no buffer. */
char *getcwd(char *to, size_t n)
{
    size_t length = __VERIFIER_nondet_size_t();
    __lariat_assume(length > 0 && length < SIZE_MAX / 2);
    if ((n != 0 && length >= n) || (to != NULL && n == 0) || __VERIFIER_nondet_bool()) {
        __lariat_set_errno();
        return NULL;
    }
    if (to == NULL)
        to = __lariat_allocate(n != 0 ? n : length + 1, LARIAT_HEAP);
    LARIAT_FILL(to, length);
    to[length] = 0;
    return to;
}

/* ---- processes ---- */

/* Some number that is positive. */
static int __lariat_any_process(void)
{
    int id = __VERIFIER_nondet_int();
    __lariat_assume(id > 0);
    return id;
}

static pid_t __lariat_process;

/* The number of this process: always the same. */
pid_t getpid(void)
{
    if (__lariat_process == 0)
        __lariat_process = __lariat_any_process();
    return __lariat_process;
}

/* The number of the parent. */
pid_t getppid(void)
{
    return __lariat_any_process();
}

/* Some number; of a second call only what the first one gave is right, unless the program has changed it. */
static unsigned int __lariat_identity(int *is_known)
{
    unsigned int id = *is_known ? (unsigned int)__lariat_any_int() : __VERIFIER_nondet_uint();
    *is_known = 1;
    return id;
}

static int __lariat_user_is_known, __lariat_effective_user_is_known, __lariat_group_is_known, __lariat_effective_group_is_known;

/* Any user. */
unsigned int getuid(void)
{
    return __lariat_identity(&__lariat_user_is_known);
}

/* Any user. */
unsigned int geteuid(void)
{
    return __lariat_identity(&__lariat_effective_user_is_known);
}

/* Any group. */
unsigned int getgid(void)
{
    return __lariat_identity(&__lariat_group_is_known);
}

/* Any group. */
unsigned int getegid(void)
{
    return __lariat_identity(&__lariat_effective_group_is_known);
}

/* 0, or -1 on failure. */
int kill(pid_t process, int signal)
{
    return __lariat_zero_or_error();
}

/* Any number of seconds up to this one. */
unsigned int sleep(unsigned int seconds)
{
    unsigned int left = __VERIFIER_nondet_uint();
    __lariat_assume(left <= seconds);
    return left;
}

/* 0, or -1 on failure. */
int usleep(unsigned int microseconds)
{
    return __lariat_zero_or_error();
}

/* 0, or -1 on failure; what is left is stored then. */
int nanosleep(const struct timespec *time, struct timespec *left)
{
    int result = __lariat_zero_or_error();
    if (result < 0 && left != NULL) {
        left->tv_sec = __VERIFIER_nondet_long();
        left->tv_nsec = __VERIFIER_nondet_long();
        __lariat_assume(left->tv_sec >= 0 && left->tv_nsec >= 0 && left->tv_nsec < 1000000000L);
    }
    return result;
}

/* Any number of seconds. */
unsigned int alarm(unsigned int seconds)
{
    return __VERIFIER_nondet_uint();
}

static int __lariat_limit_is_known;

/* Some positive number, or -1. A second call may ask for the same. */
long sysconf(int name)
{
    long value = __lariat_limit_is_known ? __lariat_any_int() : __VERIFIER_nondet_long();
    __lariat_limit_is_known = 1;
    __lariat_assume(value >= -1);
    return value;
}

/* ---- time ---- */

/* Any time, which is also stored if there is a place for it. */
long time(long *where)
{
    long now = __VERIFIER_nondet_long();
    __lariat_assume(now >= -1);
    if (where != NULL)
        *where = now;
    return now;
}

static long __lariat_last_clock;

/* Any time, not before that of the last call, or -1. */
long clock(void)
{
    if (__VERIFIER_nondet_bool())
        return -1;
    long now = __VERIFIER_nondet_long();
    __lariat_assume(now >= __lariat_last_clock);
    __lariat_last_clock = now;
    return now;
}

/* The difference. */
double difftime(long later, long earlier)
{
    return (double)later - (double)earlier;
}

/* Stores any time; 0, or -1 on failure. */
int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    if (now != NULL) {
        now->tv_sec = __VERIFIER_nondet_long();
        now->tv_usec = __VERIFIER_nondet_long();
        __lariat_assume(now->tv_sec >= 0 && now->tv_usec >= 0 && now->tv_usec < 1000000L);
    }
    return __lariat_zero_or_error();
}

/* Stores any time; 0, or -1 on failure. */
int clock_gettime(int clock, struct timespec *now)
{
    now->tv_sec = __VERIFIER_nondet_long();
    now->tv_nsec = __VERIFIER_nondet_long();
    __lariat_assume(now->tv_sec >= 0 && now->tv_nsec >= 0 && now->tv_nsec < 1000000000L);
    return __lariat_zero_or_error();
}
