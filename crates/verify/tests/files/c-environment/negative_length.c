// lariat: --check memory
// expect: negative_length_ok proved
// expect: negative_length_bad bug line 20 bounds
extern int __VERIFIER_nondet_int(void);

void negative_length_ok(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5)
        return;
    long a[n];
    a[n - 1] = 1;
}

void negative_length_bad(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 0 || n > 5)
        return;
    long a[n]; /* fails */
    a[0] = 1;
}
