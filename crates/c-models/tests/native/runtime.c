/* The intrinsics of the models for a real machine; all names have the prefix m_, see models_agree_with_libc.rs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 32

int checks_failed;

void m___lariat_assume(int condition)
{
    if (!condition) {
        fprintf(stderr, "an assumption of a model is false\n");
        exit(3);
    }
}

void m___lariat_check(int condition, const char *check, const char *message)
{
    if (!condition)
        checks_failed++;
}

void m___lariat_stop(void)
{
    fprintf(stderr, "a model has ended the program\n");
    exit(4);
}

void m___lariat_unsupported(const char *reason)
{
    fprintf(stderr, "a model does not support %s\n", reason);
    exit(5);
}

void m___lariat_point_into(char **array, size_t count, char *text, size_t n)
{
    for (size_t i = 0; i < count; i++)
        array[i] = text;
}

void *m___lariat_allocate(size_t bytes, int kind)
{
    char *p = malloc(bytes + HEADER);
    memcpy(p, &bytes, sizeof bytes);
    memset(p + HEADER, 0xaa, bytes);
    return p + HEADER;
}

void m___lariat_free(void *pointer)
{
    if (pointer)
        free((char *)pointer - HEADER);
}

size_t m___lariat_object_size(const void *pointer)
{
    size_t bytes;
    memcpy(&bytes, (const char *)pointer - HEADER, sizeof bytes);
    return bytes;
}

int m___lariat_valid(const void *pointer, size_t n)
{
    return pointer != NULL || n == 0;
}

/* There is one thread. */
int m___lariat_checks(const char *check)
{
    (void)check;
    return 0;
}

void m___lariat_atomic_begin(void)
{
}

void m___lariat_atomic_end(void)
{
}

unsigned long m___lariat_thread_id(void)
{
    return 1;
}

void m___lariat_thread_stop(void)
{
    abort();
}

int m___lariat_uses(const char *function)
{
    return strcmp(function, "setlocale") != 0;
}

void m___lariat_end_thread_objects(void)
{
}

/* What only matters to the analysis of programs. */
void m___lariat_expose(const void *pointer)
{
    (void)pointer;
}

void m___lariat_change_variables(void)
{
}

int m___lariat_has_count_format(void)
{
    return 1;
}

/* The type of typed.c has no padding here. */
void m___lariat_zero_padding(void *to)
{
    (void)to;
}

void m___lariat_copy_padding(void *to, const void *from)
{
    (void)to;
    (void)from;
}

int m___lariat_malloc_may_fail(void)
{
    return 0;
}

void m___lariat_havoc(void *pointer, size_t n)
{
    memset(pointer, 0x55, n);
}

#define ANY(type, name) \
    type m___VERIFIER_nondet_##name(void) { return 0; }
ANY(_Bool, bool)
ANY(char, char)
ANY(unsigned char, uchar)
ANY(short, short)
ANY(unsigned short, ushort)
int m___VERIFIER_nondet_int(void)
{
    return 1; /* an error number */
}
ANY(unsigned int, uint)
ANY(long, long)
ANY(unsigned long, ulong)
ANY(long long, longlong)
ANY(unsigned long long, ulonglong)
ANY(float, float)
ANY(double, double)
ANY(size_t, size_t)

int m___lariat_any_int(void)
{
    return m___VERIFIER_nondet_int();
}

void m___lariat_any_bytes(void *pointer, size_t n)
{
    m___lariat_havoc(pointer, n);
}

#define REAL(type, name) \
    type m___lariat_real_##name(const char *function, type x, type y) { return 0; }
REAL(float, float)
REAL(double, double)
REAL(long double, long_double)

#define ROUNDING(name) \
    double m_native_##name(double x) { return name(x); } \
    float m_native_##name##f(float x) { return name##f(x); } \
    long double m_native_##name##l(long double x) { return name##l(x); }
ROUNDING(floor)
ROUNDING(ceil)
ROUNDING(trunc)
ROUNDING(round)
ROUNDING(rint)
