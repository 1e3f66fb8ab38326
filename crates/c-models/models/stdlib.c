/* stdlib.h: memory, numbers, sorting, ending the program. */

int isspace(int c);
size_t strlen(const char *s);

/* Says that this file is the one that came with Lariat. */
void __lariat_stdlib_c(void)
{
}

/* ---- memory ---- */

/* A fresh object of this size with indeterminate content, or null. Of size 0: null or some address. */
void *malloc(size_t size)
{
    if (__lariat_malloc_may_fail() || size > SIZE_MAX / 2 || (size == 0 && __VERIFIER_nondet_bool())) {
        __lariat_set_errno();
        return NULL;
    }
    return __lariat_allocate(size, LARIAT_HEAP);
}

/* A fresh object of count * size bytes, all zero, or null (also where the product does not fit). */
void *calloc(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        __lariat_set_errno();
        return NULL;
    }
    unsigned char *p = malloc(count * size);
    if (p != NULL) {
        for (size_t i = 0; i < count * size; i++)
            p[i] = 0;
    }
    return p;
}

/* Ends the life of an object that the functions here have made; null is ignored. */
void free(void *pointer)
{
    __lariat_free(pointer);
}

/* Moves an object to a new one of this size, keeping what fits; null (and the old one stays) if there is no memory. */
void *realloc(void *pointer, size_t size)
{
    if (pointer == NULL)
        return malloc(size);
    __lariat_check(__lariat_valid(pointer, 0), "use-after-free", "realloc of an object that is not alive");
    if (__lariat_malloc_may_fail() || size > SIZE_MAX / 2) {
        __lariat_set_errno();
        return NULL;
    }
    if (size == 0 && __VERIFIER_nondet_bool()) {
        __lariat_free(pointer);
        return NULL;
    }
    unsigned char *to = __lariat_allocate(size, LARIAT_HEAP);
    const unsigned char *from = pointer;
    size_t n = size;
    if (LARIAT_CHECKS_MEMORY && __lariat_object_size(pointer) < size)
        n = __lariat_object_size(pointer);
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
    __lariat_free(pointer);
    return to;
}

/* realloc of count * size bytes; null where the product does not fit. */
void *reallocarray(void *pointer, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        __lariat_set_errno();
        return NULL;
    }
    return realloc(pointer, count * size);
}

/* malloc; addresses are aligned for every type anyway. */
void *aligned_alloc(size_t alignment, size_t size)
{
    return malloc(size);
}

/* malloc; addresses are aligned for every type anyway. */
void *memalign(size_t alignment, size_t size)
{
    return malloc(size);
}

/* malloc; addresses are aligned for every type anyway. */
void *valloc(size_t size)
{
    return malloc(size);
}

/* Stores a fresh object's address and returns 0, or returns an error number. */
int posix_memalign(void **pointer, size_t alignment, size_t size)
{
    void *p = malloc(size);
    if (p == NULL && size != 0)
        return 12; /* ENOMEM */
    *pointer = p;
    return 0;
}

/* ---- numbers ---- */

/* |x|; overflows for the smallest number. */
int abs(int x)
{
    __lariat_check(x != INT_MIN, "overflow", "the absolute value can overflow");
    return x < 0 ? -x : x;
}

/* |x|; overflows for the smallest number. */
long labs(long x)
{
    __lariat_check(x != LONG_MIN, "overflow", "the absolute value can overflow");
    return x < 0 ? -x : x;
}

/* |x|; overflows for the smallest number. */
long long llabs(long long x)
{
    __lariat_check(x != LLONG_MIN, "overflow", "the absolute value can overflow");
    return x < 0 ? -x : x;
}

/* |x|; overflows for the smallest number. */
long long imaxabs(long long x)
{
    return llabs(x);
}

typedef struct {
    int quot;
    int rem;
} div_t;
typedef struct {
    long quot;
    long rem;
} ldiv_t;
typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

/* Quotient and remainder. */
div_t div(int numerator, int denominator)
{
    __lariat_check(denominator != 0, "div-by-zero", "division by zero is possible");
    __lariat_check(numerator != INT_MIN || denominator != -1, "overflow", "the quotient can overflow");
    div_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

/* Quotient and remainder. */
ldiv_t ldiv(long numerator, long denominator)
{
    __lariat_check(denominator != 0, "div-by-zero", "division by zero is possible");
    __lariat_check(numerator != LONG_MIN || denominator != -1, "overflow", "the quotient can overflow");
    ldiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

/* Quotient and remainder. */
lldiv_t lldiv(long long numerator, long long denominator)
{
    __lariat_check(denominator != 0, "div-by-zero", "division by zero is possible");
    __lariat_check(numerator != LLONG_MIN || denominator != -1, "overflow", "the quotient can overflow");
    lldiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

struct __lariat_number {
    unsigned long long magnitude;
    int negative;
    int too_large;
    /* How many characters it takes; 0 if there is no number. */
    size_t length;
};

/* The value of a digit, or 99. */
static int __lariat_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* The number at the start of a text, of at most `most` (without its sign) or `most_negative` if there is a minus. */
static struct __lariat_number __lariat_read_number(const char *s, int base, unsigned long long most,
                                                   unsigned long long most_negative)
{
    struct __lariat_number number;
    number.magnitude = 0;
    number.negative = 0;
    number.too_large = 0;
    number.length = 0;
    size_t i = 0;
    while (isspace((unsigned char)s[i]))
        i++;
    if (s[i] == '-') {
        number.negative = 1;
        i++;
    } else if (s[i] == '+') {
        i++;
    }
    if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X') &&
        __lariat_digit(s[i + 2]) < 16) {
        base = 16;
        i += 2;
    } else if (base == 0) {
        base = s[i] == '0' ? 8 : 10;
    }
    unsigned long long limit = number.negative ? most_negative : most;
    while (__lariat_digit(s[i]) < base) {
        unsigned long long digit = (unsigned long long)__lariat_digit(s[i]);
        if (number.magnitude > (limit - digit) / (unsigned long long)base)
            number.too_large = 1;
        if (!number.too_large)
            number.magnitude = number.magnitude * (unsigned long long)base + digit;
        i++;
        number.length = i;
    }
    if (number.too_large)
        number.magnitude = limit;
    return number;
}

/* Whether strtol and the like know the base; errno is set otherwise. */
static int __lariat_is_base(int base)
{
    if (base == 0 || (base >= 2 && base <= 36))
        return 1;
    errno = EINVAL;
    return 0;
}

/* The number at the start of a text; the nearest one and ERANGE where it does not fit; *end is the rest. */
long long strtoll(const char *restrict s, char **restrict end, int base)
{
    if (!__lariat_is_base(base))
        return 0;
    struct __lariat_number number = __lariat_read_number(s, base, LLONG_MAX, LLONG_MAX + 1ULL);
    if (end != NULL)
        *end = (char *)s + number.length;
    if (number.too_large)
        errno = ERANGE;
    if (!number.negative)
        return (long long)number.magnitude;
    return number.magnitude == LLONG_MAX + 1ULL ? LLONG_MIN : -(long long)number.magnitude;
}

/* The number at the start of a text; the nearest one and ERANGE where it does not fit; *end is the rest. */
long strtol(const char *restrict s, char **restrict end, int base)
{
    if (!__lariat_is_base(base))
        return 0;
    struct __lariat_number number = __lariat_read_number(s, base, LONG_MAX, LONG_MAX + 1ULL);
    if (end != NULL)
        *end = (char *)s + number.length;
    if (number.too_large)
        errno = ERANGE;
    if (!number.negative)
        return (long)number.magnitude;
    return number.magnitude == LONG_MAX + 1ULL ? LONG_MIN : -(long)number.magnitude;
}

/* The number at the start of a text, negated modulo 2^64 after a minus; ULLONG_MAX and ERANGE where it does not fit. */
unsigned long long strtoull(const char *restrict s, char **restrict end, int base)
{
    if (!__lariat_is_base(base))
        return 0;
    struct __lariat_number number = __lariat_read_number(s, base, ULLONG_MAX, ULLONG_MAX);
    if (end != NULL)
        *end = (char *)s + number.length;
    if (number.too_large) {
        errno = ERANGE;
        return ULLONG_MAX;
    }
    return number.negative ? 0 - number.magnitude : number.magnitude;
}

/* The number at the start of a text, negated modulo ULONG_MAX + 1 after a minus; ULONG_MAX and ERANGE likewise. */
unsigned long strtoul(const char *restrict s, char **restrict end, int base)
{
    if (!__lariat_is_base(base))
        return 0;
    struct __lariat_number number = __lariat_read_number(s, base, ULONG_MAX, ULONG_MAX);
    if (end != NULL)
        *end = (char *)s + number.length;
    if (number.too_large) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    unsigned long magnitude = (unsigned long)number.magnitude;
    return number.negative ? 0 - magnitude : magnitude;
}

/* strtoll under its name for intmax_t. */
long long strtoimax(const char *restrict s, char **restrict end, int base)
{
    return strtoll(s, end, base);
}

/* strtoull under its name for uintmax_t. */
unsigned long long strtoumax(const char *restrict s, char **restrict end, int base)
{
    return strtoull(s, end, base);
}

/* (int)strtol(s, NULL, 10); undefined in C where it does not fit. */
int atoi(const char *s)
{
    return (int)strtol(s, NULL, 10);
}

/* strtol(s, NULL, 10). */
long atol(const char *s)
{
    return strtol(s, NULL, 10);
}

/* strtoll(s, NULL, 10). */
long long atoll(const char *s)
{
    return strtoll(s, NULL, 10);
}

/* ---- pseudo-random numbers: any number of their range ---- */

static int __lariat_is_seeded;

/* The numbers of a seed may come again, which is not modelled. */
static void __lariat_seed(void)
{
    if (__lariat_is_seeded)
        __lariat_unsupported("a second seed of pseudo-random numbers");
    __lariat_is_seeded = 1;
}

/* 0 to RAND_MAX. */
int rand(void)
{
    int x = __VERIFIER_nondet_int();
    __lariat_assume(x >= 0);
    return x;
}

/* Of no effect on what comes next: rand() may give anything. */
void srand(unsigned int seed)
{
    __lariat_seed();
}

/* 0 to RAND_MAX; the seed becomes anything. */
int rand_r(unsigned int *seed)
{
    *seed = __VERIFIER_nondet_uint();
    return rand();
}

/* 0 to 2^31 - 1. */
long random(void)
{
    return (long)rand();
}

/* Of no effect on what comes next: random() may give anything. */
void srandom(unsigned int seed)
{
    __lariat_seed();
}

/* 0 to 2^31 - 1. */
long lrand48(void)
{
    return (long)rand();
}

/* -2^31 to 2^31 - 1. */
long mrand48(void)
{
    return (long)__VERIFIER_nondet_int();
}

/* At least 0 and less than 1. */
double drand48(void)
{
    double x = __VERIFIER_nondet_double();
    __lariat_assume(x >= 0.0 && x < 1.0);
    return x;
}

/* Of no effect on what comes next: the functions above may give anything. */
void srand48(long seed)
{
    __lariat_seed();
}

/* Any number. */
unsigned int arc4random(void)
{
    return __VERIFIER_nondet_uint();
}

/* Less than the bound, or 0. */
unsigned int arc4random_uniform(unsigned int bound)
{
    unsigned int x = __VERIFIER_nondet_uint();
    __lariat_assume(x < bound || x == 0);
    return x;
}

/* ---- sorting and searching ---- */

/* Sorts by insertion; equal elements end in any order. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *a = base;
    for (size_t i = 1; i < count; i++) {
        size_t j = i;
        while (j > 0) {
            int order = compare(a + (j - 1) * size, a + j * size);
            if (order < 0 || (order == 0 && !__VERIFIER_nondet_bool()))
                break;
            for (size_t k = 0; k < size; k++) {
                unsigned char byte = a[(j - 1) * size + k];
                a[(j - 1) * size + k] = a[j * size + k];
                a[j * size + k] = byte;
            }
            j--;
        }
    }
}

/* qsort whose comparison is also given an argument. */
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *argument)
{
    unsigned char *a = base;
    for (size_t i = 1; i < count; i++) {
        size_t j = i;
        while (j > 0) {
            int order = compare(a + (j - 1) * size, a + j * size, argument);
            if (order < 0 || (order == 0 && !__VERIFIER_nondet_bool()))
                break;
            for (size_t k = 0; k < size; k++) {
                unsigned char byte = a[(j - 1) * size + k];
                a[(j - 1) * size + k] = a[j * size + k];
                a[j * size + k] = byte;
            }
            j--;
        }
    }
}

/* The first element that is equal to the key, or null. */
void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
    const unsigned char *a = base;
    for (size_t i = 0; i < *count; i++) {
        if (compare(key, a + i * size) == 0)
            return (void *)(a + i * size);
    }
    return NULL;
}

/* The first element that is equal to the key, which is appended if there is none. */
void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *a = base;
    for (size_t i = 0; i < *count; i++) {
        if (compare(key, a + i * size) == 0)
            return a + i * size;
    }
    unsigned char *end = a + *count * size;
    for (size_t k = 0; k < size; k++)
        end[k] = ((const unsigned char *)key)[k];
    *count = *count + 1;
    return end;
}

/* Some element that is equal to the key in a sorted array, or null. */
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    const unsigned char *a = base;
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, a + middle * size);
        if (order == 0) {
            while (middle + 1 < high && __VERIFIER_nondet_bool() && compare(key, a + (middle + 1) * size) == 0)
                middle++;
            while (middle > low && __VERIFIER_nondet_bool() && compare(key, a + (middle - 1) * size) == 0)
                middle--;
            return (void *)(a + middle * size);
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* ---- the environment, and the end of the program ---- */

static int __lariat_environment_is_changed;

/* With memory checks: the string must be there. */
static void __lariat_read_text(const char *s)
{
    if (LARIAT_CHECKS_MEMORY)
        strlen(s);
}

static int __lariat_environment_is_read;

/*
 * Null or some string, which must not be changed or freed. What the program itself has set is not remembered, and neither is
 * what an earlier call has returned: a later one may be about the same variable, which has not changed.
 */
char *getenv(const char *name)
{
    __lariat_read_text(name);
    if (__lariat_environment_is_changed)
        __lariat_unsupported("a variable of the environment that the program may have changed");
    int is_absent = __lariat_environment_is_read ? __lariat_any_int() : __VERIFIER_nondet_bool();
    __lariat_environment_is_read = 1;
    if (is_absent)
        return NULL;
    size_t n = __VERIFIER_nondet_size_t();
    __lariat_assume(n < SIZE_MAX / 2);
    char *value = __lariat_allocate(n + 1, LARIAT_STATIC);
    __lariat_havoc(value, n + 1);
    value[n] = 0;
    return value;
}

/* 0, or -1 on failure. */
int setenv(const char *name, const char *value, int overwrite)
{
    __lariat_read_text(name);
    __lariat_read_text(value);
    __lariat_environment_is_changed = 1;
    __lariat_change_variables();
    if (__VERIFIER_nondet_bool())
        return 0;
    __lariat_set_errno();
    return -1;
}

/* 0, or -1 on failure. */
int unsetenv(const char *name)
{
    __lariat_read_text(name);
    __lariat_environment_is_changed = 1;
    __lariat_change_variables();
    if (__VERIFIER_nondet_bool())
        return 0;
    __lariat_set_errno();
    return -1;
}

/* Any status. */
int system(const char *command)
{
    if (command != NULL)
        __lariat_read_text(command);
    return __VERIFIER_nondet_int();
}

/* The program ends. Programs with exit handlers call __lariat_exit instead. */
void exit(int status)
{
    __lariat_stop();
}

/* The program ends. */
void _Exit(int status)
{
    __lariat_stop();
}

/* The program ends. */
void _exit(int status)
{
    __lariat_stop();
}

/* The program ends. Programs that call at_quick_exit() call __lariat_quick_exit instead. */
void quick_exit(int status)
{
    __lariat_stop();
}

/* The program ends abnormally. */
void abort(void)
{
    __lariat_check(0, "abort", "abort() is called");
    __lariat_stop();
}
