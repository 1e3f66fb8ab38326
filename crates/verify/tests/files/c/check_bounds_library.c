// lariat: --check bounds
// expect: check_bounds_library_ok bounded
// expect: check_bounds_library_bad bug line 21 bounds
// check_bounds_library_bad fails with the inputs 0
#include <string.h>
extern int __VERIFIER_nondet_int(void);

void check_bounds_library_ok(void)
{
    char a[4], b[4] = "abc";
    strcpy(a, b);
    memset(a, 1, sizeof a);
    memcpy(b, a, 4);
}

void check_bounds_library_bad(void)
{
    char a[4], b[8] = "abcd";
    if (__VERIFIER_nondet_int())
        b[3] = 0;
    strcpy(a, b); /* fails */
}
