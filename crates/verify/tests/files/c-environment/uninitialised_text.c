// lariat: --check uninit
// expect: uninitialised_text_ok proved
// expect: uninitialised_text_bad bug line 18
// uninitialised_text_bad: not to be run
#include <string.h>

void uninitialised_text_ok(void)
{
    char text[4] = "ab", copy[4];
    memcpy(copy, text, 4);
    if (strlen(copy) == 2)
        copy[0] = 'c';
}

void uninitialised_text_bad(void)
{
    char text[4];
    if (strlen(text) == 2) /* fails */
        text[0] = 'c';
}
