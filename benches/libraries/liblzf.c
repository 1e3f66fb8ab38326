/* LZF: any block of one to eight bytes is decompressed. */
#include "input.h"
#include "lzf.h"

int main(void)
{
    unsigned char buffer[MOST];
    unsigned char plain[8];
    size_t length;
    unsigned char *block = any_input(buffer, &length);
    return length == 0 || lzf_decompress(block, (unsigned)length, plain, sizeof plain) == 0;
}
