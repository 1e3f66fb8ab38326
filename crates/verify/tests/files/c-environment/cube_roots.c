// lariat:
// expect: cube_root_equal bug-unconfirmed line 11 assert
// expect: cube_root_other bug-unconfirmed line 17 assert
// expect: cube_root_ok proved
#include <assert.h>
#include <math.h>

/* 3, or the number behind it: it depends on the compiler and the library. */
void cube_root_equal(void)
{
    assert(cbrt(27.0) == 3.0);
}

/* As above. */
void cube_root_other(void)
{
    assert(cbrt(27.0) != 3.0);
}

void cube_root_ok(void)
{
    assert(cbrt(1.0) == 1.0 && cbrt(-27.0) < 0.0);
}
