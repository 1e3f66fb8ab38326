/*
 * The transcendental functions of math.h for double; the files for float and long double are made of this one (src/math.rs).
 * The solver knows their range only and that equal arguments give equal values. A run computes those that the machine has
 * (__lariat_real_double); a failure that used a value of another one is not confirmed by its replay.
 */

double fabs(double x);
double trunc(double x);

/* Not a number: a domain error, unless the argument is none. */
static double __lariat_outside(double x)
{
    if (x == x)
        __lariat_fail_with(33);
    return 0.0 / 0.0;
}

/* An infinite value: a range error. */
static double __lariat_pole(double y)
{
    __lariat_fail_with(34);
    return y;
}

/* y, the value at x: a range error if x is finite and y is not. */
static double __lariat_large(double x, double y)
{
    if (x - x == 0.0 && y - y != 0.0)
        __lariat_fail_with(34);
    return y;
}

/* y, which has the sign of x. */
static double __lariat_with_sign(double x, double y)
{
    __lariat_assume(x < 0.0 ? y <= 0.0 : y >= 0.0);
    return y;
}

/* A value with the sign of x, which is returned where it is 0 or not a number. */
#define LARIAT_SIGNED(function, x) \
    ((x) != (x) || (x) == 0.0 ? (x) : __lariat_with_sign(x, __lariat_real_double(function, x, 0.0)))

/* y, which is in [-1, 1]. */
static double __lariat_wave(double y)
{
    __lariat_assume(y >= -1.0 && y <= 1.0);
    return y;
}

/* Some value in [-1, 1]; 0 of 0. */
double sin(double x)
{
    if (x - x != 0.0)
        return __lariat_outside(x);
    return x == 0.0 ? x : __lariat_wave(__lariat_real_double("sin", x, 0.0));
}

/* Some value in [-1, 1]; 1 of 0. */
double cos(double x)
{
    if (x - x != 0.0)
        return __lariat_outside(x);
    return x == 0.0 ? 1.0 : __lariat_wave(__lariat_real_double("cos", x, 0.0));
}

/* Some finite value; 0 of 0, not a number for infinite arguments. */
double tan(double x)
{
    if (x == 0.0)
        return x;
    if (x - x != 0.0)
        return __lariat_outside(x);
    double y = __lariat_real_double("tan", x, 0.0);
    __lariat_assume(y - y == 0.0);
    return y;
}

/* Some angle from -pi/2 to pi/2. */
double asin(double x)
{
    if (x != x || x < -1.0 || x > 1.0)
        return __lariat_outside(x);
    if (x == 0.0)
        return x;
    double y = __lariat_real_double("asin", x, 0.0);
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
    double y = __lariat_real_double("atan", x, 0.0);
    __lariat_assume(y >= -0x1.921fb54442d19p+1 / 2 && y <= 0x1.921fb54442d19p+1 / 2);
    return y;
}

/* Some angle from 0 to pi. */
double acos(double x)
{
    if (x != x || x < -1.0 || x > 1.0)
        return __lariat_outside(x);
    double y = __lariat_real_double("acos", x, 0.0);
    __lariat_assume(y >= 0.0 && y <= 0x1.921fb54442d19p+1);
    return y;
}

/* Some angle from -pi to pi. */
double atan2(double y, double x)
{
    if (x != x || y != y)
        return 0.0 / 0.0;
    double angle = __lariat_real_double("atan2", y, x);
    __lariat_assume(angle >= -0x1.921fb54442d19p+1 && angle <= 0x1.921fb54442d19p+1);
    return angle;
}

/* Some value with the sign of x, at least as far from 0 as x. */
double sinh(double x)
{
    double y = LARIAT_SIGNED("sinh", x);
    __lariat_assume(x != x || (x < 0.0 ? y <= x : y >= x));
    return __lariat_large(x, y);
}

/* Some value from 0 to 1 with the sign of x. */
double tanh(double x)
{
    double y = LARIAT_SIGNED("tanh", x);
    __lariat_assume(y != y || (y >= -1.0 && y <= 1.0));
    return y;
}

/* Some value with the sign of x; x of 0, 1, -1 and infinity. */
double cbrt(double x)
{
    if (x == 1.0 || x == -1.0 || x - x != 0.0)
        return x;
    double y = LARIAT_SIGNED("cbrt", x);
    double distance = fabs(x);
    double root = fabs(y);
    __lariat_assume(y - y == 0.0 && (distance < 1.0 ? root >= distance && root <= 1.0 : root <= distance && root >= 1.0 || x == 0.0));
    return y;
}

/* Some value with the sign of x. */
double asinh(double x)
{
    if (x - x != 0.0)
        return x;
    double y = LARIAT_SIGNED("asinh", x);
    __lariat_assume(fabs(y) <= fabs(x));
    return y;
}

/* Some value with the sign of x; infinite of 1 and -1, not a number beyond. */
double atanh(double x)
{
    if (x != x || x < -1.0 || x > 1.0)
        return __lariat_outside(x);
    if (x == 1.0 || x == -1.0)
        return __lariat_pole(x / 0.0);
    double y = LARIAT_SIGNED("atanh", x);
    __lariat_assume(y - y == 0.0 && fabs(y) >= fabs(x));
    return y;
}

/* Some value from 0 to 1 with the sign of x. */
double erf(double x)
{
    double y = LARIAT_SIGNED("erf", x);
    __lariat_assume(y != y || (y >= -1.0 && y <= 1.0));
    return y;
}

/* Some value with the sign of x, at least -1. */
double expm1(double x)
{
    double y = LARIAT_SIGNED("expm1", x);
    __lariat_assume(y != y || y >= -1.0);
    return __lariat_large(x, y);
}

/* Some value with the sign of x; minus infinity of -1, not a number below. */
double log1p(double x)
{
    if (x != x || x < -1.0)
        return __lariat_outside(x);
    if (x == -1.0)
        return __lariat_pole(-1.0 / 0.0);
    if (x - x != 0.0)
        return x;
    double y = LARIAT_SIGNED("log1p", x);
    __lariat_assume(y - y == 0.0);
    return y;
}

/* Some value from 1 on. */
double cosh(double x)
{
    if (x != x)
        return x;
    double y = __lariat_real_double("cosh", x, 0.0);
    __lariat_assume(y >= 1.0 && (x == 0.0 ? y == 1.0 : 1) && (x - x == 0.0 || y - y != 0.0));
    return __lariat_large(x, y);
}

/* Some value that is not negative; not a number below 1. */
double acosh(double x)
{
    if (x != x || x < 1.0)
        return __lariat_outside(x);
    if (x == 1.0)
        return 0.0;
    double y = __lariat_real_double("acosh", x, 0.0);
    __lariat_assume(y >= 0.0 && y <= x);
    return y;
}

/* Some value; positive of positive numbers, not a number of whole numbers below 0. */
double tgamma(double x)
{
    if (x != x)
        return x;
    if (x == 0.0)
        return __lariat_pole(1.0 / x);
    if (x - x != 0.0)
        return x > 0.0 ? x : __lariat_outside(x);
    if (x < 0.0 && trunc(x) == x)
        return __lariat_outside(x);
    double y = __lariat_real_double("tgamma", x, 0.0);
    __lariat_assume(y == y && (x < 0.0 || y > 0.0) && (x != 1.0 && x != 2.0 || y == 1.0));
    return y == 0.0 ? __lariat_pole(y) : __lariat_large(x, y);
}

/* Some value; 0 of 1 and 2. The sign of the gamma function is in signgam. */
double lgamma(double x)
{
    __lariat_change_variables();
    if (x != x)
        return x;
    if (x == 1.0 || x == 2.0)
        return 0.0;
    if (x - x != 0.0)
        return 1.0 / 0.0;
    if (x <= 0.0 && trunc(x) == x)
        return __lariat_pole(1.0 / 0.0);
    double y = __lariat_real_double("lgamma", x, 0.0);
    __lariat_assume(y == y);
    return __lariat_large(x, y);
}

/* Some value from 0 to 2; 1 of 0. */
double erfc(double x)
{
    if (x != x)
        return x;
    if (x == 0.0)
        return 1.0;
    double y = __lariat_real_double("erfc", x, 0.0);
    __lariat_assume(y >= 0.0 && y <= 2.0 && (x < 0.0 ? y >= 1.0 : y <= 1.0));
    return y;
}

/* Some value that is not negative; 1 of 0, at most 1 below and at least 1 above. */
double exp(double x)
{
    if (x != x)
        return x;
    if (x == 0.0)
        return 1.0;
    if (x - x != 0.0)
        return x > 0.0 ? x : 0.0;
    double y = __lariat_real_double("exp", x, 0.0);
    __lariat_assume(y >= 0.0 && (x < 0.0 ? y <= 1.0 : y >= 1.0));
    return y == 0.0 ? __lariat_pole(y) : __lariat_large(x, y);
}

/* Some value that is not negative; 1 of 0, at most 1 below and at least 1 above. */
double exp2(double x)
{
    if (x != x)
        return x;
    if (x == 0.0)
        return 1.0;
    if (x - x != 0.0)
        return x > 0.0 ? x : 0.0;
    double y = __lariat_real_double("exp2", x, 0.0);
    __lariat_assume(y >= 0.0 && (x < 0.0 ? y <= 1.0 : y >= 1.0));
    return y == 0.0 ? __lariat_pole(y) : __lariat_large(x, y);
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
double log(double x)
{
    if (x != x || x < 0.0)
        return __lariat_outside(x);
    if (x == 0.0)
        return __lariat_pole(-1.0 / 0.0);
    if (x == 1.0)
        return 0.0;
    if (x - x != 0.0)
        return x;
    double y = __lariat_real_double("log", x, 0.0);
    __lariat_assume(y - y == 0.0 && (x < 1.0 ? y <= 0.0 : y >= 0.0 && y <= x));
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
double log2(double x)
{
    if (x != x || x < 0.0)
        return __lariat_outside(x);
    if (x == 0.0)
        return __lariat_pole(-1.0 / 0.0);
    if (x == 1.0)
        return 0.0;
    if (x - x != 0.0)
        return x;
    double y = __lariat_real_double("log2", x, 0.0);
    __lariat_assume(y - y == 0.0 && (x < 1.0 ? y <= 0.0 : y >= 0.0 && y <= x));
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
double log10(double x)
{
    if (x != x || x < 0.0)
        return __lariat_outside(x);
    if (x == 0.0)
        return __lariat_pole(-1.0 / 0.0);
    if (x == 1.0)
        return 0.0;
    if (x - x != 0.0)
        return x;
    double y = __lariat_real_double("log10", x, 0.0);
    __lariat_assume(y - y == 0.0 && (x < 1.0 ? y <= 0.0 : y >= 0.0 && y <= x));
    return y;
}

/* Some value; 1 where y is 0 or x is 1, x where y is 1, x * x where y is 2, not negative where x is not, at least 1 or at most 1
   where the base and the exponent say so. */
double pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (x != x || y != y)
        return 0.0 / 0.0;
    if (y == 1.0)
        return x;
    if (y == 2.0 && x * x - x * x == 0.0 && x * x != 0.0)
        return x * x;
    if (x < 0.0 && x - x == 0.0 && y - y == 0.0 && trunc(y) != y)
        return __lariat_outside(x);
    double z = __lariat_real_double("pow", x, y);
    double base = fabs(x);
    double size = fabs(z);
    __lariat_assume(z == z && (x < 0.0 || z >= 0.0));
    if (base == 1.0)
        __lariat_assume(size == 1.0);
    else
        __lariat_assume((base > 1.0) == (y > 0.0) ? size >= 1.0 : size <= 1.0);
    if (x == 0.0 || x - x != 0.0 || y - y != 0.0)
        __lariat_assume((base > 1.0) == (y > 0.0) ? size - size != 0.0 : size == 0.0);
    if (x - x == 0.0 && y - y == 0.0 && (z - z != 0.0 || (z == 0.0 && x != 0.0)))
        __lariat_fail_with(34);
    return z;
}

/* Some length, at least that of each side. */
double hypot(double x, double y)
{
    if ((x == x && x - x != 0.0) || (y == y && y - y != 0.0))
        return 1.0 / 0.0;
    if (x != x || y != y)
        return 0.0 / 0.0;
    double length = __lariat_real_double("hypot", x, y);
    double least = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    __lariat_assume(length >= least && (x != 0.0 && y != 0.0 ? length <= 2.0 * least : length == least));
    return __lariat_large(x, __lariat_large(y, length));
}

/* sin and cos. */
void sincos(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

/* lgamma; the sign of the gamma function, 1 or -1, is stored. */
double lgamma_r(double x, int *sign)
{
    *sign = x < 0.0 && __VERIFIER_nondet_bool() ? -1 : 1;
    return lgamma(x);
}
