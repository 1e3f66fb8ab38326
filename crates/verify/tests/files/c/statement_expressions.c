// lariat:
// expect: statement_expressions_ok proved
// expect: statement_expressions_bad bug line 38 assert
// statement_expressions_bad fails with the inputs 6
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

#define MAX(a, b) \
    ({ \
        __typeof__(a) x_ = (a); \
        __typeof__(b) y_ = (b); \
        x_ > y_ ? x_ : y_; \
    })

void statement_expressions_ok(void)
{
    int i = __VERIFIER_nondet_int() & 7;
    int j = 5;
    int m = MAX(i++, j);
    assert(m >= 5 && m <= 7);
    assert(i >= 1 && i <= 8);
    int n = ({
        int t = 0;
        for (int k = 0; k < 3; k++)
            t += k;
        t;
    });
    assert(n == 3);
    ({ n++; });
    assert(n == 4);
}

void statement_expressions_bad(void)
{
    int i = __VERIFIER_nondet_int() & 7;
    int old = i;
    int m = MAX(i++, 5);
    assert(m == 5 || m == old + 1); /* fails */
}
