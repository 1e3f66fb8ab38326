/* Frames on the wire: kind, size in two bytes, check; then the payload. */
#include "codec.h"

int nk_encoder_init(struct nk_encoder *encoder, char *bytes, unsigned size)
{
    if (encoder == NULL || bytes == NULL || size < NK_HEADER_SIZE)
        return NK_EINVAL;
    encoder->bytes = bytes;
    encoder->position = 0;
    encoder->size = size;
    encoder->frames = 0;
    return NK_OK;
}

int nk_encode_byte(struct nk_encoder *encoder, unsigned value)
{
    if (encoder->position >= encoder->size) /* E300 */
        return NK_ELIMIT;
    encoder->bytes[encoder->position] = (char)(value % 128); /* E301 */
    encoder->position++;
    return NK_OK;
}

unsigned nk_encoder_left(const struct nk_encoder *encoder)
{
    return encoder->size - encoder->position; /* E302 */
}

unsigned nk_header_check(const struct nk_header *header)
{
    return (header->kind * 31 + header->size) % 128; /* E303 */
}

int nk_header_valid(const struct nk_header *header)
{
    if (header == NULL)
        return 0;
    if (header->kind < NK_FRAME_DATA || header->kind > NK_FRAME_CLOSE)
        return 0;
    return header->check == nk_header_check(header);
}

void nk_header_copy(struct nk_header *target, const struct nk_header *source)
{
    if (target == NULL || source == NULL)
        return;
    target->kind = source->kind;
    target->size = source->size;
    target->check = source->check;
}

int nk_encode_header(struct nk_encoder *encoder, const struct nk_header *header)
{
    unsigned size = header->size; /* B14 E304 */

    if (size > NK_SIZE_LIMIT || nk_encoder_left(encoder) < NK_HEADER_SIZE)
        return NK_ELIMIT;
    (void)nk_encode_byte(encoder, header->kind);
    (void)nk_encode_byte(encoder, size / 128);
    (void)nk_encode_byte(encoder, size);
    (void)nk_encode_byte(encoder, header->check);
    encoder->frames++;
    return NK_OK;
}

int nk_encode_data(struct nk_encoder *encoder, const char *payload, unsigned size)
{
    struct nk_header header;
    int result;

    if (encoder == NULL || payload == NULL || size > NK_SIZE_LIMIT)
        return NK_EINVAL;
    header.kind = NK_FRAME_DATA;
    header.size = size;
    header.check = nk_header_check(&header);
    result = nk_encode_header(encoder, &header);
    if (result != NK_OK)
        return result;
    if (nk_encoder_left(encoder) < size)
        return NK_ELIMIT;
    env_copy(encoder->bytes + encoder->position, payload, size);
    encoder->position += size;
    return NK_OK;
}

/* A ping; without payload it needs no header of its own. */
int nk_encode_ping(struct nk_encoder *encoder, unsigned payload)
{
    struct nk_header header;

    if (encoder == NULL)
        return NK_EINVAL;
    if (payload < 1)
        return nk_encode_header(encoder, NULL);
    header.kind = NK_FRAME_PING;
    header.size = payload;
    header.check = nk_header_check(&header);
    return nk_encode_header(encoder, &header);
}

int nk_encode_close(struct nk_encoder *encoder)
{
    struct nk_header header;

    header.kind = NK_FRAME_CLOSE;
    header.size = 0;
    header.check = nk_header_check(&header);
    return nk_encode_header(encoder, &header);
}

int nk_decoder_init(struct nk_decoder *decoder, const char *bytes, unsigned size)
{
    if (decoder == NULL || bytes == NULL)
        return NK_EINVAL;
    decoder->bytes = bytes;
    decoder->position = 0;
    decoder->size = size;
    decoder->current = NULL;
    return NK_OK;
}

int nk_decode_byte(struct nk_decoder *decoder, unsigned *value)
{
    const char *bytes = decoder->bytes; /* E305 */

    if (decoder->position >= decoder->size)
        return NK_EMISSING;
    *value = (unsigned char)bytes[decoder->position]; /* E306 */
    decoder->position++;
    return NK_OK;
}

int nk_decode_header(struct nk_decoder *decoder, struct nk_header *header)
{
    unsigned kind;
    unsigned size;
    unsigned check;

    if (nk_decode_byte(decoder, &kind) != NK_OK)
        return NK_EMISSING;
    if (nk_decode_byte(decoder, &size) != NK_OK)
        return NK_EMISSING;
    if (nk_decode_byte(decoder, &check) != NK_OK)
        return NK_EMISSING;
    header->kind = kind; /* E307 */
    header->size = size;
    header->check = check;
    decoder->current = header;
    return NK_OK;
}

/* Over the payload of the present frame. */
int nk_decode_skip(struct nk_decoder *decoder)
{
    struct nk_header *current;

    if (decoder == NULL)
        return NK_EINVAL;
    current = decoder->current;
    if (current == NULL)
        return NK_EMISSING;
    if (decoder->size - decoder->position < current->size)
        return NK_ELIMIT;
    decoder->position += current->size;
    decoder->current = NULL;
    return NK_OK;
}

unsigned nk_decoder_kind(const struct nk_decoder *decoder)
{
    const struct nk_header *current = decoder->current; /* E308 */

    if (current == NULL)
        return 0;
    return current->kind;
}

int nk_decode_payload(struct nk_decoder *decoder, char *target, unsigned size)
{
    const struct nk_header *current;

    if (decoder == NULL || target == NULL)
        return NK_EINVAL;
    current = decoder->current;
    if (current == NULL || current->size > size)
        return NK_EMISSING;
    env_copy(target, decoder->bytes + decoder->position, current->size);
    decoder->position += current->size;
    decoder->current = NULL;
    return NK_OK;
}
