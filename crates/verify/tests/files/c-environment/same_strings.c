// lariat:
// expect: same_strings bug-unconfirmed line 13 assert
// expect: end_of_string bug-unconfirmed line 19 assert
// expect: strings_equal bug-unconfirmed line 25 assert
// expect: other_strings proved
#include <assert.h>

static const char *text = "hello";

void same_strings(void)
{
    const char *other = "hello";
    assert(text != other);
}

void end_of_string(void)
{
    const char *end = "llo";
    assert(text + 2 != end);
}

void strings_equal(void)
{
    const char *other = "hello";
    assert(text == other);
}

void other_strings(void)
{
    const char *other = "hullo";
    static const char array[] = "hello";
    assert(text != other && text != array);
    assert(text == text);
}
