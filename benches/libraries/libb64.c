/* libb64: any block of up to eight characters is decoded. */
#include "input.h"
#include <b64/cdecode.h>

int main(void)
{
    unsigned char buffer[MOST];
    char decoded[MOST];
    size_t length;
    unsigned char *text = any_input(buffer, &length);
    base64_decodestate state;
    base64_init_decodestate(&state);
    return base64_decode_block((const char *)text, (int)length, decoded, &state) < 0;
}
