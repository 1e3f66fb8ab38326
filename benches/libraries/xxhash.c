/* xxHash: the 32-bit and the 64-bit hash of any eight bytes. */
#include "input.h"
#include "xxhash.h"

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    unsigned char *bytes = any_input(buffer, &length);
    return (XXH32(bytes, length, 0) ^ (XXH32_hash_t)XXH64(bytes, length, 1)) == 0;
}
