/* The part of a C library that a harness needs where the machine has no 32-bit libraries:
   memory, strings, long division and the end of the process, for Linux on x86. Output is dropped. */

/* The program may have its own. */
#define WEAK __attribute__((weak))

typedef unsigned int size;
typedef unsigned long long wide;

static int call3(int number, int a, int b, int c)
{
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}

WEAK int write(int file, const void *bytes, size count) { return call3(4, file, (int)bytes, (int)count); }

WEAK void _exit(int code)
{
    for (;;)
        call3(1, code, 0, 0);
}

WEAK void exit(int code) { _exit(code); }
WEAK int atexit(void (*function)(void)) { return 0; }

int main();

/* The stack must be aligned as compilers expect it, and the arguments lie above the return address. */
__asm__(".globl _start\n_start:\n\txorl %ebp, %ebp\n\tmovl %esp, %eax\n\tandl $-16, %esp\n\tsubl $12, %esp\n"
        "\tpushl %eax\n\tcall lariat_start\n");

WEAK void lariat_start(int *stack)
{
    int count = *stack;
    char **arguments = (char **)(stack + 1);
    _exit(main(count, arguments, arguments + count + 1));
}

static char heap[256 << 20] __attribute__((aligned(16)));
static size used;

WEAK void *memset(void *to, int byte, size count)
{
    volatile char *at = to;
    while (count--)
        *at++ = (char)byte;
    return to;
}

WEAK void *memmove(void *to, const void *from, size count)
{
    volatile char *target = to;
    const volatile char *source = from;
    if ((size)target < (size)source)
        for (size i = 0; i < count; i++)
            target[i] = source[i];
    else
        while (count--)
            target[count] = source[count];
    return to;
}

WEAK void *memcpy(void *to, const void *from, size count) { return memmove(to, from, count); }

WEAK int memcmp(const void *left, const void *right, size count)
{
    const unsigned char *a = left, *b = right;
    for (size i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

WEAK void *memchr(const void *bytes, int byte, size count)
{
    const unsigned char *at = bytes;
    for (size i = 0; i < count; i++)
        if (at[i] == (unsigned char)byte)
            return (void *)(at + i);
    return 0;
}

/* Blocks know their size, which `realloc` needs; nothing is ever used again. */
WEAK void *malloc(size count)
{
    size whole = ((count + 15) & ~(size)15) + 16;
    if (whole < count || whole > sizeof heap - used)
        return 0;
    char *block = heap + used;
    used += whole;
    *(size *)block = count;
    return block + 16;
}

WEAK void *calloc(size count, size each)
{
    wide whole = (wide)count * each;
    return whole >> 32 ? 0 : malloc((size)whole);
}

WEAK void free(void *block) {}

WEAK void *realloc(void *block, size count)
{
    void *fresh = malloc(count);
    if (fresh && block) {
        size old = *(size *)((char *)block - 16);
        memmove(fresh, block, old < count ? old : count);
    }
    return fresh;
}

WEAK size strlen(const char *text)
{
    size length = 0;
    while (((volatile const char *)text)[length])
        length++;
    return length;
}

WEAK int strncmp(const char *left, const char *right, size count)
{
    for (size i = 0; i < count; i++) {
        unsigned char a = (unsigned char)left[i], b = (unsigned char)right[i];
        if (a != b)
            return a < b ? -1 : 1;
        if (!a)
            break;
    }
    return 0;
}

WEAK int strcmp(const char *left, const char *right) { return strncmp(left, right, ~(size)0); }

WEAK char *strcpy(char *to, const char *from)
{
    memmove(to, from, strlen(from) + 1);
    return to;
}

WEAK char *strncpy(char *to, const char *from, size count)
{
    size i = 0;
    for (; i < count && from[i]; i++)
        to[i] = from[i];
    for (; i < count; i++)
        to[i] = 0;
    return to;
}

WEAK char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

WEAK char *strchr(const char *text, int byte)
{
    for (;; text++) {
        if (*text == (char)byte)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

WEAK char *strrchr(const char *text, int byte)
{
    char *last = 0;
    for (;; text++) {
        if (*text == (char)byte)
            last = (char *)text;
        if (!*text)
            return last;
    }
}

WEAK int abs(int number) { return number < 0 ? -number : number; }

WEAK int printf(const char *format, ...) { return 0; }
WEAK int puts(const char *text) { return 0; }
WEAK int putchar(int byte) { return byte; }

/* Division of 64 bits, bit by bit. */
static wide divide(wide left, wide right, wide *rest)
{
    wide quotient = 0, remainder = 0;
    for (int bit = 63; bit >= 0; bit--) {
        int carry = (int)(remainder >> 63);
        remainder = remainder << 1 | (left >> bit & 1);
        if (carry || remainder >= right) {
            remainder -= right;
            quotient |= (wide)1 << bit;
        }
    }
    *rest = remainder;
    return quotient;
}

WEAK wide __udivdi3(wide left, wide right)
{
    wide rest;
    return divide(left, right, &rest);
}

WEAK wide __umoddi3(wide left, wide right)
{
    wide rest;
    divide(left, right, &rest);
    return rest;
}

static wide magnitude(long long number) { return number < 0 ? -(wide)number : (wide)number; }

WEAK long long __divdi3(long long left, long long right)
{
    wide rest, quotient = divide(magnitude(left), magnitude(right), &rest);
    return (long long)((left < 0) != (right < 0) ? -quotient : quotient);
}

WEAK long long __moddi3(long long left, long long right)
{
    wide rest;
    divide(magnitude(left), magnitude(right), &rest);
    return (long long)(left < 0 ? -rest : rest);
}
