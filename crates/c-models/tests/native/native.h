/* What models_agree_with_libc.rs compiles the models with: rounding is the solver's there, and the C library's here. */
#define ROUNDING(name) \
    double native_##name(double); \
    float native_##name##f(float); \
    long double native_##name##l(long double);
ROUNDING(floor)
ROUNDING(ceil)
ROUNDING(trunc)
ROUNDING(round)
ROUNDING(rint)
#define __builtin_floor native_floor
#define __builtin_floorf native_floorf
#define __builtin_floorl native_floorl
#define __builtin_ceil native_ceil
#define __builtin_ceilf native_ceilf
#define __builtin_ceill native_ceill
#define __builtin_trunc native_trunc
#define __builtin_truncf native_truncf
#define __builtin_truncl native_truncl
#define __builtin_round native_round
#define __builtin_roundf native_roundf
#define __builtin_roundl native_roundl
#define __builtin_rint native_rint
#define __builtin_rintf native_rintf
#define __builtin_rintl native_rintl
