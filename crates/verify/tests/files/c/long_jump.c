// lariat:
// expect: long_jump_ok unknown
// expect: long_jump_bad bug line 31 assert
// long_jump_bad fails with the inputs 4
#include <assert.h>
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);

static jmp_buf here;

static void leave(int code)
{
    longjmp(here, code);
}

/* Not supported where it is reached: the answer must be that nothing is known. */
void long_jump_ok(void)
{
    int n = 0;
    if (setjmp(here) == 0)
        leave(3);
    else
        n = 1;
    assert(n == 1);
}

/* What does not reach it has an answer. */
void long_jump_bad(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x != 4); /* fails */
    if (x == 5)
        leave(1);
}
