// lariat: --check shift
// expect: check_shift_ok proved
// expect: check_shift_bad bug line 20 shift
// check_shift_bad fails with the inputs 32
extern unsigned int __VERIFIER_nondet_uint(void);

void check_shift_ok(void)
{
    unsigned int x = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
    x = x << (n & 31);
    x = x >> (n % 32);
    unsigned long long wide = 1ULL << (n & 63);
    (void)wide;
}

void check_shift_bad(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    if (n <= 32)
        n = 1U << n; /* fails */
}
