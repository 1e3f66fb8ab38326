// lariat: --check bounds
// expect: check_bounds_global_ok proved
// expect: check_bounds_global_bad bug line 21 bounds
// check_bounds_global_bad fails with the inputs -1
extern int __VERIFIER_nondet_int(void);

static const int primes[5] = {2, 3, 5, 7, 11};
static int sum;

void check_bounds_global_ok(void)
{
    for (int i = 0; i < 5; i++)
        sum += primes[i];
    int i = __VERIFIER_nondet_int();
    sum += primes[(unsigned int)i % 5];
}

void check_bounds_global_bad(void)
{
    int i = __VERIFIER_nondet_int() % 5;
    sum += primes[i]; /* fails */
}
