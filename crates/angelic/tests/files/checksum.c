// Whether a pointer is null does not depend on the checksum, and the question about it is answered without its arithmetic. What does depend on
// it is found.
// run: default --entry sum_block
//   no warning
//   spec sum_block: data != NULL
// run: default --entry pick
//   warning inconsistent pick: found != NULL

#include <stddef.h>

unsigned int table[256];
struct slot { int used; } slots[8];

unsigned int sum_block(const unsigned char *data, unsigned int length, unsigned int *out)
{
    unsigned int sum = 0xffffffffu;
    for (unsigned int i = 0; i < length; i++)
        sum = (sum << 8) ^ table[(sum >> 24) ^ data[i]];
    if (out != NULL)
        *out = sum * sum % 65521u;
    return sum;
}

static struct slot *find(unsigned int key)
{
    struct slot *found = &slots[key * key % 8u];
    if (!found->used)
        return NULL;
    return found;
}

int pick(unsigned int key)
{
    struct slot *found = find(key);
    return found->used;
}
