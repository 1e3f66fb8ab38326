/* bzip2: any block of up to eight bytes is decompressed. */
#include "bzlib.h"
#include "input.h"

int main(void)
{
    unsigned char buffer[MOST];
    char plain[16];
    unsigned int room = sizeof plain;
    size_t length;
    unsigned char *block = any_input(buffer, &length);
    return BZ2_bzBuffToBuffDecompress(plain, &room, (char *)block, (unsigned int)length, 1, 0) != BZ_OK;
}
