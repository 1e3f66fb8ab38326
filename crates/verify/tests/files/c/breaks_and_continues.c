// lariat:
// expect: breaks_and_continues_ok proved
// expect: breaks_and_continues_bad bug line 52 assert
// breaks_and_continues_bad fails with the inputs 2
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

void breaks_and_continues_ok(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        if (i == 2)
            continue;
        for (int j = 0; j < 6; j++) {
            if (j > i)
                break;
            if (j % 2)
                continue;
            sum += 1;
        }
        if (i == 4)
            break;
    }
    assert(sum == 1 + 1 + 2 + 3);
    int i = 0;
    do {
        i++;
        if (i == 3)
            continue;
    } while (i < 3);
    assert(i == 3);
    while (1) {
        switch (i) {
        case 5:
            break;
        default:
            i++;
            continue;
        }
        break;
    }
    assert(i == 5);
}

void breaks_and_continues_bad(void)
{
    int stop = __VERIFIER_nondet_int();
    int i;
    for (i = 0; i < 4; i++)
        if (i == stop)
            break;
    assert(i == 4); /* fails */
}
