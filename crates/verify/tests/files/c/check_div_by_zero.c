// lariat: --check div-by-zero
// expect: check_div_by_zero_ok proved
// expect: check_div_by_zero_bad bug line 19 div-by-zero
// check_div_by_zero_bad fails with the inputs 17
extern int __VERIFIER_nondet_int(void);

void check_div_by_zero_ok(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int z = y ? x % 7 / 7 + 100 / ((y & 1) + 1) : 0;
    double d = 1.0 / (double)y;
    (void)z;
    (void)d;
}

void check_div_by_zero_bad(void)
{
    int x = __VERIFIER_nondet_int() & 1023;
    int y = 1000 % (x - 17); /* fails */
    (void)y;
}
