/* libbsd: any text of up to seven bytes is copied and appended to a small buffer, and a word is looked for in it. */
#include "input.h"

size_t strlcpy(char *to, const char *from, size_t size);
size_t strlcat(char *to, const char *from, size_t size);
char *strnstr(const char *text, const char *word, size_t length);

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    any_input(buffer, &length);
    buffer[MOST - 1] = '\0';
    const char *text = (const char *)buffer;
    char copy[5];
    size_t copied = strlcpy(copy, text, sizeof copy);
    size_t appended = strlcat(copy, text + 3, sizeof copy);
    return strnstr(copy, "ab", sizeof copy) != NULL && copied < appended;
}
