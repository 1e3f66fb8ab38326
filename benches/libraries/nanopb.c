/* nanopb: the tag and the value of the first field of any message of up to eight bytes. */
#include "input.h"
#include "pb_decode.h"

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    unsigned char *message = any_input(buffer, &length);
    pb_istream_t stream = pb_istream_from_buffer(message, length);
    pb_wire_type_t type;
    uint32_t tag;
    bool is_end;
    uint64_t value;
    if (!pb_decode_tag(&stream, &type, &tag, &is_end))
        return 1;
    return type == PB_WT_VARINT ? !pb_decode_varint(&stream, &value) : !pb_skip_field(&stream, type);
}
