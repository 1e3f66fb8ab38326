/* Type-generic macros, C11 7.25: the function of the type of the arguments. Integers count as double. */
#ifndef LARIAT_TGMATH_H
#define LARIAT_TGMATH_H

#include <complex.h>
#include <math.h>

/* Each argument takes part, so that the type is the one of their sum. */
#define __LARIAT_REAL(type, name) _Generic((type), float: name##f, long double: name##l, default: name)
#define __LARIAT_ANY(type, name, complex_name) \
    _Generic((type), float: name##f, long double: name##l, float _Complex: complex_name##f, \
             double _Complex: complex_name, long double _Complex: complex_name##l, default: name)
#define __LARIAT_COMPLEX(type, name) \
    _Generic((type), float: name##f, long double: name##l, float _Complex: name##f, \
             long double _Complex: name##l, default: name)

#define acos(x) __LARIAT_ANY((x), acos, cacos)(x)
#define asin(x) __LARIAT_ANY((x), asin, casin)(x)
#define atan(x) __LARIAT_ANY((x), atan, catan)(x)
#define acosh(x) __LARIAT_ANY((x), acosh, cacosh)(x)
#define asinh(x) __LARIAT_ANY((x), asinh, casinh)(x)
#define atanh(x) __LARIAT_ANY((x), atanh, catanh)(x)
#define cos(x) __LARIAT_ANY((x), cos, ccos)(x)
#define sin(x) __LARIAT_ANY((x), sin, csin)(x)
#define tan(x) __LARIAT_ANY((x), tan, ctan)(x)
#define cosh(x) __LARIAT_ANY((x), cosh, ccosh)(x)
#define sinh(x) __LARIAT_ANY((x), sinh, csinh)(x)
#define tanh(x) __LARIAT_ANY((x), tanh, ctanh)(x)
#define exp(x) __LARIAT_ANY((x), exp, cexp)(x)
#define log(x) __LARIAT_ANY((x), log, clog)(x)
#define sqrt(x) __LARIAT_ANY((x), sqrt, csqrt)(x)
#define fabs(x) __LARIAT_ANY((x), fabs, cabs)(x)
#define pow(x, y) __LARIAT_ANY((x) + (y), pow, cpow)((x), (y))

#define cbrt(x) __LARIAT_REAL((x), cbrt)(x)
#define ceil(x) __LARIAT_REAL((x), ceil)(x)
#define erf(x) __LARIAT_REAL((x), erf)(x)
#define erfc(x) __LARIAT_REAL((x), erfc)(x)
#define exp2(x) __LARIAT_REAL((x), exp2)(x)
#define expm1(x) __LARIAT_REAL((x), expm1)(x)
#define floor(x) __LARIAT_REAL((x), floor)(x)
#define ilogb(x) __LARIAT_REAL((x), ilogb)(x)
#define lgamma(x) __LARIAT_REAL((x), lgamma)(x)
#define llrint(x) __LARIAT_REAL((x), llrint)(x)
#define llround(x) __LARIAT_REAL((x), llround)(x)
#define log10(x) __LARIAT_REAL((x), log10)(x)
#define log1p(x) __LARIAT_REAL((x), log1p)(x)
#define log2(x) __LARIAT_REAL((x), log2)(x)
#define logb(x) __LARIAT_REAL((x), logb)(x)
#define lrint(x) __LARIAT_REAL((x), lrint)(x)
#define lround(x) __LARIAT_REAL((x), lround)(x)
#define nearbyint(x) __LARIAT_REAL((x), nearbyint)(x)
#define rint(x) __LARIAT_REAL((x), rint)(x)
#define round(x) __LARIAT_REAL((x), round)(x)
#define tgamma(x) __LARIAT_REAL((x), tgamma)(x)
#define trunc(x) __LARIAT_REAL((x), trunc)(x)
#define atan2(x, y) __LARIAT_REAL((x) + (y), atan2)((x), (y))
#define copysign(x, y) __LARIAT_REAL((x) + (y), copysign)((x), (y))
#define fdim(x, y) __LARIAT_REAL((x) + (y), fdim)((x), (y))
#define fmax(x, y) __LARIAT_REAL((x) + (y), fmax)((x), (y))
#define fmin(x, y) __LARIAT_REAL((x) + (y), fmin)((x), (y))
#define fmod(x, y) __LARIAT_REAL((x) + (y), fmod)((x), (y))
#define hypot(x, y) __LARIAT_REAL((x) + (y), hypot)((x), (y))
#define nextafter(x, y) __LARIAT_REAL((x) + (y), nextafter)((x), (y))
#define remainder(x, y) __LARIAT_REAL((x) + (y), remainder)((x), (y))
#define nexttoward(x, y) __LARIAT_REAL((x), nexttoward)((x), (y))
#define frexp(x, p) __LARIAT_REAL((x), frexp)((x), (p))
#define ldexp(x, n) __LARIAT_REAL((x), ldexp)((x), (n))
#define scalbn(x, n) __LARIAT_REAL((x), scalbn)((x), (n))
#define scalbln(x, n) __LARIAT_REAL((x), scalbln)((x), (n))
#define fma(x, y, z) __LARIAT_REAL((x) + (y) + (z), fma)((x), (y), (z))
#define remquo(x, y, p) __LARIAT_REAL((x) + (y), remquo)((x), (y), (p))

#define carg(x) __LARIAT_COMPLEX((x), carg)(x)
#define cimag(x) __LARIAT_COMPLEX((x), cimag)(x)
#define conj(x) __LARIAT_COMPLEX((x), conj)(x)
#define cproj(x) __LARIAT_COMPLEX((x), cproj)(x)
#define creal(x) __LARIAT_COMPLEX((x), creal)(x)

#endif
