// lariat: --check uninit
// expect: check_uninit_records_ok proved
// expect: check_uninit_records_bad bug line 43 uninit
// check_uninit_records_bad: not to be run: gcc has no such sanitizer
// expect: check_uninit_records_memcpy_bad bug line 51 uninit
// expect: check_uninit_records_result_bad bug line 56 uninit
// expect: check_uninit_records_argument unknown
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct pair { int a, b; };

static int sum(struct pair p) { return p.a + p.b; }
static int maybe(void)
{
    if (__VERIFIER_nondet_int())
        return 1;
}
static struct pair made(void)
{
    struct pair p = {1, 2};
    return p;
}

int check_uninit_records_ok(void)
{
    struct pair s, t, u;
    s.a = 1;
    t = s;
    t.b = 2;
    u = made();
    struct pair v = u;
    maybe();
    memcpy(&s, &t, sizeof s);
    return sum(t) + v.b + s.b + t.a;
}

int check_uninit_records_bad(void)
{
    struct pair s, t;
    s.a = 1;
    t = s;
    return t.b; /* fails */
}

int check_uninit_records_memcpy_bad(void)
{
    struct pair s, t;
    s.a = 1;
    memcpy(&t, &s, sizeof s);
    return t.b; /* fails */
}

int check_uninit_records_result_bad(void)
{
    return maybe(); /* fails */
}

int check_uninit_records_argument(void)
{
    struct pair s;
    s.a = 1;
    return sum(s);
}
