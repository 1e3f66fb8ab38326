// lariat:
// expect: extern_and_tentative_ok proved
// expect: extern_and_tentative_bad bug line 35 assert
// extern_and_tentative_bad fails with the inputs 3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int tentative;
extern int later;
int tentative;
static int hidden;
static int hidden = 4;

void extern_and_tentative_ok(void)
{
    assert(tentative == 0 && later == 8 && hidden == 4);
    tentative = __VERIFIER_nondet_int();
    {
        extern int tentative;
        int copy = tentative;
        assert(copy == tentative);
    }
    int tentative = 3;
    assert(tentative == 3);
    later++;
    assert(later == 9);
}

int later = 8;

void extern_and_tentative_bad(void)
{
    extern int tentative;
    hidden += __VERIFIER_nondet_int() & 3;
    assert(hidden + tentative < 7); /* fails */
}
