// lariat:
// expect: char_signedness_ok proved
// expect: char_signedness_bad bug line 25 assert
// char_signedness_bad fails with the inputs -5
#include <assert.h>
extern char __VERIFIER_nondet_char(void);

void char_signedness_ok(void)
{
    char c = '\xff';
    assert(c == -1);
    assert((unsigned char)c == 255);
    assert('\x80' < 0);
    char any = __VERIFIER_nondet_char();
    assert((any >= 0) == ((unsigned char)any < 128));
    assert((char)(unsigned char)any == any);
    assert(sizeof('a') == sizeof(int));
}

void char_signedness_bad(void)
{
    char c = __VERIFIER_nondet_char();
    int table[256] = {0};
    int index = c;
    assert(index >= 0); /* fails */
    table[index] = 1;
}
