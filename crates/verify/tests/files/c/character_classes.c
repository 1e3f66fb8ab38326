// lariat:
// expect: character_classes_ok proved
// expect: character_classes_bad bug line 24 assert
// character_classes_bad fails with the inputs 65
#include <assert.h>
#include <ctype.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

void character_classes_ok(void)
{
    int c = __VERIFIER_nondet_uchar();
    assert(!isdigit(c) || !isalpha(c));
    assert(!isupper(c) || tolower(c) == c + 32);
    assert(isalnum(c) ? isprint(c) : 1);
    assert(toupper(tolower(c)) == toupper(c));
    assert(isspace(' ') && isspace('\n') && !isspace('x'));
    assert(isxdigit('f') && !isxdigit('g') && ispunct('!'));
}

void character_classes_bad(void)
{
    int c = __VERIFIER_nondet_uchar();
    if (isxdigit(c))
        assert(isdigit(c) || islower(c)); /* fails */
}
