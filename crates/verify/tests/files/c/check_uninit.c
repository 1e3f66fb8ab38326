// lariat: --check uninit
// expect: check_uninit_ok proved
// expect: check_uninit_bad bug line 31 uninit
// check_uninit_bad: not to be run (input 0; gcc has no check for this)
extern int __VERIFIER_nondet_int(void);

void check_uninit_ok(void)
{
    int x, y;
    if (__VERIFIER_nondet_int())
        x = 1;
    else
        x = 2;
    y = x;
    int a[2];
    a[1] = y;
    y = a[1];
    static int zero;
    y += zero;
    struct {
        int m, n;
    } s = {1};
    y += s.n;
}

void check_uninit_bad(void)
{
    int x;
    if (__VERIFIER_nondet_int())
        x = 1;
    if (x) /* fails */
        x = 2;
}
