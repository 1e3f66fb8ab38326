/* Compares the models (with the prefix m_) with the C library on random and on chosen inputs. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROUNDS 20000
#define SIZE 32

extern int checks_failed;
static int failures;
static long comparisons;

#define SAME(condition, ...) \
    do { \
        comparisons++; \
        if (!(condition) && failures++ < 20) { \
            printf("line %d: %s: ", __LINE__, #condition); \
            printf(__VA_ARGS__); \
            printf("\n"); \
        } \
    } while (0)

#define MODEL(name) extern __typeof__(name) m_##name
MODEL(strlen); MODEL(strnlen); MODEL(memcpy); MODEL(mempcpy); MODEL(memmove); MODEL(memccpy); MODEL(memset);
MODEL(bzero); MODEL(bcopy); MODEL(memcmp); MODEL(memchr); MODEL(memrchr); MODEL(rawmemchr); MODEL(memmem);
MODEL(strcpy); MODEL(stpcpy); MODEL(strncpy); MODEL(stpncpy); MODEL(strcat); MODEL(strncat);
MODEL(strcmp); MODEL(strncmp); MODEL(strcoll); MODEL(strcasecmp); MODEL(strncasecmp);
extern char *m_strchr(const char *, int), *m_strrchr(const char *, int), *m_strchrnul(const char *, int);
extern char *m_strstr(const char *, const char *), *m_strcasestr(const char *, const char *);
extern char *m_strpbrk(const char *, const char *);
MODEL(strspn); MODEL(strcspn); MODEL(strtok_r); MODEL(strtok); MODEL(strsep); MODEL(strdup); MODEL(strndup);
MODEL(malloc); MODEL(calloc); MODEL(realloc); MODEL(free);
MODEL(abs); MODEL(labs); MODEL(llabs); MODEL(div); MODEL(ldiv); MODEL(lldiv);
MODEL(strtol); MODEL(strtoul); MODEL(strtoll); MODEL(strtoull); MODEL(atoi); MODEL(atol); MODEL(atoll);
MODEL(qsort); MODEL(bsearch);
MODEL(isalpha); MODEL(isdigit); MODEL(isalnum); MODEL(isxdigit); MODEL(isspace); MODEL(isblank); MODEL(iscntrl);
MODEL(isprint); MODEL(isgraph); MODEL(ispunct); MODEL(isupper); MODEL(islower); MODEL(tolower); MODEL(toupper);
MODEL(ffs); MODEL(ffsl); MODEL(ffsll);
extern size_t m_strlcpy(char *, const char *, size_t), m_strlcat(char *, const char *, size_t);
extern unsigned short m___lariat_ctype_b(int);
extern int m___lariat_ctype_tolower(int), m___lariat_ctype_toupper(int);
extern int *m___errno_location(void);
extern size_t m___lariat_put_char(char *, size_t, size_t, int, int, int);
extern size_t m___lariat_put_string(char *, size_t, size_t, const char *, int, int, int);
extern size_t m___lariat_put_signed(char *, size_t, size_t, long long, int, int, int);
extern size_t m___lariat_put_unsigned(char *, size_t, size_t, unsigned long long, int, int, int, int);
extern int m___lariat_put_end(char *, size_t, size_t);
static uint64_t state = 88172645463325252ULL;

static uint64_t any(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int below(int n)
{
    return (int)(any() % (uint64_t)n);
}

/* A string of at most `most` characters of the alphabet, in an array of SIZE that is filled. */
static void any_string(char *to, int most, const char *alphabet, int letters)
{
    int n = below(most + 1);
    for (int i = 0; i < SIZE; i++)
        to[i] = (char)any();
    for (int i = 0; i < n; i++)
        to[i] = alphabet[below(letters)];
    to[n] = 0;
}

static int sign(int x)
{
    return x < 0 ? -1 : x > 0;
}

static ptrdiff_t place(const void *p, const void *base)
{
    return p == NULL ? -1 : (const char *)p - (const char *)base;
}

static void compare_strings(void)
{
    static const char alphabet[] = "abAB01 \x7f\x80\xff";
    for (int round = 0; round < ROUNDS; round++) {
        char s[SIZE], t[SIZE], u[2 * SIZE], v[2 * SIZE];
        int letters = 2 + below(9);
        any_string(s, 12, alphabet, letters);
        any_string(t, 4, alphabet, letters);
        if (below(3) == 0)
            strcpy(t, s);
        size_t n = (size_t)below(16);
        int c = round % 3 == 0 ? 0 : alphabet[below(letters)] + (round % 2 ? 256 : 0);
        SAME(m_strlen(s) == strlen(s), "%s", s);
        SAME(m_strnlen(s, n) == strnlen(s, n), "%s", s);
        SAME(sign(m_strcmp(s, t)) == sign(strcmp(s, t)), "%s %s", s, t);
        SAME(sign(m_strcoll(s, t)) == sign(strcmp(s, t)), "%s %s", s, t);
        SAME(sign(m_strncmp(s, t, n)) == sign(strncmp(s, t, n)), "%s %s %zu", s, t, n);
        SAME(sign(m_strcasecmp(s, t)) == sign(strcasecmp(s, t)), "%s %s", s, t);
        SAME(sign(m_strncasecmp(s, t, n)) == sign(strncasecmp(s, t, n)), "%s %s %zu", s, t, n);
        SAME(sign(m_memcmp(s, t, n)) == sign(memcmp(s, t, n)), "%s %s %zu", s, t, n);
        SAME(m_strchr(s, c) == strchr(s, c), "%s %d", s, c);
        SAME(m_strrchr(s, c) == strrchr(s, c), "%s %d", s, c);
        SAME(m_strchrnul(s, c) == strchrnul(s, c), "%s %d", s, c);
        SAME(m_memchr(s, c, n) == memchr(s, c, n), "%s %d %zu", s, c, n);
        SAME(m_memrchr(s, c, n) == memrchr(s, c, n), "%s %d %zu", s, c, n);
        SAME(m_rawmemchr(s, 0) == rawmemchr(s, 0), "%s", s);
        SAME(m_strstr(s, t) == strstr(s, t), "%s %s", s, t);
        SAME(m_strcasestr(s, t) == strcasestr(s, t), "%s %s", s, t);
        SAME(m_memmem(s, n, t, strlen(t)) == memmem(s, n, t, strlen(t)), "%s %s", s, t);
        SAME(m_strspn(s, t) == strspn(s, t), "%s %s", s, t);
        SAME(m_strcspn(s, t) == strcspn(s, t), "%s %s", s, t);
        SAME(m_strpbrk(s, t) == strpbrk(s, t), "%s %s", s, t);
#define WRITES(model, library) \
        memset(u, 7, sizeof u); \
        memset(v, 7, sizeof v); \
        SAME(place(model, u) == place(library, v) && memcmp(u, v, sizeof u) == 0, "%s %s %zu", s, t, n);
        WRITES(m_memcpy(u, s, n), memcpy(v, s, n));
        WRITES(m_mempcpy(u, s, n), mempcpy(v, s, n));
        WRITES(m_memccpy(u, s, c, n), memccpy(v, s, c, n));
        WRITES(m_memset(u, c, n), memset(v, c, n));
        WRITES((m_bzero(u, n), u), (bzero(v, n), v));
        WRITES(m_strcpy(u, s), strcpy(v, s));
        WRITES(m_stpcpy(u, s), stpcpy(v, s));
        WRITES(m_strncpy(u, s, n), strncpy(v, s, n));
        WRITES(m_stpncpy(u, s, n), stpncpy(v, s, n));
        WRITES(m_strcat(strcpy(u, s), t), strcat(strcpy(v, s), t));
        WRITES(m_strncat(strcpy(u, s), t, n), strncat(strcpy(v, s), t, n));
        size_t to = (size_t)below(SIZE), from = (size_t)below(SIZE);
        memcpy(u, s, SIZE);
        memcpy(v, s, SIZE);
        SAME(place(m_memmove(u + to, u + from, n), u) == place(memmove(v + to, v + from, n), v) &&
                 memcmp(u, v, SIZE + n) == 0,
             "%zu %zu %zu", to, from, n);
        memset(u, 7, sizeof u);
        SAME(m_strlcpy(u, s, n) == strlen(s), "%s", s);
        if (n > 0)
            SAME(strlen(u) == (strlen(s) < n ? strlen(s) : n - 1) && memcmp(u, s, strlen(u)) == 0 && u[n] == 7, "%s", s);
        else
            SAME(u[0] == 7, "strlcpy of size 0");
        memset(u, 7, sizeof u);
        strcpy(u, t);
        size_t start = strnlen(t, n);
        SAME(m_strlcat(u, s, n) == start + strlen(s), "%s %s %zu", s, t, n);
        char *copy = m_strdup(s);
        SAME(strcmp(copy, s) == 0, "%s", s);
        m_free(copy);
        copy = m_strndup(s, n);
        SAME(strlen(copy) == strnlen(s, n) && memcmp(copy, s, strlen(copy)) == 0, "%s", s);
        m_free(copy);
        /* Cutting into tokens. */
        memcpy(u, s, SIZE);
        memcpy(v, s, SIZE);
        char *rest = NULL, *other = NULL, *left, *right;
        left = m_strtok_r(u, t, &rest);
        right = strtok_r(v, t, &other);
        for (;;) {
            SAME(place(left, u) == place(right, v) && memcmp(u, v, SIZE) == 0, "%s %s", s, t);
            if (left == NULL || right == NULL)
                break;
            left = m_strtok_r(NULL, t, &rest);
            right = strtok_r(NULL, t, &other);
        }
        memcpy(u, s, SIZE);
        memcpy(v, s, SIZE);
        for (left = m_strtok(u, t), right = strtok(v, t);; left = m_strtok(NULL, t), right = strtok(NULL, t)) {
            SAME(place(left, u) == place(right, v), "%s %s", s, t);
            if (left == NULL || right == NULL)
                break;
        }
        memcpy(u, s, SIZE);
        memcpy(v, s, SIZE);
        rest = u;
        other = v;
        do {
            left = m_strsep(&rest, t);
            right = strsep(&other, t);
            SAME(place(left, u) == place(right, v) && memcmp(u, v, SIZE) == 0, "%s %s", s, t);
        } while (left != NULL && right != NULL);
    }
}

static void compare_one_number(const char *s, int base)
{
    char *end, *other;
#define NUMBER(name, type) \
    do { \
        errno = 0; \
        *m___errno_location() = 0; \
        end = other = NULL; \
        type expected = name(s, &other, base); \
        type found = m_##name(s, &end, base); \
        SAME(found == expected, "%s of %s, base %d", #name, s, base); \
        SAME(end == other, "end of %s, base %d", s, base); \
        SAME(*m___errno_location() == errno, "errno of %s, base %d", s, base); \
    } while (0)
    NUMBER(strtol, long);
    NUMBER(strtoul, unsigned long);
    NUMBER(strtoll, long long);
    NUMBER(strtoull, unsigned long long);
    SAME(m_atoi(s) == atoi(s), "%s", s);
    SAME(m_atol(s) == atol(s), "%s", s);
    SAME(m_atoll(s) == atoll(s), "%s", s);
}

static void compare_numbers(void)
{
    static const char alphabet[] = "0123456789xXaAfFzZ+- \t";
    static const int bases[] = {0, 2, 8, 10, 16, 36, 7};
    static const char *const edges[] = {
        "", "-", "+", "0", "0x", "0xg", "-0x1", " 0x1f", "08", "-0", "2147483647", "2147483648", "-2147483648",
        "-2147483649", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "-18446744073709551615", "-18446744073709551616", "99999999999999999999999999", "-1", "+1", "\n\t 12x", "- 1"};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (int b = 0; b < 7; b++)
            compare_one_number(edges[i], bases[b]);
    for (int round = 0; round < ROUNDS; round++) {
        char s[SIZE];
        any_string(s, 24, alphabet, round % 2 ? 22 : 10);
        compare_one_number(s, bases[below(7)]);
        int a = (int)any(), b = (int)any() | 1;
        if (a != INT32_MIN) {
            SAME(m_abs(a) == abs(a) && m_labs(a) == labs(a) && m_llabs(a) == llabs(a), "%d", a);
            SAME(m_div(a, b).quot == div(a, b).quot && m_div(a, b).rem == div(a, b).rem, "%d %d", a, b);
            SAME(m_ldiv(a, b).rem == ldiv(a, b).rem && m_lldiv(a, b).quot == lldiv(a, b).quot, "%d %d", a, b);
        }
        uint64_t x = any() >> below(64);
        unsigned y = (unsigned)x;
        SAME(m_ffs((int)y) == ffs((int)y) && m_ffsl((long)x) == ffsl((long)x) && m_ffsll((long long)x) == ffsll((long long)x), "%lu", x);
    }
}

static void compare_characters(void)
{
    for (int c = -1; c < 256; c++) {
#define CLASS(name) SAME(!m_##name(c) == !name(c), "%s of %d", #name, c)
        CLASS(isalpha); CLASS(isdigit); CLASS(isalnum); CLASS(isxdigit); CLASS(isspace); CLASS(isblank);
        CLASS(iscntrl); CLASS(isprint); CLASS(isgraph); CLASS(ispunct); CLASS(isupper); CLASS(islower);
        SAME(m_tolower(c) == tolower(c) && m_toupper(c) == toupper(c), "%d", c);
    }
    for (int c = -128; c < 256; c++) {
        SAME(m___lariat_ctype_b(c) == (*__ctype_b_loc())[c], "%d", c);
        SAME(m___lariat_ctype_tolower(c) == (*__ctype_tolower_loc())[c], "%d", c);
        SAME(m___lariat_ctype_toupper(c) == (*__ctype_toupper_loc())[c], "%d", c);
    }
}

static int by_value(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return a < b ? -1 : a > b;
}

static void compare_memory(void)
{
    for (int round = 0; round < ROUNDS / 10; round++) {
        int a[16], b[16];
        size_t n = (size_t)below(16);
        for (size_t i = 0; i < n; i++)
            a[i] = b[i] = below(10);
        m_qsort(a, n, sizeof *a, by_value);
        qsort(b, n, sizeof *b, by_value);
        SAME(memcmp(a, b, n * sizeof *a) == 0, "qsort of %zu", n);
        int key = below(12);
        int *found = m_bsearch(&key, b, n, sizeof *b, by_value);
        int *expected = bsearch(&key, b, n, sizeof *b, by_value);
        SAME(!found == !expected && (found == NULL || *found == key), "bsearch of %d", key);
        size_t old = 1 + (size_t)below(20), larger = 1 + (size_t)below(40);
        unsigned char *p = m_calloc(old, 1);
        for (size_t i = 0; i < old; i++) {
            SAME(p[i] == 0, "calloc");
            p[i] = (unsigned char)i;
        }
        p = m_realloc(p, larger);
        for (size_t i = 0; i < larger && i < old; i++)
            SAME(p[i] == i, "realloc");
        m_free(p);
    }
    SAME(m_calloc(SIZE_MAX / 2, 4) == NULL, "calloc of too much");
    SAME(m_malloc(SIZE_MAX) == NULL, "malloc of too much");
}

static void compare_formats(void)
{
    static const char flags[] = "-+ #0";
    for (int round = 0; round < ROUNDS; round++) {
        char format[32] = "%", expected[128], found[128];
        int bits = below(32), width = below(2) ? below(14) : 0, precision = below(2) ? below(12) : -1;
        size_t room = below(3) ? sizeof found : (size_t)below(12);
        size_t count = 0;
        for (int i = 0; i < 5; i++)
            if (bits & 1 << i)
                strncat(format, flags + i, 1);
        if (width)
            sprintf(format + strlen(format), "%d", width);
        if (precision >= 0)
            sprintf(format + strlen(format), ".%d", precision);
        long long value = (long long)any() >> below(64);
        if (below(10) == 0)
            value = 0;
        int length;
        memset(expected, 7, sizeof expected);
        memset(found, 7, sizeof found);
        switch (below(7)) {
        case 0:
            strcat(format, "lld");
            length = snprintf(expected, room, format, value);
            count = m___lariat_put_signed(found, room, 0, value, bits, width, precision);
            break;
        case 1:
            strcat(format, "llu");
            length = snprintf(expected, room, format, value);
            count = m___lariat_put_unsigned(found, room, 0, (unsigned long long)value, 10, bits, width, precision);
            break;
        case 2:
            strcat(format, "llo");
            length = snprintf(expected, room, format, value);
            count = m___lariat_put_unsigned(found, room, 0, (unsigned long long)value, 8, bits, width, precision);
            break;
        case 3:
            strcat(format, "llx");
            length = snprintf(expected, room, format, value);
            count = m___lariat_put_unsigned(found, room, 0, (unsigned long long)value, 16, bits, width, precision);
            break;
        case 4:
            strcat(format, "llX");
            length = snprintf(expected, room, format, value);
            count = m___lariat_put_unsigned(found, room, 0, (unsigned long long)value, 17, bits, width, precision);
            break;
        case 5: {
            char s[SIZE];
            any_string(s, 12, "abc", 3);
            strcat(format, "s");
            length = snprintf(expected, room, format, s);
            count = m___lariat_put_string(found, room, 0, s, bits, width, precision);
            break;
        }
        default:
            strcat(format, "c");
            length = snprintf(expected, room, format, (int)(unsigned char)value);
            count = m___lariat_put_char(found, room, 0, (int)(unsigned char)value, bits, width);
        }
        int end = m___lariat_put_end(found, room, count);
        SAME(end == length && memcmp(expected, found, sizeof found) == 0, "%s of %lld in %zu: <%s> <%s>", format, value,
             room, expected, found);
    }
}

#define FLOATS(type, bits, s) \
    extern __typeof__(floor##s) m_floor##s, m_ceil##s, m_trunc##s, m_round##s, m_rint##s, m_fabs##s, m_sqrt##s; \
    extern __typeof__(fmin##s) m_fmin##s, m_fmax##s, m_fmod##s, m_fdim##s, m_copysign##s; \
    extern __typeof__(modf##s) m_modf##s; \
    extern int m___isnan##s(type), m___isinf##s(type), m___finite##s(type), m___signbit##s(type), m___fpclassify##s(type); \
    static int same##s(type a, type b) \
    { \
        return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b); \
    } \
    static void compare_values##s(type x, type y) \
    { \
        SAME(same##s(m_floor##s(x), floor##s(x)), "%Lg", (long double)x); \
        SAME(same##s(m_ceil##s(x), ceil##s(x)), "%Lg", (long double)x); \
        SAME(same##s(m_trunc##s(x), trunc##s(x)), "%Lg", (long double)x); \
        SAME(same##s(m_round##s(x), round##s(x)), "%Lg", (long double)x); \
        SAME(same##s(m_rint##s(x), rint##s(x)), "%Lg", (long double)x); \
        SAME(same##s(m_fabs##s(x), fabs##s(x)), "%Lg", (long double)x); \
        SAME(same##s(m_sqrt##s(x), sqrt##s(x)), "%Lg", (long double)x); \
        SAME(m_fmin##s(x, y) == fmin##s(x, y) || isnan(fmin##s(x, y)), "%Lg %Lg", (long double)x, (long double)y); \
        SAME(m_fmax##s(x, y) == fmax##s(x, y) || isnan(fmax##s(x, y)), "%Lg %Lg", (long double)x, (long double)y); \
        SAME(same##s(m_fdim##s(x, y), fdim##s(x, y)), "%Lg %Lg", (long double)x, (long double)y); \
        if (!isnan(y)) \
            SAME(same##s(m_copysign##s(x, y), copysign##s(x, y)), "%Lg %Lg", (long double)x, (long double)y); \
        type whole, other; \
        SAME(same##s(m_modf##s(x, &whole), modf##s(x, &other)) && same##s(whole, other), "%Lg", (long double)x); \
        type whole_x = trunc##s(x), whole_y = trunc##s(y); \
        if (fabs##s(whole_x) < 1e6 && fabs##s(whole_y) < 1e6) \
            SAME(same##s(m_fmod##s(whole_x, whole_y), fmod##s(whole_x, whole_y)), "%Lg %Lg", (long double)whole_x, (long double)whole_y); \
        SAME(!m___isnan##s(x) == !isnan(x) && m___isinf##s(x) == __builtin_isinf_sign(x), "%Lg", (long double)x); \
        SAME(!m___finite##s(x) == !isfinite(x) && m___fpclassify##s(x) == fpclassify(x), "%Lg", (long double)x); \
        if (!isnan(x)) \
            SAME(!m___signbit##s(x) == !signbit(x), "%Lg", (long double)x); \
    } \
    static type any_float##s(void) \
    { \
        static const double edges[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -1.0, INFINITY, -INFINITY, NAN, \
                                       0.49999999999999994, 4503599627370495.5, 4503599627370496.0, 9007199254740993.0, \
                                       8388607.5, -8388607.5, 1e300, 5e-324, 2147483648.0, -0.3}; \
        if (below(3) == 0) \
            return (type)edges[below(sizeof edges / sizeof *edges)]; \
        if (below(2)) \
            return (type)((int)any() >> below(32)) / (type)(1 << below(5)); \
        bits number = (bits)any(); \
        union { \
            bits number; \
            __typeof__(_Generic((type)0, float: 0.0f, default: 0.0)) value; \
        } u = {number}; \
        return (type)u.value; \
    }
FLOATS(double, uint64_t, )
FLOATS(float, uint32_t, f)
FLOATS(long double, uint64_t, l)

static void compare_floats(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        compare_values(any_float(), any_float());
        compare_valuesf(any_floatf(), any_floatf());
        compare_valuesl(any_floatl(), any_floatl());
    }
}

int main(void)
{
    compare_strings();
    compare_numbers();
    compare_characters();
    compare_memory();
    compare_formats();
    compare_floats();
    SAME(checks_failed == 0, "%d checks of models have failed", checks_failed);
    printf("%ld comparisons, %d differences\n", comparisons, failures);
    return failures != 0;
}
