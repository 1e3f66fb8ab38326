/* zlib: the checksums of any input of up to eight bytes. */
#include "input.h"
#include "zlib.h"

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    unsigned char *bytes = any_input(buffer, &length);
    return (adler32(1, bytes, (uInt)length) ^ crc32(0, bytes, (uInt)length)) == 0;
}
