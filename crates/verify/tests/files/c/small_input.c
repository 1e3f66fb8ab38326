// lariat: --check bounds,assert
// expect: small_input_ok proved
// expect: small_input_bad bug line 19 bounds
// small_input_bad fails with the inputs 91 91 91 91 0 0
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
#define MOST 6

/* Keeps where brackets were opened. How many are open at the end; -1 if there are too many or one was not opened. */
static int open_brackets(const unsigned char *text, int length, int *opened, int room)
{
    int depth = 0;
    for (int at = 0; at < length; at++) {
        if (text[at] == '[') {
            if (depth == room)
                return -1;
            /* The position depends on all the bytes before, of which only the depth matters. */
            int where = depth++;
            opened[where] = at; /* fails */
        } else if (text[at] == ']') {
            if (depth == 0)
                return -1;
            depth--;
        }
    }
    return depth;
}

static int of_any_text(int *opened, int room)
{
    unsigned char text[MOST];
    for (int i = 0; i < MOST; i++)
        text[i] = __VERIFIER_nondet_uchar();
    return open_brackets(text, MOST, opened, room);
}

void small_input_ok(void)
{
    int opened[3];
    int depth = of_any_text(opened, 3);
    assert(depth <= 3);
    if (depth == 3)
        assert(opened[0] < opened[1] && opened[1] < opened[2]);
}

void small_input_bad(void)
{
    int opened[3];
    of_any_text(opened, 4);
}
