// lariat:
// expect: first_variable bug line 10 assert
// first_variable: not to be run
// expect: same_variable bug-unconfirmed line 16 assert
#include <assert.h>
#include <stdlib.h>

void first_variable(void)
{
    assert(getenv("HOME") != 0);
}

void same_variable(void)
{
    char *first = getenv("HOME"), *second = getenv("HOME");
    assert((first == 0) == (second == 0));
}
