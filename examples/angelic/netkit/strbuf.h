/* Growing buffers of characters. */
#ifndef NETKIT_STRBUF_H
#define NETKIT_STRBUF_H

#include "nk.h"

struct nk_strbuf {
    char *data; /* NULL as long as nothing was reserved */
    unsigned length;
    unsigned capacity;
};

int nk_strbuf_init(struct nk_strbuf *sb, unsigned capacity);
struct nk_strbuf *nk_strbuf_new(unsigned capacity);
void nk_strbuf_release(struct nk_strbuf *sb);
void nk_strbuf_delete(struct nk_strbuf *sb);
int nk_strbuf_reserve(struct nk_strbuf *sb, unsigned extra);
int nk_strbuf_append_char(struct nk_strbuf *sb, char c);
int nk_strbuf_append(struct nk_strbuf *sb, const char *text, unsigned size);
int nk_strbuf_append_number(struct nk_strbuf *sb, unsigned number);
int nk_strbuf_append_all(struct nk_strbuf *sb, const struct nk_strbuf *other);
void nk_strbuf_clear(struct nk_strbuf *sb);
void nk_strbuf_truncate(struct nk_strbuf *sb, unsigned length);
int nk_strbuf_char_at(const struct nk_strbuf *sb, unsigned index);
int nk_strbuf_index_of(const struct nk_strbuf *sb, char wanted);
int nk_strbuf_starts_with(const struct nk_strbuf *sb, const char *prefix);
int nk_strbuf_equal(const struct nk_strbuf *left, const struct nk_strbuf *right);
unsigned nk_strbuf_count(const struct nk_strbuf *sb, char wanted);
void nk_strbuf_swap(struct nk_strbuf *left, struct nk_strbuf *right);
void nk_strbuf_take(struct nk_strbuf *target, struct nk_strbuf *source);
int nk_strbuf_copy_out(const struct nk_strbuf *sb, char *target, unsigned size);
void nk_strbuf_lower(struct nk_strbuf *sb);
unsigned nk_strbuf_hash(const struct nk_strbuf *sb);

#endif
