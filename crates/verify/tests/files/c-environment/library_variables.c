// lariat:
// expect: library_variables_ok proved
// expect: library_variables_environment_bad bug-unconfirmed line 24 assert
// expect: library_variables_sign_bad bug-unconfirmed line 31 assert
#include <assert.h>
#include <math.h>
#include <stdlib.h>

extern char **environ;
extern int signgam;
static int own = 3;

void library_variables_ok(void)
{
    setenv("A", "b", 1);
    lgamma(2.5);
    assert(own == 3);
}

void library_variables_environment_bad(void)
{
    environ = 0;
    setenv("A", "b", 1);
    assert(environ == 0); /* fails */
}

void library_variables_sign_bad(void)
{
    signgam = 1;
    lgamma(-0.5);
    assert(signgam == 1); /* fails */
}
