/* utf8proc: the code points of any text of up to eight bytes, each encoded again. */
#include "input.h"
#include "utf8proc.h"

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    unsigned char *text = any_input(buffer, &length);
    size_t at = 0;
    while (at < length) {
        utf8proc_int32_t point;
        unsigned char encoded[4];
        utf8proc_ssize_t read = utf8proc_iterate(text + at, (utf8proc_ssize_t)(length - at), &point);
        if (read <= 0 || utf8proc_encode_char(point, encoded) != read)
            return 1;
        at += (size_t)read;
    }
    return 0;
}
