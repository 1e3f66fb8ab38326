// lariat:
// expect: string_literals_ok proved
// expect: string_literals_bad bug line 33 assert
// string_literals_bad fails with the inputs 0
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static const char *const words[] = {"alpha", "be" "ta", ""};

void string_literals_ok(void)
{
    char a[] = "hello";
    assert(sizeof a == 6 && a[5] == 0 && a[1] == 'e');
    a[0] = 'j';
    assert(a[0] == 'j');
    const char *p = "hello";
    assert(p[0] == 'h' && sizeof "abc" == 4);
    char b[8] = "xy";
    assert(b[2] == 0 && b[7] == 0);
    char c[2] = "pq";
    assert(c[1] == 'q');
    assert(words[1][3] == 'a' && words[1][4] == 0 && words[2][0] == 0);
    assert("12345"[2] == '3');
    assert(sizeof "a\0b" == 4 && "a\0b"[2] == 'b');
    assert(L"w"[0] == L'w' && sizeof L"w" == 2 * sizeof(__WCHAR_TYPE__));
}

void string_literals_bad(void)
{
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 6);
    assert("banana"[i] != 'b'); /* fails */
}
