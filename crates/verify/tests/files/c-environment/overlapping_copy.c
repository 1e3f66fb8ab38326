// lariat: --check memory --check assert
// expect: overlapping_copy_ok proved
// expect: overlapping_copy_bad bug line 23
// expect: overlapping_members_bad bug line 28
// overlapping_copy_bad: not to be run
// overlapping_members_bad: not to be run
#include <assert.h>
#include <string.h>

struct { int a[4]; } x;

void overlapping_copy_ok(void)
{
    char a[8] = "abcdefg", b[4];
    memcpy(b, a, 4);
    memcpy(a + 4, a, 4);
    memcpy(a, a, 4);
    assert(a[5] == 'b' && b[1] == 'b');
}

void overlapping_copy_bad(void)
{
    char a[8] = "abcdefg"; memcpy(a + 1, a, 4); /* fails */
}

void overlapping_members_bad(void)
{
    memcpy(&x.a[1], &x.a[0], 8); /* fails */
}
