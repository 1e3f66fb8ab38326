// lariat: --check overflow
// expect: check_overflow_division_ok proved
// expect: check_overflow_division_bad bug line 18 overflow
// check_overflow_division_bad fails with the inputs -2147483648 -1
extern int __VERIFIER_nondet_int(void);

void check_overflow_division_ok(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y > 0)
        x = x / y + x % y * 0;
}

void check_overflow_division_bad(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y != 0)
        x = x / y; /* fails */
}
