// lariat:
// expect: any_text proved
// expect: rest bug line 32 assert
// expect: large_exponent bug-unconfirmed line 38 assert
#include <assert.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

void any_text(void)
{
    char text[2];
    char *end;
    text[0] = __VERIFIER_nondet_char();
    text[1] = 0;
    double value = strtod(text, &end);
    assert(end == text || end == text + 1);
    if (text[0] >= '1' && text[0] <= '9')
        assert(value == text[0] - '0' && end == text + 1);
    if (text[0] == 'z')
        assert(value == 0.0 && end == text);
}

/* What is behind the number is not always nothing. */
void rest(void)
{
    char text[3];
    char *end;
    text[0] = __VERIFIER_nondet_char();
    text[1] = __VERIFIER_nondet_char();
    text[2] = 0;
    strtod(text, &end);
    assert(*end == 0);
}

/* The library rounds it once; here it is not known how. */
void large_exponent(void)
{
    assert(atof("1e50") == 1.0);
}
