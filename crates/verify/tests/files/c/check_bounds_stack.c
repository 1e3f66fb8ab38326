// lariat: --check bounds
// expect: check_bounds_stack_ok proved
// expect: check_bounds_stack_bad bug line 22 bounds
// check_bounds_stack_bad fails with the inputs 4
extern int __VERIFIER_nondet_int(void);

void check_bounds_stack_ok(void)
{
    int a[4] = {0};
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 4)
        a[i] = 1;
    int *end = a + 4;
    end[-1] = 2;
}

void check_bounds_stack_bad(void)
{
    int a[4] = {0};
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i <= 4)
        a[i] = 1; /* fails */
}
