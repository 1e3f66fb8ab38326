/* The compiler's own functions: __builtin_NAME is bound to __lariat_builtin_NAME. */

/* What cannot be reached: a program that gets here has no meaning, so the path ends. */
void __lariat_builtin_unreachable(void)
{
    __lariat_stop();
}

/* The program ends abnormally. */
void __lariat_builtin_trap(void)
{
    __lariat_check(0, "abort", "__builtin_trap() is called");
    __lariat_stop();
}

/* Without effect. */
void __lariat_builtin_prefetch(const void *address, ...)
{
}

/* The two bytes the other way round. */
unsigned short __lariat_builtin_bswap16(unsigned short x)
{
    return (unsigned short)((x >> 8) | (x << 8));
}

/* The four bytes the other way round. */
unsigned int __lariat_builtin_bswap32(unsigned int x)
{
    return (x >> 24) | ((x >> 8) & 0xff00U) | ((x << 8) & 0xff0000U) | (x << 24);
}

/* The eight bytes the other way round. */
unsigned long long __lariat_builtin_bswap64(unsigned long long x)
{
    unsigned long long low = __lariat_builtin_bswap32((unsigned int)x);
    unsigned long long high = __lariat_builtin_bswap32((unsigned int)(x >> 32));
    return (low << 32) | high;
}

/* The number of bits that are set. */
int __lariat_builtin_popcountll(unsigned long long x)
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += (int)((x >> i) & 1);
    return count;
}

/* The number of bits that are set. */
int __lariat_builtin_popcount(unsigned int x)
{
    int count = 0;
    for (int i = 0; i < 32; i++)
        count += (int)((x >> i) & 1);
    return count;
}

/* The number of bits that are set. */
int __lariat_builtin_popcountl(unsigned long x)
{
    return __lariat_builtin_popcountll(x);
}

/* Whether the number of bits that are set is odd. */
int __lariat_builtin_parity(unsigned int x)
{
    return __lariat_builtin_popcount(x) & 1;
}

/* Whether the number of bits that are set is odd. */
int __lariat_builtin_parityl(unsigned long x)
{
    return __lariat_builtin_popcountll(x) & 1;
}

/* Whether the number of bits that are set is odd. */
int __lariat_builtin_parityll(unsigned long long x)
{
    return __lariat_builtin_popcountll(x) & 1;
}

/* The number of zeros below the lowest bit that is set; anything for 0. */
int __lariat_builtin_ctzll(unsigned long long x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    int count = 0;
    while (((x >> count) & 1) == 0)
        count++;
    return count;
}

/* The number of zeros below the lowest bit that is set; anything for 0. */
int __lariat_builtin_ctz(unsigned int x)
{
    return __lariat_builtin_ctzll(x);
}

/* The number of zeros below the lowest bit that is set; anything for 0. */
int __lariat_builtin_ctzl(unsigned long x)
{
    return __lariat_builtin_ctzll(x);
}

/* The number of zeros above the highest bit that is set; anything for 0. */
int __lariat_builtin_clzll(unsigned long long x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    int count = 0;
    while (((x >> (63 - count)) & 1) == 0)
        count++;
    return count;
}

/* The number of zeros above the highest bit that is set; anything for 0. */
int __lariat_builtin_clz(unsigned int x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    return __lariat_builtin_clzll(x) - 32;
}

/* The number of zeros above the highest bit that is set; anything for 0. */
int __lariat_builtin_clzl(unsigned long x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    return __lariat_builtin_clzll(x) - (64 - CHAR_BIT * (int)sizeof(long));
}

/* One more than the place of the lowest bit that is set, or 0. */
int ffsll(long long x)
{
    return x == 0 ? 0 : __lariat_builtin_ctzll((unsigned long long)x) + 1;
}

/* One more than the place of the lowest bit that is set, or 0. */
int ffs(int x)
{
    return x == 0 ? 0 : __lariat_builtin_ctzll((unsigned int)x) + 1;
}

/* One more than the place of the lowest bit that is set, or 0. */
int ffsl(long x)
{
    return x == 0 ? 0 : __lariat_builtin_ctzll((unsigned long)x) + 1;
}
