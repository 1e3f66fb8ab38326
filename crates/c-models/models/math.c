/*
 * math.h for double, rounding to nearest; the files for float and long double are made of this one (src/math.rs). Exact:
 * absolute value, sqrt, fma and rounding to integers (by the solver), minimum and maximum, classification, remainders,
 * exponents. errno is set as glibc does it; the floating-point exceptions are not modelled. transcendental.c has the rest.
 */



/* Whether the value is not a number. */
int __isnan(double x)
{
    return x != x;
}

/* Whether the value is not a number. */
int isnan(double x)
{
    return x != x;
}

/* 1 for plus infinity, -1 for minus infinity, otherwise 0. */
int __isinf(double x)
{
    if (x == x && x - x != 0.0)
        return x > 0.0 ? 1 : -1;
    return 0;
}

/* 1 for plus infinity, -1 for minus infinity, otherwise 0. */
int isinf(double x)
{
    return __isinf(x);
}

/* Whether the value is neither infinite nor not a number. */
int __finite(double x)
{
    return x - x == 0.0;
}

/* Whether the value is neither infinite nor not a number. */
int finite(double x)
{
    return x - x == 0.0;
}

/* Whether the sign is minus; of what is not a number, anything. */
int __signbit(double x)
{
    return __builtin_signbit(x);
}

/* 0 not a number, 1 infinite, 2 zero, 3 subnormal, 4 normal. */
int __fpclassify(double x)
{
    if (x != x)
        return 0;
    if (x - x != 0.0)
        return 1;
    if (x == 0.0)
        return 2;
    return __builtin_isnormal(x) ? 4 : 3;
}

/* |x|. */
double fabs(double x)
{
    return __builtin_fabs(x);
}

/* |x| with the sign of y. */
double copysign(double x, double y)
{
    double magnitude = fabs(x);
    return __signbit(y) ? -magnitude : magnitude;
}

/* The square root, rounded correctly. */
double sqrt(double x)
{
    if (x < 0.0)
        __lariat_fail_with(33);
    return __builtin_sqrt(x);
}

/* The nearest integer towards zero. */
double trunc(double x)
{
    return __builtin_trunc(x);
}

/* The largest integer that is not greater. */
double floor(double x)
{
    return __builtin_floor(x);
}

/* The smallest integer that is not less. */
double ceil(double x)
{
    return __builtin_ceil(x);
}

/* The nearest integer, halves away from zero. */
double round(double x)
{
    return __builtin_round(x);
}

/* The nearest integer, halves to even. */
double rint(double x)
{
    return __builtin_rint(x);
}

/* rint without its exception. */
double nearbyint(double x)
{
    return rint(x);
}

/* rint as an integer; undefined where it does not fit. */
long lrint(double x)
{
    return (long)rint(x);
}

/* round as an integer; undefined where it does not fit. */
long lround(double x)
{
    return (long)round(x);
}

/* rint as an integer; undefined where it does not fit. */
long long llrint(double x)
{
    return (long long)rint(x);
}

/* round as an integer; undefined where it does not fit. */
long long llround(double x)
{
    return (long long)round(x);
}

/* The smaller one; the other one if one is not a number. */
double fmin(double x, double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    if (x == y)
        return __VERIFIER_nondet_bool() ? x : y;
    return x < y ? x : y;
}

/* The larger one; the other one if one is not a number. */
double fmax(double x, double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    if (x == y)
        return __VERIFIER_nondet_bool() ? x : y;
    return x > y ? x : y;
}

/* x - y if that is positive, otherwise 0. */
double fdim(double x, double y)
{
    return x != x || y != y || x > y ? x - y : 0.0;
}

/* 2^n, for exponents of normal numbers. */
static double __lariat_power(int n)
{
    double power = 1.0;
    double factor = n < 0 ? 0.5 : 2.0;
    int left = n < 0 ? -n : n;
    for (int bit = 1; bit < __DBL_MAX_EXP__; bit *= 2) {
        if (left & bit)
            power *= factor;
        factor *= factor;
    }
    return power;
}

/* Whether x, which is not negative, is a small multiple of 2^-20. */
static int __lariat_is_short(double x)
{
    return x < 4398046511104.0 && (double)(long long)(x * 1048576.0) == x * 1048576.0;
}

/* x - n * y for the whole number n next to x / y towards zero: exact. The doublings and differences are. */
double fmod(double x, double y)
{
    if (x != x || y != y)
        return 0.0 / 0.0;
    if (x - x != 0.0 || y == 0.0) {
        __lariat_fail_with(33);
        return 0.0 / 0.0;
    }
    double rest = fabs(x);
    double right = fabs(y);
    if (rest < right)
        return x;
    if (__lariat_is_short(rest) && __lariat_is_short(right)) {
        long long left = (long long)(rest * 1048576.0) % (long long)(right * 1048576.0);
        return copysign((double)left * 0x1.0p-20, x);
    }
    double multiple = right;
    while (rest - multiple >= multiple)
        multiple *= 2.0;
    while (rest >= right) {
        if (rest >= multiple)
            rest -= multiple;
        multiple *= 0.5;
    }
    return copysign(rest, x);
}

/* fmod, but n is the whole number nearest to x / y, the even one of two; its last bits and sign are stored. */
double remquo(double x, double y, int *quotient)
{
    *quotient = 0;
    if (x != x || y != y || x - x != 0.0 || y == 0.0)
        return 0.0 / 0.0;
    double rest = fabs(x);
    double right = fabs(y);
    unsigned int count = 0;
    double multiple = right;
    if (__lariat_is_short(rest) && __lariat_is_short(right)) {
        long long left = (long long)(rest * 1048576.0);
        long long by = (long long)(right * 1048576.0);
        count = (unsigned int)(left / by);
        rest = (double)(left % by) * 0x1.0p-20;
        multiple = 0.0;
    }
    while (multiple > 0.0 && rest - multiple >= multiple)
        multiple *= 2.0;
    while (multiple >= right) {
        count *= 2;
        if (rest >= multiple) {
            rest -= multiple;
            count++;
        }
        if (multiple == right)
            break;
        multiple *= 0.5;
    }
    count &= 7;
    if (right - rest < rest || (right - rest == rest && (count & 1) == 1)) {
        rest -= right;
        count++;
    }
    *quotient = __signbit(x) == __signbit(y) ? (int)count : -(int)count;
    if (rest == 0.0)
        return copysign(0.0, x);
    return __signbit(x) ? -rest : rest;
}

/* x - n * y for the whole number n nearest to x / y, the even one of two. */
double remainder(double x, double y)
{
    int quotient;
    if (x == x && y == y && (x - x != 0.0 || y == 0.0))
        __lariat_fail_with(33);
    return remquo(x, y, &quotient);
}

/* remainder(). */
double drem(double x, double y)
{
    return remainder(x, y);
}

/* The integer part is stored, the rest returned. */
double modf(double x, double *whole)
{
    *whole = trunc(x);
    if (x == x && x - x != 0.0)
        return copysign(0.0, x);
    return copysign(x - *whole, x);
}

/* x * 2^exponent, rounded once. */
static double __lariat_scaled(double x, int exponent)
{
    if (x != x || x - x != 0.0 || x == 0.0 || exponent == 0)
        return x;
    if (exponent >= 0 && exponent <= 62)
        return x * (double)(1LL << exponent);
    if (exponent >= -62 && exponent < 0)
        return x / (double)(1LL << -exponent);
    /* Steps that keep the number normal round nothing; the last one may. */
    const int most = __DBL_MAX_EXP__ - 1;
    const int least = __DBL_MIN_EXP__ - 1 + __DBL_MANT_DIG__;
    double y = x;
    for (int step = 0; step < 2; step++) {
        if (exponent > most) {
            y *= __lariat_power(most);
            exponent -= most;
        } else if (exponent < least) {
            y *= __lariat_power(least);
            exponent -= least;
        }
    }
    if (exponent > most)
        exponent = most;
    if (exponent < least)
        exponent = least;
    return y * __lariat_power(exponent);
}

/* x * 2^exponent, rounded once; a range error if that is infinite or 0, and x is neither. */
double ldexp(double x, int exponent)
{
    double y = __lariat_scaled(x, exponent);
    if (x - x == 0.0 && x != 0.0 && (y - y != 0.0 || y == 0.0))
        __lariat_fail_with(34);
    return y;
}

/* x * 2^exponent, rounded once. */
double scalbn(double x, int exponent)
{
    return ldexp(x, exponent);
}

/* x * 2^exponent, rounded once. */
double scalbln(double x, long exponent)
{
    if (exponent > 100000)
        exponent = 100000;
    if (exponent < -100000)
        exponent = -100000;
    return ldexp(x, (int)exponent);
}

/* A number from 1/2 to 1 and an exponent: their product is |x|, which is finite and not 0. */
static double __lariat_split(double x, int *exponent)
{
    double left = fabs(x);
    int count = 0;
    if (left >= 1.0 && left < 4611686018427387904.0) {
        count = 64 - __builtin_clzll((unsigned long long)left);
        *exponent = count;
        return left / (double)(1LL << count);
    }
    if (left < 1.0 && left * 4611686018427387904.0 >= 1.0) {
        double scaled = left * 4611686018427387904.0;
        count = 64 - __builtin_clzll((unsigned long long)scaled);
        *exponent = count - 62;
        return scaled / (double)(1LL << count);
    }
    if (!__builtin_isnormal(left)) {
        left *= __lariat_power(__DBL_MANT_DIG__);
        count = -__DBL_MANT_DIG__;
    }
    for (int step = __DBL_MAX_EXP__ / 2; step > 0; step /= 2) {
        double power = __lariat_power(step);
        if (left >= power) {
            left *= __lariat_power(-step);
            count += step;
        } else if (left * power < 2.0) {
            left *= power;
            count -= step;
        }
    }
    *exponent = count + 1;
    return left * 0.5;
}

/* A mantissa from 1/2 to 1 and an exponent. */
double frexp(double x, int *exponent)
{
    if (x != x || x - x != 0.0) {
        *exponent = __VERIFIER_nondet_int();
        return x;
    }
    if (x == 0.0) {
        *exponent = 0;
        return x;
    }
    return copysign(__lariat_split(x, exponent), x);
}

/* The exponent of x as a number. */
double logb(double x)
{
    if (x != x)
        return x;
    if (x - x != 0.0)
        return 1.0 / 0.0;
    if (x == 0.0)
        return -1.0 / 0.0;
    int exponent;
    __lariat_split(x, &exponent);
    return (double)(exponent - 1);
}

/* The exponent of x; INT_MIN of 0 and of what is not a number, INT_MAX of infinity. */
int ilogb(double x)
{
    if (x == 0.0 || x != x)
        return INT_MIN;
    if (x - x != 0.0)
        return INT_MAX;
    int exponent;
    __lariat_split(x, &exponent);
    return exponent - 1;
}

/* x * y + z, rounded once. */
double fma(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}
