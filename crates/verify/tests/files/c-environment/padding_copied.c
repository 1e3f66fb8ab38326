// lariat: --check reach,uninit
// expect: copied proved
// expect: byte_by_byte proved
// expect: in_part proved
// expect: used_later bug line 60 uninit
#include <string.h>
extern void reach_error(void);

/* The bytes between the members are copied, and nobody uses them. */
struct padded {
    char a;
    int b;
    unsigned c : 3;
};

void copied(void)
{
    struct padded s, t;
    s.a = 1;
    s.b = 2;
    s.c = 3;
    memcpy(&t, &s, sizeof s);
    if (t.a != 1 || t.b != 2 || t.c != 3)
        reach_error();
}

void byte_by_byte(void)
{
    struct padded s, t;
    unsigned char *to = (unsigned char *)&t, *from = (unsigned char *)&s;
    s.a = 1;
    s.b = 2;
    s.c = 3;
    for (unsigned i = 0; i < sizeof s; i++)
        to[i] = from[i];
    if (t.a != 1 || t.b != 2 || t.c != 3)
        reach_error();
}

/* Nor a member that was not written. */
void in_part(void)
{
    struct padded s, t;
    s.a = 1;
    memcpy(&t, &s, sizeof s);
    if (t.a != 1)
        reach_error();
}

/* What was not written is not written in the copy. */
void used_later(void)
{
    struct padded s, t;
    unsigned char *to = (unsigned char *)&t, *from = (unsigned char *)&s;
    s.a = 1;
    for (unsigned i = 0; i < sizeof s; i++)
        to[i] = from[i];
    if (t.a != 1)
        reach_error();
    if (t.b == 7)
        reach_error();
}
