// A pointer that has been compared with NULL and is moved within its object is not null, by whatever numbers it is moved.
// run: default
//   no warning
//   specs 0
#include <stddef.h>
void *memcpy(void *to, const void *from, unsigned long n);

int behind(char *d, unsigned a, unsigned b)
{
    if (d == NULL)
        return 1;
    char *p = d + a - b;
    return *p;
}

int back(char *end, int n)
{
    if (!end)
        return 0;
    while (n-- > 0)
        end -= n + 2;
    return *end;
}

void copy(char *to, char *d, unsigned a, unsigned b)
{
    if (d != NULL && to != NULL)
        memcpy(to, d + a - b, 4);
}

int stepped(int *last, unsigned count)
{
    if (last == NULL)
        return 0;
    last--;
    return count > 1 ? *--last : *last;
}
