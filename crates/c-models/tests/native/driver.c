/* Runs a function of a C filetest: FUNCTION's inputs are the arguments, or random ones for `seed N`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void OK(void);
void BAD(void);

static char **inputs;
static int is_random;
static uint64_t state;

static uint64_t any(void)
{
    static const uint64_t edges[] = {0, 1, 2, 3, 5, 7, 8, 127, 128, 255, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
                                     0xffffffff, INT64_MAX, UINT64_MAX, UINT64_MAX - 1};
    for (int i = 0; i < 3; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return state % 2 ? edges[state / 2 % (sizeof edges / sizeof *edges)] : state >> state % 61;
}

static const char *next(void)
{
    return *inputs ? *inputs++ : "0";
}

#define ANY(type, name) \
    type __VERIFIER_nondet_##name(void) \
    { \
        if (is_random) \
            return (type)any(); \
        const char *text = next(); \
        return (type)(*text == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10)); \
    }
ANY(char, char)
ANY(unsigned char, uchar)
ANY(short, short)
ANY(int, int)
ANY(unsigned int, uint)
ANY(long long, longlong)
ANY(unsigned long long, ulonglong)

double __VERIFIER_nondet_double(void)
{
    return is_random ? (double)(int64_t)any() / (double)(1 << any() % 20) : strtod(next(), NULL);
}

float __VERIFIER_nondet_float(void)
{
    return (float)__VERIFIER_nondet_double();
}

void __VERIFIER_assume(int condition)
{
    if (!condition)
        exit(77);
}

void __VERIFIER_error(void)
{
    fprintf(stderr, "__VERIFIER_error is called\n");
    exit(1);
}

int main(int argc, char **argv)
{
    is_random = argc > 2 && strcmp(argv[1], "seed") == 0;
    if (is_random) {
        state = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15ULL;
        OK();
    } else {
        inputs = argv + 1;
        BAD();
    }
    fprintf(stderr, "returned\n");
    return 0;
}
