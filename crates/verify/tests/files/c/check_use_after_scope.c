// lariat: --check use-after-free
// expect: check_use_after_scope_ok proved
// expect: check_use_after_scope_bad bug line 26 use-after-free
// check_use_after_scope_bad fails with the inputs 1
extern int __VERIFIER_nondet_int(void);

static int *where;

static void keep(int flag)
{
    int local = 3;
    static int lasting;
    where = flag ? &local : &lasting;
    *where = 4;
}

void check_use_after_scope_ok(void)
{
    keep(0);
    *where = 5;
}

void check_use_after_scope_bad(void)
{
    keep(__VERIFIER_nondet_int());
    *where = 5; /* fails */
}
