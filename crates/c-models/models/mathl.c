/* math.h for long double: see math.c. */

/* Whether the value is not a number. */
int __isnanl(long double x)
{
    return x != x;
}

/* Whether the value is not a number. */
int isnanl(long double x)
{
    return x != x;
}

/* 1 for plus infinity, -1 for minus infinity, otherwise 0. */
int __isinfl(long double x)
{
    if (x == x && x - x != 0.0L)
        return x > 0.0L ? 1 : -1;
    return 0;
}

/* 1 for plus infinity, -1 for minus infinity, otherwise 0. */
int isinfl(long double x)
{
    return __isinfl(x);
}

/* Whether the value is neither infinite nor not a number. */
int __finitel(long double x)
{
    return x - x == 0.0L;
}

/* Whether the value is neither infinite nor not a number. */
int finitel(long double x)
{
    return x - x == 0.0L;
}

/* Whether the sign is minus; of what is not a number, anything. */
int __signbitl(long double x)
{
    if (x != x)
        return __VERIFIER_nondet_bool();
    return __builtin_signbitl(x);
}

/* 0 not a number, 1 infinite, 2 zero, 3 subnormal, 4 normal. */
int __fpclassifyl(long double x)
{
    if (x != x)
        return 0;
    if (x - x != 0.0L)
        return 1;
    if (x == 0.0L)
        return 2;
    long double small = 0x1p-1000L * 0x1p-1000L;
    small = small * small;
    small = small * small;
    long double smallest = small * small * 0x1p-382L; /* 2^-16382 */
    return x < smallest && x > -smallest ? 3 : 4;
}

/* |x|. */
long double fabsl(long double x)
{
    return __builtin_fabsl(x);
}

/* |x| with the sign of y. */
long double copysignl(long double x, long double y)
{
    long double magnitude = fabsl(x);
    return __signbitl(y) ? -magnitude : magnitude;
}

/* The square root, rounded correctly. */
long double sqrtl(long double x)
{
    return __builtin_sqrtl(x);
}

/* The nearest integer towards zero. */
long double truncl(long double x)
{
    return __builtin_truncl(x);
}

/* The largest integer that is not greater. */
long double floorl(long double x)
{
    return __builtin_floorl(x);
}

/* The smallest integer that is not less. */
long double ceill(long double x)
{
    return __builtin_ceill(x);
}

/* The nearest integer, halves away from zero. */
long double roundl(long double x)
{
    return __builtin_roundl(x);
}

/* The nearest integer, halves to even. */
long double rintl(long double x)
{
    return __builtin_rintl(x);
}

/* rint without its exception. */
long double nearbyintl(long double x)
{
    return rintl(x);
}

/* rint as an integer; undefined where it does not fit. */
long lrintl(long double x)
{
    return (long)rintl(x);
}

/* round as an integer; undefined where it does not fit. */
long lroundl(long double x)
{
    return (long)roundl(x);
}

/* rint as an integer; undefined where it does not fit. */
long long llrintl(long double x)
{
    return (long long)rintl(x);
}

/* round as an integer; undefined where it does not fit. */
long long llroundl(long double x)
{
    return (long long)roundl(x);
}

/* The smaller one; the other one if one is not a number. */
long double fminl(long double x, long double y)
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
long double fmaxl(long double x, long double y)
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
long double fdiml(long double x, long double y)
{
    return x != x || y != y || x > y ? x - y : 0.0L;
}

/* Some value between 0 and |y| with the sign of x; exact for integers and where |x| < |y|. */
long double fmodl(long double x, long double y)
{
    if (x != x || y != y || x - x != 0.0L || y == 0.0L)
        return 0.0L / 0.0L;
    long double left = fabsl(x);
    long double right = fabsl(y);
    if (left < right)
        return x;
    if (left < 9223372036854775808.0L && right < 9223372036854775808.0L && (long double)(long long)left == left && (long double)(long long)right == right)
        return copysignl((long double)((long long)left % (long long)right), x);
    long double rest = (long double)__VERIFIER_nondet_double();
    __lariat_assume(rest >= 0.0L && rest < right);
    return copysignl(rest, x);
}

/* The integer part is stored, the rest returned. */
long double modfl(long double x, long double *whole)
{
    *whole = truncl(x);
    if (x == x && x - x != 0.0L)
        return copysignl(0.0L, x);
    return copysignl(x - *whole, x);
}

/* Some value in [-1, 1]; not a number for infinite arguments. */
static long double __lariat_wavel(long double x)
{
    if (x - x != 0.0L)
        return 0.0L / 0.0L;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(y >= -1.0L && y <= 1.0L);
    return y;
}

/* Some value in [-1, 1]; 0 of 0. */
long double sinl(long double x)
{
    return x == 0.0L ? x : __lariat_wavel(x);
}

/* Some value in [-1, 1]; 1 of 0. */
long double cosl(long double x)
{
    return x == 0.0L ? 1.0L : __lariat_wavel(x);
}

/* Any value; 0 of 0. */
long double tanl(long double x)
{
    return x == 0.0L ? x : (long double)__VERIFIER_nondet_double();
}

/* Some angle from -pi/2 to pi/2. */
long double asinl(long double x)
{
    if (x != x || x < -1.0L || x > 1.0L)
        return 0.0L / 0.0L;
    if (x == 0.0L)
        return x;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(y >= -3.1415926535897936 / 2 && y <= 3.1415926535897936 / 2);
    return y;
}

/* Some angle from -pi/2 to pi/2. */
long double atanl(long double x)
{
    if (x != x)
        return 0.0L / 0.0L;
    if (x == 0.0L)
        return x;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(y >= -3.1415926535897936 / 2 && y <= 3.1415926535897936 / 2);
    return y;
}

/* Some angle from 0 to pi. */
long double acosl(long double x)
{
    if (x != x || x < -1.0L || x > 1.0L)
        return 0.0L / 0.0L;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(y >= 0.0L && y <= 3.1415926535897936);
    return y;
}

/* Some angle from -pi to pi. */
long double atan2l(long double y, long double x)
{
    if (x != x || y != y)
        return 0.0L / 0.0L;
    long double angle = (long double)__VERIFIER_nondet_double();
    __lariat_assume(angle >= -3.1415926535897936 && angle <= 3.1415926535897936);
    return angle;
}

/* Any value; 0 of 0. */
long double sinhl(long double x)
{
    return x == 0.0L ? x : (long double)__VERIFIER_nondet_double();
}

/* Any value; 0 of 0. */
long double tanhl(long double x)
{
    return x == 0.0L ? x : (long double)__VERIFIER_nondet_double();
}

/* Any value; 0 of 0. */
long double cbrtl(long double x)
{
    return x == 0.0L ? x : (long double)__VERIFIER_nondet_double();
}

/* Any value; 0 of 0. */
long double asinhl(long double x)
{
    return x == 0.0L ? x : (long double)__VERIFIER_nondet_double();
}

/* Any value; 0 of 0. */
long double atanhl(long double x)
{
    return x == 0.0L ? x : (long double)__VERIFIER_nondet_double();
}

/* Any value; 0 of 0. */
long double erfl(long double x)
{
    return x == 0.0L ? x : (long double)__VERIFIER_nondet_double();
}

/* Any value; 0 of 0. */
long double expm1l(long double x)
{
    return x == 0.0L ? x : (long double)__VERIFIER_nondet_double();
}

/* Any value; 0 of 0. */
long double log1pl(long double x)
{
    return x == 0.0L ? x : (long double)__VERIFIER_nondet_double();
}

/* Any value. */
long double coshl(long double x)
{
    return (long double)__VERIFIER_nondet_double();
}

/* Any value. */
long double acoshl(long double x)
{
    return (long double)__VERIFIER_nondet_double();
}

/* Any value. */
long double tgammal(long double x)
{
    return (long double)__VERIFIER_nondet_double();
}

/* Any value. */
long double lgammal(long double x)
{
    return (long double)__VERIFIER_nondet_double();
}

/* Any value. */
long double erfcl(long double x)
{
    return (long double)__VERIFIER_nondet_double();
}

/* Some value that is not negative; 1 of 0. */
long double expl(long double x)
{
    if (x != x)
        return x;
    if (x == 0.0L)
        return 1.0L;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(y >= 0.0L);
    return y;
}

/* Some value that is not negative; 1 of 0. */
long double exp2l(long double x)
{
    if (x != x)
        return x;
    if (x == 0.0L)
        return 1.0L;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(y >= 0.0L);
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
long double logl(long double x)
{
    if (x != x || x < 0.0L)
        return 0.0L / 0.0L;
    if (x == 0.0L)
        return -1.0L / 0.0L;
    if (x == 1.0L)
        return 0.0L;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(x < 1.0L ? y <= 0.0L : y >= 0.0L);
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
long double log2l(long double x)
{
    if (x != x || x < 0.0L)
        return 0.0L / 0.0L;
    if (x == 0.0L)
        return -1.0L / 0.0L;
    if (x == 1.0L)
        return 0.0L;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(x < 1.0L ? y <= 0.0L : y >= 0.0L);
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
long double log10l(long double x)
{
    if (x != x || x < 0.0L)
        return 0.0L / 0.0L;
    if (x == 0.0L)
        return -1.0L / 0.0L;
    if (x == 1.0L)
        return 0.0L;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(x < 1.0L ? y <= 0.0L : y >= 0.0L);
    return y;
}

/* Any value; 1 where y is 0 or x is 1, x where y is 1, not negative where x is not. */
long double powl(long double x, long double y)
{
    if (y == 0.0L || x == 1.0L)
        return 1.0L;
    if (x != x || y != y)
        return 0.0L / 0.0L;
    if (y == 1.0L)
        return x;
    long double z = (long double)__VERIFIER_nondet_double();
    __lariat_assume(x < 0.0L || z >= 0.0L);
    return z;
}

/* Some length, at least that of each side. */
long double hypotl(long double x, long double y)
{
    if ((x == x && x - x != 0.0L) || (y == y && y - y != 0.0L))
        return 1.0L / 0.0L;
    if (x != x || y != y)
        return 0.0L / 0.0L;
    long double length = (long double)__VERIFIER_nondet_double();
    __lariat_assume(length >= fabsl(x) && length >= fabsl(y));
    return length;
}

/* x * 2^exponent: any value with the sign of x; x where that is 0 or infinite. */
long double ldexpl(long double x, int exponent)
{
    if (x != x || x - x != 0.0L || x == 0.0L || exponent == 0)
        return x;
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(x < 0.0L ? y <= 0.0L : y >= 0.0L);
    return y;
}

/* A mantissa from 1/2 to 1 and an exponent. */
long double frexpl(long double x, int *exponent)
{
    if (x != x || x - x != 0.0L) {
        *exponent = __VERIFIER_nondet_int();
        return x;
    }
    if (x == 0.0L) {
        *exponent = 0;
        return x;
    }
    *exponent = __VERIFIER_nondet_int();
    long double y = (long double)__VERIFIER_nondet_double();
    __lariat_assume(y >= 0.5L && y < 1.0L);
    return x < 0.0L ? -y : y;
}
