// lariat:
// expect: string_functions_ok bounded
// expect: string_functions_bad bug line 34 assert
// string_functions_bad fails with the inputs 0
#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

void string_functions_ok(void)
{
    char a[16] = "one";
    assert(strlen(a) == 3);
    strcat(a, "two");
    assert(strcmp(a, "onetwo") == 0);
    assert(strncmp(a, "onexxx", 3) == 0 && strcmp(a, "onex") < 0);
    assert(strchr(a, 't') == a + 3 && strchr(a, 'x') == NULL && *strrchr(a, 'o') == 'o');
    assert(strrchr(a, 'o') == a + 5);
    assert(strstr(a, "etw") == a + 2);
    char b[4];
    strncpy(b, "abcdef", sizeof b);
    assert(b[3] == 'd');
    strncpy(b, "x", sizeof b);
    assert(b[1] == 0 && b[3] == 0);
    assert(strspn("aab", "a") == 2 && strcspn("aab", "b") == 2);
    char c = __VERIFIER_nondet_char();
    char s[2] = {c, 0};
    assert(strlen(s) == (c != 0));
}

void string_functions_bad(void)
{
    char s[4] = "abc";
    s[1] = __VERIFIER_nondet_char();
    assert(strlen(s) == 3); /* fails */
}
