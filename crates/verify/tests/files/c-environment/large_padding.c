// lariat:
// expect: large_padding_copied proved
// expect: large_padding_bad bug line 24 assert
// large_padding_bad fails with the inputs 0 (none are read)
// expect: too_much_padding unknown
#include <assert.h>
#include <string.h>

struct element { char kind; long value; };
struct many { struct element elements[20]; };
struct more { struct element elements[200]; };

static struct many from, to;
static struct more large, others;

void large_padding_copied(void)
{
    ((unsigned char *)&from)[1] = 7;
    memcpy(&to, &from, sizeof to); assert(((unsigned char *)&to)[1] == 7);
}

void large_padding_bad(void)
{
    memset(&to, 0, sizeof to); ((unsigned char *)&from)[17] = 7; memcpy(&to, &from, sizeof to); assert(((unsigned char *)&to)[17] == 0);
}

void too_much_padding(void)
{
    ((unsigned char *)&large)[1] = 7;
    memcpy(&others, &large, sizeof others); assert(((unsigned char *)&others)[1] == 0);
}
