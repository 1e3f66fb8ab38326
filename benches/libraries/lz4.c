/* LZ4: any block of up to eight bytes is decompressed. */
#include "input.h"
#include "lz4.h"

int main(void)
{
    unsigned char buffer[MOST];
    char plain[4];
    size_t length;
    unsigned char *block = any_input(buffer, &length);
    return LZ4_decompress_safe((const char *)block, plain, (int)length, sizeof plain) < 0;
}
