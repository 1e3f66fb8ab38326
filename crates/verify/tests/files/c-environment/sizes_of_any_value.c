// lariat: --check reach --integers bit-vectors
// expect: sizes_of_any_value proved
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static int shared[4];

/* Objects do not overlap, however large they are: memory does not run out. */
void sizes_of_any_value(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(n <= 0x7fffffffffffffff);
    char *p = malloc(n);
    int *q = malloc(16);
    q[0] = 1;
    shared[0] = 2;
    if (n > 0)
        p[0] = 7;
    if (q[0] != 1 || shared[0] != 2)
        reach_error();
    char *r = malloc(n);
    int *s = malloc(4);
    *s = 5;
    if (n > 0)
        *r = 1;
    if (*s != 5 || (unsigned long)s < 4096)
        reach_error();
}
