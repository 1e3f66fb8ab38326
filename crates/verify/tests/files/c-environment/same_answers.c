// lariat:
// expect: same_process proved
// expect: later_clock proved
// expect: same_user bug-unconfirmed line 28 assert
// expect: same_message bug-unconfirmed line 35 assert
// expect: sign_of_comparison bug line 41 assert
// expect: class_of_character bug line 47 assert
#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void same_process(void)
{
    assert(getpid() == getpid() && getpid() > 0);
}

void later_clock(void)
{
    clock_t before = clock();
    clock_t after = clock();
    assert(before == -1 || after == -1 || before <= after);
}

void same_user(void)
{
    assert(getuid() == getuid());
}

void same_message(void)
{
    char *message = strerror(2), first = message[0];
    message = strerror(2);
    assert(message[0] == first);
}

void sign_of_comparison(void)
{
    char a[] = "a", c[] = "c";
    assert(strcmp(a, c) == -1);
}

void class_of_character(void)
{
    char c = 'A';
    assert((isupper)(c) == 1);
}
