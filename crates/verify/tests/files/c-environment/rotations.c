// lariat:
// expect: rotations_ok proved
// expect: rotations_bad bug line 21 assert
// rotations_bad: not to be run
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

/* Builtins of clang. */
void rotations_ok(void)
{
    assert(__builtin_rotateleft32(0x80000001u, 4) == 0x18u);
    assert(__builtin_rotateright32(0x18u, 36) == 0x80000001u);
    assert(__builtin_rotateleft64(1, 64) == 1);
    assert(__builtin_rotateright8(3, 1) == 0x81);
}

void rotations_bad(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    assert(__builtin_rotateleft32(x, 8) != 0x12345678u);
}
