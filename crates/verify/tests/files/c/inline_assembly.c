// lariat:
// expect: inline_assembly_ok proved
// expect: inline_assembly_bad bug line 24 assert
// inline_assembly_bad fails with the inputs 12
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

/* What assembly writes may be anything; what it does not name stays. */
void inline_assembly_ok(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x, out;
    __asm__ volatile("movl %1, %0" : "=r"(out) : "r"(x));
    assert(x == y);
    out = 3;
    __asm__ volatile("" : : "r"(out));
    assert(out == 3);
}

void inline_assembly_bad(void)
{
    int x = __VERIFIER_nondet_int(), out;
    __asm__ volatile("movl %1, %0" : "=r"(out) : "r"(x));
    assert(out != 12); /* fails */
}
