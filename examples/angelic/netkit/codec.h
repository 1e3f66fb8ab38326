/* Frames on the wire: a header and a payload. */
#ifndef NETKIT_CODEC_H
#define NETKIT_CODEC_H

#include "nk.h"

#define NK_HEADER_SIZE 4u

enum nk_frame_kind { NK_FRAME_DATA = 1, NK_FRAME_PING = 2, NK_FRAME_CLOSE = 3 };

struct nk_header {
    unsigned kind;
    unsigned size;
    unsigned check;
};

struct nk_encoder {
    char *bytes; /* never NULL */
    unsigned position;
    unsigned size;
    unsigned frames;
};

struct nk_decoder {
    const char *bytes; /* never NULL */
    unsigned position;
    unsigned size;
    struct nk_header *current; /* NULL between frames */
};

int nk_encoder_init(struct nk_encoder *encoder, char *bytes, unsigned size);
int nk_encode_byte(struct nk_encoder *encoder, unsigned value);
int nk_encode_header(struct nk_encoder *encoder, const struct nk_header *header);
int nk_encode_data(struct nk_encoder *encoder, const char *payload, unsigned size);
int nk_encode_ping(struct nk_encoder *encoder, unsigned payload);
int nk_encode_close(struct nk_encoder *encoder);
unsigned nk_encoder_left(const struct nk_encoder *encoder);
int nk_decoder_init(struct nk_decoder *decoder, const char *bytes, unsigned size);
int nk_decode_byte(struct nk_decoder *decoder, unsigned *value);
int nk_decode_header(struct nk_decoder *decoder, struct nk_header *header);
int nk_decode_skip(struct nk_decoder *decoder);
unsigned nk_decoder_kind(const struct nk_decoder *decoder);
unsigned nk_header_check(const struct nk_header *header);
int nk_header_valid(const struct nk_header *header);
void nk_header_copy(struct nk_header *target, const struct nk_header *source);
int nk_decode_payload(struct nk_decoder *decoder, char *target, unsigned size);

#endif
