// lariat:
// expect: one_seed proved
// expect: same_seed unknown
// expect: scanned bug-unconfirmed line 29 assert
// scanned: not to be run
// expect: formatted bug-unconfirmed line 36 assert
// formatted: not to be run
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void one_seed(void)
{
    srand(1);
    assert(rand() >= 0);
}

void same_seed(void)
{
    srand(1);
    int first = rand();
    srand(1);
    assert(first == rand());
}

void scanned(void)
{
    int x = 0;
    sscanf("42", "%d", &x); assert(x == 42);
}

void formatted(void)
{
    char text[20];
    sprintf(text, "%5.2f", 3.14159);
    assert(text[0] == ' ');
}
