// lariat:
// expect: rotations_ok proved
// expect: rotations_bad bug line 26 assert
// rotations_bad: not to be run
// expect: sign_bits_ok proved
// expect: sign_bits_bad bug line 36 assert
// sign_bits_bad: not to be run
// expect: unknown_builtin bug-unconfirmed line 42 assert
// unknown_builtin: not to be run
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

void sign_bits_ok(void)
{
    assert(__builtin_clrsb(1) == 30 && __builtin_clrsb(-1) == 31 && __builtin_clrsbl(-256) == 55);
}

void sign_bits_bad(void)
{
    assert(__builtin_clrsbll((int)__VERIFIER_nondet_uint()) != 40);
}

/* It gives one value, which is not known here. */
void unknown_builtin(void)
{
    assert(__builtin_bitreverse8(1) == 128);
}
