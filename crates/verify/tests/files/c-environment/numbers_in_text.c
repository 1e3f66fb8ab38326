// lariat:
// expect: known_text proved
// expect: any_text proved
// expect: rest bug line 51 assert
// expect: many_digits bug-unconfirmed line 57 assert
#include <assert.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

void known_text(void)
{
    char *end;
    const char *text = "  -12.5e1x";
    assert(strtod(text, &end) == -125.0 && end == text + 9);
    assert(strtod("0.1", 0) == 0.1 && strtof("0.1", 0) == 0.1f && strtold("0.5", 0) == 0.5);
    assert(atof("5.") == 5.0 && atof(".5") == 0.5 && atof("1e") == 1.0 && atof("7e+2") == 700.0);
    text = ".e1";
    assert(strtod(text, &end) == 0.0 && end == text);
    text = "1..2";
    assert(strtod(text, &end) == 1.0 && end == text + 2);
    text = "0e5000-";
    assert(strtod(text, &end) == 0.0 && end == text + 6);
    text = "-";
    assert(strtof(text, &end) == 0.0f && end == text);
    assert(1 / strtod("-0", 0) < 0);
}

void any_text(void)
{
    char text[3];
    char *end;
    text[0] = __VERIFIER_nondet_char();
    text[1] = __VERIFIER_nondet_char();
    text[2] = 0;
    double value = strtod(text, &end);
    assert(end >= text && end <= text + 2);
    if (text[0] >= '1' && text[0] <= '9' && text[1] == 0)
        assert(value == text[0] - '0' && end == text + 1);
    if (text[0] == 'z')
        assert(value == 0.0 && end == text);
}

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
void many_digits(void)
{
    assert(atof("12345678901234567890") == 1.0);
}
