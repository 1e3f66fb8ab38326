/* math.h for float: see math.c. */

/* Whether the value is not a number. */
int __isnanf(float x)
{
    return x != x;
}

/* Whether the value is not a number. */
int isnanf(float x)
{
    return x != x;
}

/* 1 for plus infinity, -1 for minus infinity, otherwise 0. */
int __isinff(float x)
{
    if (x == x && x - x != 0.0f)
        return x > 0.0f ? 1 : -1;
    return 0;
}

/* 1 for plus infinity, -1 for minus infinity, otherwise 0. */
int isinff(float x)
{
    return __isinff(x);
}

/* Whether the value is neither infinite nor not a number. */
int __finitef(float x)
{
    return x - x == 0.0f;
}

/* Whether the value is neither infinite nor not a number. */
int finitef(float x)
{
    return x - x == 0.0f;
}

/* Whether the sign is minus; of what is not a number, anything. */
int __signbitf(float x)
{
    if (x != x)
        return __VERIFIER_nondet_bool();
    return __builtin_signbitf(x);
}

/* 0 not a number, 1 infinite, 2 zero, 3 subnormal, 4 normal. */
int __fpclassifyf(float x)
{
    if (x != x)
        return 0;
    if (x - x != 0.0f)
        return 1;
    if (x == 0.0f)
        return 2;
    return x < 1.17549435e-38f && x > -1.17549435e-38f ? 3 : 4;
}

/* |x|. */
float fabsf(float x)
{
    return __builtin_fabsf(x);
}

/* |x| with the sign of y. */
float copysignf(float x, float y)
{
    float magnitude = fabsf(x);
    return __signbitf(y) ? -magnitude : magnitude;
}

/* The square root, rounded correctly. */
float sqrtf(float x)
{
    return __builtin_sqrtf(x);
}

/* The nearest integer towards zero. */
float truncf(float x)
{
    return __builtin_truncf(x);
}

/* The largest integer that is not greater. */
float floorf(float x)
{
    return __builtin_floorf(x);
}

/* The smallest integer that is not less. */
float ceilf(float x)
{
    return __builtin_ceilf(x);
}

/* The nearest integer, halves away from zero. */
float roundf(float x)
{
    return __builtin_roundf(x);
}

/* The nearest integer, halves to even. */
float rintf(float x)
{
    return __builtin_rintf(x);
}

/* rint without its exception. */
float nearbyintf(float x)
{
    return rintf(x);
}

/* rint as an integer; undefined where it does not fit. */
long lrintf(float x)
{
    return (long)rintf(x);
}

/* round as an integer; undefined where it does not fit. */
long lroundf(float x)
{
    return (long)roundf(x);
}

/* rint as an integer; undefined where it does not fit. */
long long llrintf(float x)
{
    return (long long)rintf(x);
}

/* round as an integer; undefined where it does not fit. */
long long llroundf(float x)
{
    return (long long)roundf(x);
}

/* The smaller one; the other one if one is not a number. */
float fminf(float x, float y)
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
float fmaxf(float x, float y)
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
float fdimf(float x, float y)
{
    return x != x || y != y || x > y ? x - y : 0.0f;
}

/* Some value between 0 and |y| with the sign of x; exact for integers and where |x| < |y|. */
float fmodf(float x, float y)
{
    if (x != x || y != y || x - x != 0.0f || y == 0.0f)
        return 0.0f / 0.0f;
    float left = fabsf(x);
    float right = fabsf(y);
    if (left < right)
        return x;
    if (left < 8388608.0f && right < 8388608.0f && (float)(long long)left == left && (float)(long long)right == right)
        return copysignf((float)((long long)left % (long long)right), x);
    float rest = __VERIFIER_nondet_float();
    __lariat_assume(rest >= 0.0f && rest < right);
    return copysignf(rest, x);
}

/* The integer part is stored, the rest returned. */
float modff(float x, float *whole)
{
    *whole = truncf(x);
    if (x == x && x - x != 0.0f)
        return copysignf(0.0f, x);
    return copysignf(x - *whole, x);
}

/* Some value in [-1, 1]; not a number for infinite arguments. */
static float __lariat_wavef(float x)
{
    if (x - x != 0.0f)
        return 0.0f / 0.0f;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(y >= -1.0f && y <= 1.0f);
    return y;
}

/* Some value in [-1, 1]; 0 of 0. */
float sinf(float x)
{
    return x == 0.0f ? x : __lariat_wavef(x);
}

/* Some value in [-1, 1]; 1 of 0. */
float cosf(float x)
{
    return x == 0.0f ? 1.0f : __lariat_wavef(x);
}

/* Any value; 0 of 0. */
float tanf(float x)
{
    return x == 0.0f ? x : __VERIFIER_nondet_float();
}

/* Some angle from -pi/2 to pi/2. */
float asinf(float x)
{
    if (x != x || x < -1.0f || x > 1.0f)
        return 0.0f / 0.0f;
    if (x == 0.0f)
        return x;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(y >= -3.1415928f / 2 && y <= 3.1415928f / 2);
    return y;
}

/* Some angle from -pi/2 to pi/2. */
float atanf(float x)
{
    if (x != x)
        return 0.0f / 0.0f;
    if (x == 0.0f)
        return x;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(y >= -3.1415928f / 2 && y <= 3.1415928f / 2);
    return y;
}

/* Some angle from 0 to pi. */
float acosf(float x)
{
    if (x != x || x < -1.0f || x > 1.0f)
        return 0.0f / 0.0f;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(y >= 0.0f && y <= 3.1415928f);
    return y;
}

/* Some angle from -pi to pi. */
float atan2f(float y, float x)
{
    if (x != x || y != y)
        return 0.0f / 0.0f;
    float angle = __VERIFIER_nondet_float();
    __lariat_assume(angle >= -3.1415928f && angle <= 3.1415928f);
    return angle;
}

/* Any value; 0 of 0. */
float sinhf(float x)
{
    return x == 0.0f ? x : __VERIFIER_nondet_float();
}

/* Any value; 0 of 0. */
float tanhf(float x)
{
    return x == 0.0f ? x : __VERIFIER_nondet_float();
}

/* Any value; 0 of 0. */
float cbrtf(float x)
{
    return x == 0.0f ? x : __VERIFIER_nondet_float();
}

/* Any value; 0 of 0. */
float asinhf(float x)
{
    return x == 0.0f ? x : __VERIFIER_nondet_float();
}

/* Any value; 0 of 0. */
float atanhf(float x)
{
    return x == 0.0f ? x : __VERIFIER_nondet_float();
}

/* Any value; 0 of 0. */
float erff(float x)
{
    return x == 0.0f ? x : __VERIFIER_nondet_float();
}

/* Any value; 0 of 0. */
float expm1f(float x)
{
    return x == 0.0f ? x : __VERIFIER_nondet_float();
}

/* Any value; 0 of 0. */
float log1pf(float x)
{
    return x == 0.0f ? x : __VERIFIER_nondet_float();
}

/* Any value. */
float coshf(float x)
{
    return __VERIFIER_nondet_float();
}

/* Any value. */
float acoshf(float x)
{
    return __VERIFIER_nondet_float();
}

/* Any value. */
float tgammaf(float x)
{
    return __VERIFIER_nondet_float();
}

/* Any value. */
float lgammaf(float x)
{
    return __VERIFIER_nondet_float();
}

/* Any value. */
float erfcf(float x)
{
    return __VERIFIER_nondet_float();
}

/* Some value that is not negative; 1 of 0. */
float expf(float x)
{
    if (x != x)
        return x;
    if (x == 0.0f)
        return 1.0f;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(y >= 0.0f);
    return y;
}

/* Some value that is not negative; 1 of 0. */
float exp2f(float x)
{
    if (x != x)
        return x;
    if (x == 0.0f)
        return 1.0f;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(y >= 0.0f);
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
float logf(float x)
{
    if (x != x || x < 0.0f)
        return 0.0f / 0.0f;
    if (x == 0.0f)
        return -1.0f / 0.0f;
    if (x == 1.0f)
        return 0.0f;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(x < 1.0f ? y <= 0.0f : y >= 0.0f);
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
float log2f(float x)
{
    if (x != x || x < 0.0f)
        return 0.0f / 0.0f;
    if (x == 0.0f)
        return -1.0f / 0.0f;
    if (x == 1.0f)
        return 0.0f;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(x < 1.0f ? y <= 0.0f : y >= 0.0f);
    return y;
}

/* Any value, negative below 1 and positive above; 0 of 1, not a number below 0. */
float log10f(float x)
{
    if (x != x || x < 0.0f)
        return 0.0f / 0.0f;
    if (x == 0.0f)
        return -1.0f / 0.0f;
    if (x == 1.0f)
        return 0.0f;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(x < 1.0f ? y <= 0.0f : y >= 0.0f);
    return y;
}

/* Any value; 1 where y is 0 or x is 1, x where y is 1, not negative where x is not. */
float powf(float x, float y)
{
    if (y == 0.0f || x == 1.0f)
        return 1.0f;
    if (x != x || y != y)
        return 0.0f / 0.0f;
    if (y == 1.0f)
        return x;
    float z = __VERIFIER_nondet_float();
    __lariat_assume(x < 0.0f || z >= 0.0f);
    return z;
}

/* Some length, at least that of each side. */
float hypotf(float x, float y)
{
    if ((x == x && x - x != 0.0f) || (y == y && y - y != 0.0f))
        return 1.0f / 0.0f;
    if (x != x || y != y)
        return 0.0f / 0.0f;
    float length = __VERIFIER_nondet_float();
    __lariat_assume(length >= fabsf(x) && length >= fabsf(y));
    return length;
}

/* x * 2^exponent: any value with the sign of x; x where that is 0 or infinite. */
float ldexpf(float x, int exponent)
{
    if (x != x || x - x != 0.0f || x == 0.0f || exponent == 0)
        return x;
    float y = __VERIFIER_nondet_float();
    __lariat_assume(x < 0.0f ? y <= 0.0f : y >= 0.0f);
    return y;
}

/* A mantissa from 1/2 to 1 and an exponent. */
float frexpf(float x, int *exponent)
{
    if (x != x || x - x != 0.0f) {
        *exponent = __VERIFIER_nondet_int();
        return x;
    }
    if (x == 0.0f) {
        *exponent = 0;
        return x;
    }
    *exponent = __VERIFIER_nondet_int();
    float y = __VERIFIER_nondet_float();
    __lariat_assume(y >= 0.5f && y < 1.0f);
    return x < 0.0f ? -y : y;
}
