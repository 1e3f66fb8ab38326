// lariat: assert
// expect: bug line 9 assert
#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void)
{
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    assert(0); // HERE
    return 0;
}
