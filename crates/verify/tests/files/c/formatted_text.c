// lariat:
// expect: formatted_text_ok bounded
// expect: formatted_text_bad bug line 27 assert
// formatted_text_bad fails with the inputs 100
#include <assert.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

void formatted_text_ok(void)
{
    char buffer[16];
    int n = sprintf(buffer, "%d-%s", -12, "ab");
    assert(n == 6 && strcmp(buffer, "-12-ab") == 0);
    n = snprintf(buffer, 4, "%x", 0xabcdef);
    assert(n == 6 && strcmp(buffer, "abc") == 0);
    int x = __VERIFIER_nondet_int() & 7;
    sprintf(buffer, "%03d", x);
    assert(buffer[0] == '0' && buffer[2] == '0' + x && buffer[3] == 0);
    printf("%s\n", buffer);
}

void formatted_text_bad(void)
{
    char buffer[16];
    int x = __VERIFIER_nondet_int() & 127;
    assert(sprintf(buffer, "%d", x) < 3); /* fails */
}
