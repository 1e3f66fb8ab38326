// lariat: --check bounds --check assert
// expect: check_varargs_ok proved
// expect: check_varargs_bad bug line 16 bounds
// check_varargs_bad: not to be run: no sanitizer finds it
#include <assert.h>
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);

static int nth(int n, ...)
{
    va_list list;
    int found = 0;
    va_start(list, n);
    /* The list is not checked by the compiler. */
    for (int i = 0; i <= n; i++)
        found = va_arg(list, int); /* fails */
    va_end(list);
    return found;
}

void check_varargs_ok(void)
{
    int n = __VERIFIER_nondet_int() & 1;
    assert(nth(n, 1, 2) == n + 1);
}

void check_varargs_bad(void)
{
    int n = __VERIFIER_nondet_int() & 3;
    nth(n, 1, 2, 3);
}
