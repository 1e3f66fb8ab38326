// lariat: --check reach
// expect: set proved
// expect: made_of_zeros proved
// expect: compared proved
// expect: copied proved
// expect: of_bytes proved
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

/* The bits of a byte that no bit-field has are set and copied as well. */
struct fields {
    unsigned a : 3, b : 9;
    char c;
};

void set(void)
{
    struct fields s;
    unsigned u;
    memset(&s, 0, sizeof s);
    s.a = __VERIFIER_nondet_uint() & 3;
    memcpy(&u, &s, 4);
    if (u > 3)
        reach_error();
}

void made_of_zeros(void)
{
    struct fields *s = calloc(1, sizeof *s);
    unsigned u;
    s->b = 1;
    memcpy(&u, s, 4);
    if (u != 8)
        reach_error();
}

void compared(void)
{
    struct fields s, t;
    memset(&s, 0, sizeof s);
    memset(&t, 0, sizeof t);
    s.b = t.b = __VERIFIER_nondet_uint() & 7;
    s.c = t.c = 1;
    if (memcmp(&s, &t, sizeof s))
        reach_error();
}

void copied(void)
{
    struct fields s, t;
    memset(&s, 0, sizeof s);
    s.b = 5;
    s.c = 1;
    memcpy(&t, &s, sizeof s);
    if (memcmp(&s, &t, sizeof s))
        reach_error();
}

struct part {
    unsigned a : 3;
    int : 0;
    unsigned char b;
};

void of_bytes(void)
{
    unsigned char in[8], out[8];
    struct part s, t;
    for (int i = 0; i < 8; i++)
        in[i] = __VERIFIER_nondet_uchar();
    memcpy(&s, in, 8);
    memcpy(&t, &s, 8);
    memcpy(out, &t, 8);
    for (int i = 0; i < 8; i++)
        if (in[i] != out[i])
            reach_error();
}
