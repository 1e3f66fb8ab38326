// lariat:
// expect: loops_with_input_ok proved
// expect: loops_with_input_bad bug line 29 assert
// loops_with_input_bad fails with the inputs 0
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

void loops_with_input_ok(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 1000);
    unsigned int i = 0, sum = 0;
    while (i < n) {
        i++;
        sum += 2;
    }
    assert(sum == 2 * n);
}

void loops_with_input_bad(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 1000);
    unsigned int i = 0;
    do
        i++;
    while (i < n);
    assert(i == n); /* fails */
}
