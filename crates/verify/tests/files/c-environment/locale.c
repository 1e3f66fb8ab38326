// lariat:
// expect: locale_bad bug-unconfirmed line 12 assert
// expect: locale_ok proved
#include <assert.h>
#include <ctype.h>
#include <locale.h>
extern int __VERIFIER_nondet_int(void);

void locale_bad(void)
{
    setlocale(LC_ALL, "");
    assert(!isalpha(0xe9));
}

void locale_ok(void)
{
    int c = __VERIFIER_nondet_int() & 127;
    setlocale(LC_ALL, "");
    assert(!isalpha(c) || c >= 'A');
    assert(!isdigit(0xe9));
}
