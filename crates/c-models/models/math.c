/*
 * math.h, rounding to nearest. Exact: absolute value, sqrt and rounding to integers (by the solver), minimum and maximum,
 * classification, fmod where it can be told by integers. The transcendental functions give any value of their range: C
 * promises no accuracy for them. errno and the floating-point exceptions are not modelled.
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
    if (x != x)
        return __VERIFIER_nondet_bool();
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

/* Some value between 0 and |y| with the sign of x; exact for integers and where |x| < |y|. */
double fmod(double x, double y)
{
    if (x != x || y != y || x - x != 0.0 || y == 0.0)
        return 0.0 / 0.0;
    double left = fabs(x);
    double right = fabs(y);
    if (left < right)
        return x;
    if (left < 4503599627370496.0 && right < 4503599627370496.0 && (double)(long long)left == left && (double)(long long)right == right)
        return copysign((double)((long long)left % (long long)right), x);
    double rest = __lariat_any_double();
    __lariat_assume(rest >= 0.0 && rest < right);
    return copysign(rest, x);
}

/* The integer part is stored, the rest returned. */
double modf(double x, double *whole)
{
    *whole = trunc(x);
    if (x == x && x - x != 0.0)
        return copysign(0.0, x);
    return copysign(x - *whole, x);
}

/* Some value in [-1, 1]; not a number for infinite arguments. */
static double __lariat_wave(double x)
{
    if (x - x != 0.0)
        return 0.0 / 0.0;
    double y = __lariat_any_double();
    __lariat_assume(y >= -1.0 && y <= 1.0);
    return y;
}

/* Some value in [-1, 1]; 0 of 0. */
double sin(double x)
{
    return x == 0.0 ? x : __lariat_wave(x);
}

/* Some value in [-1, 1]; 1 of 0. */
double cos(double x)
{
    return x == 0.0 ? 1.0 : __lariat_wave(x);
}

/* Any value; 0 of 0. */
double tan(double x)
{
    return x == 0.0 ? x : __lariat_any_double();
}

/* Some angle from -pi/2 to pi/2. */
double asin(double x)
{
    if (x != x || x < -1.0 || x > 1.0)
        return 0.0 / 0.0;
    if (x == 0.0)
        return x;
    double y = __lariat_any_double();
    __lariat_assume(y >= -0x1.921fb54442d19p+1 / 2 && y <= 0x1.921fb54442d19p+1 / 2);
    return y;
}

/* Some angle from -pi/2 to pi/2. */
double atan(double x)
{
    if (x != x)
        return 0.0 / 0.0;
    if (x == 0.0)
        return x;
    double y = __lariat_any_double();
    __lariat_assume(y >= -0x1.921fb54442d19p+1 / 2 && y <= 0x1.921fb54442d19p+1 / 2);
    return y;
}

/* Some angle from 0 to pi. */
double acos(double x)
{
    if (x != x || x < -1.0 || x > 1.0)
        return 0.0 / 0.0;
    double y = __lariat_any_double();
    __lariat_assume(y >= 0.0 && y <= 0x1.921fb54442d19p+1);
    return y;
}

/* Some angle from -pi to pi. */
double atan2(double y, double x)
{
    if (x != x || y != y)
        return 0.0 / 0.0;
    double angle = __lariat_any_double();
    __lariat_assume(angle >= -0x1.921fb54442d19p+1 && angle <= 0x1.921fb54442d19p+1);
    return angle;
}

/* Any value; 0 of 0. */
double sinh(double x)
{
    return x == 0.0 ? x : __lariat_any_double();
}

/* Any value; 0 of 0. */
double tanh(double x)
{
    return x == 0.0 ? x : __lariat_any_double();
}

/* Any value; 0 of 0. */
double cbrt(double x)
{
    return x == 0.0 ? x : __lariat_any_double();
}

/* Any value; 0 of 0. */
double asinh(double x)
{
    return x == 0.0 ? x : __lariat_any_double();
}

/* Any value; 0 of 0. */
double atanh(double x)
{
    return x == 0.0 ? x : __lariat_any_double();
}

/* Any value; 0 of 0. */
double erf(double x)
{
    return x == 0.0 ? x : __lariat_any_double();
}

/* Any value; 0 of 0. */
double expm1(double x)
{
    return x == 0.0 ? x : __lariat_any_double();
}

/* Any value; 0 of 0. */
double log1p(double x)
{
    return x == 0.0 ? x : __lariat_any_double();
}

/* Any value. */
double cosh(double x)
{
    return __lariat_any_double();
}

/* Any value. */
double acosh(double x)
{
    return __lariat_any_double();
}

/* Any value. */
double tgamma(double x)
{
    return __lariat_any_double();
}

/* Any value. */
double lgamma(double x)
{
    return __lariat_any_double();
}

/* Any value. */
double erfc(double x)
{
    return __lariat_any_double();
}

/* Some value that is not negative; 1 of 0. */
double exp(double x)
{
    if (x != x)
        return x;
    if (x == 0.0)
        return 1.0;
    double y = __lariat_any_double();
    __lariat_assume(y >= 0.0);
    return y;
}

/* Some value that is not negative; 1 of 0. */
double exp2(double x)
{
    if (x != x)
        return x;
    if (x == 0.0)
        return 1.0;
    double y = __lariat_any_double();
    __lariat_assume(y >= 0.0);
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
double log(double x)
{
    if (x != x || x < 0.0)
        return 0.0 / 0.0;
    if (x == 0.0)
        return -1.0 / 0.0;
    if (x == 1.0)
        return 0.0;
    double y = __lariat_any_double();
    __lariat_assume(x < 1.0 ? y <= 0.0 : y >= 0.0);
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
double log2(double x)
{
    if (x != x || x < 0.0)
        return 0.0 / 0.0;
    if (x == 0.0)
        return -1.0 / 0.0;
    if (x == 1.0)
        return 0.0;
    double y = __lariat_any_double();
    __lariat_assume(x < 1.0 ? y <= 0.0 : y >= 0.0);
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
double log10(double x)
{
    if (x != x || x < 0.0)
        return 0.0 / 0.0;
    if (x == 0.0)
        return -1.0 / 0.0;
    if (x == 1.0)
        return 0.0;
    double y = __lariat_any_double();
    __lariat_assume(x < 1.0 ? y <= 0.0 : y >= 0.0);
    return y;
}

/* Any value; 1 where y is 0 or x is 1, x where y is 1, not negative where x is not. */
double pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (x != x || y != y)
        return 0.0 / 0.0;
    if (y == 1.0)
        return x;
    double z = __lariat_any_double();
    __lariat_assume(x < 0.0 || z >= 0.0);
    return z;
}

/* Some length, at least that of each side. */
double hypot(double x, double y)
{
    if ((x == x && x - x != 0.0) || (y == y && y - y != 0.0))
        return 1.0 / 0.0;
    if (x != x || y != y)
        return 0.0 / 0.0;
    double length = __lariat_any_double();
    __lariat_assume(length >= fabs(x) && length >= fabs(y));
    return length;
}

/* x * 2^exponent: any value with the sign of x; x where that is 0 or infinite. */
double ldexp(double x, int exponent)
{
    if (x != x || x - x != 0.0 || x == 0.0 || exponent == 0)
        return x;
    double y = __lariat_any_double();
    __lariat_assume(x < 0.0 ? y <= 0.0 : y >= 0.0);
    return y;
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
    *exponent = __VERIFIER_nondet_int();
    double y = __lariat_any_double();
    __lariat_assume(y >= 0.5 && y < 1.0);
    return x < 0.0 ? -y : y;
}
