// lariat: --check bounds,use-after-free
// expect: check_use_after_block_ok proved
// expect: check_use_after_block_bad bug line 53 use-after-free
// check_use_after_block_bad fails with the inputs 0
// expect: check_use_after_block_literal_bad bug line 62 use-after-free
// expect: check_use_after_block_loop_bad bug line 74 use-after-free
// expect: check_use_after_block_goto_bad bug line 86 use-after-free
// expect: check_use_after_block_alloca_bad bug line 98 use-after-free
#include <alloca.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void set(int *p, int value) { *p = value; }

void check_use_after_block_ok(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x;
        int *p = &x;
        set(p, i);
        sum += x;
        if (i == 1)
            continue;
    }
    switch (sum) {
        int inner;
    case 3:
        set(&inner, 4);
        sum += inner;
        break;
    default:
        set(&inner, 5);
    }
    int *literal = (int[]){1, 2};
    literal[1] = 3;
    assert(sum == 7 && literal[1] == 3);
    int value = ({
        int local = 3;
        set(&local, 9);
        local;
    });
    assert(value == 9);
}

void check_use_after_block_bad(void)
{
    int *p;
    {
        int x = 1;
        p = &x;
    }
    *p = 2; /* fails */
}

void check_use_after_block_literal_bad(void)
{
    int *p;
    {
        p = (int[]){1, 2};
    }
    p[1] = 3; /* fails */
}

void check_use_after_block_loop_bad(void)
{
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int x = i;
        p = &x;
        if (__VERIFIER_nondet_int())
            break;
    }
    *p = 2; /* fails */
}

void check_use_after_block_goto_bad(void)
{
    int *p;
    {
        int x = 1;
        p = &x;
        goto out;
    }
out:
    *p = 2; /* fails */
}

static int *allocated(void)
{
    int *p = alloca(4);
    *p = 1;
    return p;
}

void check_use_after_block_alloca_bad(void)
{
    *allocated() = 2; /* fails */
}
