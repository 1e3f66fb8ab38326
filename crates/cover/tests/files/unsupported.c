// What comes after a construct that is not modelled is not known; what comes before is.
// run:
//   4 of 5 reached
//   unknown 17 x > 20 is true: setjmp/longjmp is not modelled (unsupported.c:13:13) is reachable, and what follows it is not known
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    static jmp_buf buffer;
    int x = __VERIFIER_nondet_int();
    if (x > 10) {
        if (setjmp(buffer) == 1)
            return 1;
        return 2;
    }
    if (x > 20)
        return 3;
    return 0;
}
