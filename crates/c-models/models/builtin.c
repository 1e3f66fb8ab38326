/* The compiler's functions that the verifier does not know itself: __builtin_NAME is bound to NAME. */

/* One more than the place of the lowest bit that is set, or 0. */
int ffsll(long long x)
{
    return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1;
}

/* One more than the place of the lowest bit that is set, or 0. */
int ffsl(long x)
{
    return x == 0 ? 0 : __builtin_ctzll((unsigned long)x) + 1;
}

/* One more than the place of the lowest bit that is set, or 0. */
int ffs(int x)
{
    return x == 0 ? 0 : __builtin_ctz((unsigned int)x) + 1;
}

/* x + y + carry; whether that wraps around is stored. */
unsigned char __lariat_addcb(unsigned char x, unsigned char y, unsigned char carry, unsigned char *out)
{
    unsigned char sum = (unsigned char)(x + y);
    unsigned char all = (unsigned char)(sum + carry);
    *out = sum < x || all < sum;
    return all;
}

/* x - y - borrow; whether that wraps around is stored. */
unsigned char __lariat_subcb(unsigned char x, unsigned char y, unsigned char borrow, unsigned char *out)
{
    unsigned char rest = (unsigned char)(x - y);
    unsigned char all = (unsigned char)(rest - borrow);
    *out = x < y || rest < borrow;
    return all;
}

/* x + y + carry; whether that wraps around is stored. */
unsigned short __lariat_addcs(unsigned short x, unsigned short y, unsigned short carry, unsigned short *out)
{
    unsigned short sum = (unsigned short)(x + y);
    unsigned short all = (unsigned short)(sum + carry);
    *out = sum < x || all < sum;
    return all;
}

/* x - y - borrow; whether that wraps around is stored. */
unsigned short __lariat_subcs(unsigned short x, unsigned short y, unsigned short borrow, unsigned short *out)
{
    unsigned short rest = (unsigned short)(x - y);
    unsigned short all = (unsigned short)(rest - borrow);
    *out = x < y || rest < borrow;
    return all;
}

/* x + y + carry; whether that wraps around is stored. */
unsigned int __lariat_addc(unsigned int x, unsigned int y, unsigned int carry, unsigned int *out)
{
    unsigned int sum = (unsigned int)(x + y);
    unsigned int all = (unsigned int)(sum + carry);
    *out = sum < x || all < sum;
    return all;
}

/* x - y - borrow; whether that wraps around is stored. */
unsigned int __lariat_subc(unsigned int x, unsigned int y, unsigned int borrow, unsigned int *out)
{
    unsigned int rest = (unsigned int)(x - y);
    unsigned int all = (unsigned int)(rest - borrow);
    *out = x < y || rest < borrow;
    return all;
}

/* x + y + carry; whether that wraps around is stored. */
unsigned long __lariat_addcl(unsigned long x, unsigned long y, unsigned long carry, unsigned long *out)
{
    unsigned long sum = (unsigned long)(x + y);
    unsigned long all = (unsigned long)(sum + carry);
    *out = sum < x || all < sum;
    return all;
}

/* x - y - borrow; whether that wraps around is stored. */
unsigned long __lariat_subcl(unsigned long x, unsigned long y, unsigned long borrow, unsigned long *out)
{
    unsigned long rest = (unsigned long)(x - y);
    unsigned long all = (unsigned long)(rest - borrow);
    *out = x < y || rest < borrow;
    return all;
}

/* x + y + carry; whether that wraps around is stored. */
unsigned long long __lariat_addcll(unsigned long long x, unsigned long long y, unsigned long long carry, unsigned long long *out)
{
    unsigned long long sum = (unsigned long long)(x + y);
    unsigned long long all = (unsigned long long)(sum + carry);
    *out = sum < x || all < sum;
    return all;
}

/* x - y - borrow; whether that wraps around is stored. */
unsigned long long __lariat_subcll(unsigned long long x, unsigned long long y, unsigned long long borrow, unsigned long long *out)
{
    unsigned long long rest = (unsigned long long)(x - y);
    unsigned long long all = (unsigned long long)(rest - borrow);
    *out = x < y || rest < borrow;
    return all;
}

/* The bits go round to the left by n modulo 8. */
unsigned char __lariat_rotateleft8(unsigned char x, unsigned char n)
{
    n %= 8;
    return n == 0 ? x : (unsigned char)(x << n | x >> (8 - n));
}

/* The bits go round to the right by n modulo 8. */
unsigned char __lariat_rotateright8(unsigned char x, unsigned char n)
{
    n %= 8;
    return n == 0 ? x : (unsigned char)(x >> n | x << (8 - n));
}

/* The bits go round to the left by n modulo 16. */
unsigned short __lariat_rotateleft16(unsigned short x, unsigned short n)
{
    n %= 16;
    return n == 0 ? x : (unsigned short)(x << n | x >> (16 - n));
}

/* The bits go round to the right by n modulo 16. */
unsigned short __lariat_rotateright16(unsigned short x, unsigned short n)
{
    n %= 16;
    return n == 0 ? x : (unsigned short)(x >> n | x << (16 - n));
}

/* The bits go round to the left by n modulo 32. */
unsigned int __lariat_rotateleft32(unsigned int x, unsigned int n)
{
    n %= 32;
    return n == 0 ? x : (unsigned int)(x << n | x >> (32 - n));
}

/* The bits go round to the right by n modulo 32. */
unsigned int __lariat_rotateright32(unsigned int x, unsigned int n)
{
    n %= 32;
    return n == 0 ? x : (unsigned int)(x >> n | x << (32 - n));
}

/* The bits go round to the left by n modulo 64. */
unsigned long long __lariat_rotateleft64(unsigned long long x, unsigned long long n)
{
    n %= 64;
    return n == 0 ? x : (unsigned long long)(x << n | x >> (64 - n));
}

/* The bits go round to the right by n modulo 64. */
unsigned long long __lariat_rotateright64(unsigned long long x, unsigned long long n)
{
    n %= 64;
    return n == 0 ? x : (unsigned long long)(x >> n | x << (64 - n));
}

/* How many bits behind the sign are equal to it. */
int __lariat_clrsb(int x)
{
    unsigned rest = (unsigned)(x < 0 ? ~x : x);
    return rest == 0 ? 8 * (int)sizeof x - 1 : __builtin_clz(rest) - 1;
}

/* How many bits behind the sign are equal to it. */
int __lariat_clrsbl(long x)
{
    unsigned long rest = (unsigned long)(x < 0 ? ~x : x);
    return rest == 0 ? 8 * (int)sizeof x - 1 : __builtin_clzl(rest) - 1;
}

/* How many bits behind the sign are equal to it. */
int __lariat_clrsbll(long long x)
{
    unsigned long long rest = (unsigned long long)(x < 0 ? ~x : x);
    return rest == 0 ? 8 * (int)sizeof x - 1 : __builtin_clzll(rest) - 1;
}
