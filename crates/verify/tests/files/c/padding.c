// lariat:
// expect: padding_ok proved
// expect: padding_bad bug line 37 assert
// padding_bad fails with the inputs 0 (none are read)
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct key { char kind; short number; };
static struct key table[3];

/* Functions on bytes write what lies between the members, too. */
void padding_ok(void)
{
    struct key a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    assert(memcmp(&a, &b, sizeof a) == 0);
    a.number = b.number = 5;
    assert(memcmp(&a, &b, sizeof a) == 0);
    ((unsigned char *)&a)[1] = 7;
    memcpy(&b, &a, sizeof a);
    assert(((unsigned char *)&b)[1] == 7);
    memmove(&table[1], &a, sizeof a);
    assert(((unsigned char *)&table[1])[1] == 7);
    struct key *p = calloc(1, sizeof *p);
    assert(((unsigned char *)p)[1] == 0);
    free(p);
}

void padding_bad(void)
{
    struct key a;
    memset(&a, 0, sizeof a);
    ((unsigned char *)&a)[1] = 1;
    struct key b = a, *p = &b;
    memcpy(p, &a, sizeof a); assert(((unsigned char *)p)[1] == 0); /* fails */
}
