/* fenv.h: numbers are rounded to nearest, always. */

/* The rounding mode: to nearest. */
int fegetround(void)
{
    return 0;
}

/* 0. Other modes than to nearest are not modelled. */
int fesetround(int mode)
{
    if (mode != 0)
        __lariat_unsupported("a rounding mode other than to nearest");
    return 0;
}
