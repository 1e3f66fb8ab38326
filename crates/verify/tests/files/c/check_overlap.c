// lariat: --check memory
// expect: check_overlap_ok proved
// expect: check_overlap_bad bug line 27 bounds
// check_overlap_bad: not to be run: the compiled program may do what was meant
// expect: check_overlap_length_bad bug line 33 bounds
// expect: check_overlap_append_bad bug line 39 bounds
// expect: check_overlap_format_bad bug line 45 bounds
// expect: check_overlap_until_bad bug line 51 bounds
#include <stdio.h>
#include <string.h>

/* What is copied and where it is copied to are apart. */
void check_overlap_ok(void)
{
    char text[12] = "abc";
    strcpy(text + 4, text);
    strncpy(text + 8, text, 4);
    char other[12] = "x";
    strcat(other, text);
    sprintf(text, "%s%s", other, "y");
    memccpy(text, other, 'x', 3);
}

void check_overlap_bad(void)
{
    char text[8] = "abc";
    strcpy(text, text + 1); /* fails */
}

void check_overlap_length_bad(void)
{
    char text[8] = "abcdef";
    strncpy(text + 1, text, 3); /* fails */
}

void check_overlap_append_bad(void)
{
    char text[16] = "abcdef";
    strncat(text, text + 3, 4); /* fails */
}

void check_overlap_format_bad(void)
{
    char text[16] = "abc";
    sprintf(text, "%sx", text); /* fails */
}

void check_overlap_until_bad(void)
{
    char text[8] = "abcdefg";
    memccpy(text, text + 1, 'z', 5); /* fails */
}
