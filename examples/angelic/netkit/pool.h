/* A pool of chunks of memory that are used again. */
#ifndef NETKIT_POOL_H
#define NETKIT_POOL_H

#include "nk.h"

struct nk_chunk {
    struct nk_chunk *next; /* NULL at the end of the idle chunks */
    char *bytes;           /* never NULL */
    unsigned size;
    unsigned used;
};

struct nk_pool_stats {
    unsigned taken;
    unsigned returned;
    unsigned created;
    unsigned failed;
};

struct nk_pool {
    struct nk_lock lock;
    struct nk_chunk *idle;       /* NULL if none */
    struct nk_pool_stats *stats; /* never NULL */
    unsigned idle_count;
    unsigned limit;
};

int nk_pool_init(struct nk_pool *pool, struct nk_pool_stats *stats, unsigned limit);
struct nk_chunk *nk_chunk_new(unsigned size);
void nk_chunk_delete(struct nk_chunk *chunk);
struct nk_chunk *nk_pool_get(struct nk_pool *pool, unsigned size);
void nk_pool_put(struct nk_pool *pool, struct nk_chunk *chunk);
void nk_pool_wait_locked(struct nk_pool *pool);
unsigned nk_pool_drain(struct nk_pool *pool);
int nk_pool_fill(struct nk_pool *pool, unsigned size);
int nk_pool_reserve(struct nk_pool *pool, unsigned count);
int nk_chunk_write(struct nk_chunk *chunk, const char *text, unsigned size);
int nk_chunk_load(struct nk_chunk *chunk, struct env_file *file, unsigned size);
int nk_chunk_save(const struct nk_chunk *chunk, const char *path);
void nk_chunk_reset(struct nk_chunk *chunk);
int nk_chunk_compare(const struct nk_chunk *left, const struct nk_chunk *right);
int nk_chunk_grow(struct nk_chunk *chunk, unsigned size);
unsigned nk_pool_idle_bytes(const struct nk_pool *pool);
struct nk_chunk *nk_pool_largest(struct nk_pool *pool);
void nk_pool_report(const struct nk_pool *pool);
void nk_pool_add_stats(struct nk_pool_stats *sum, const struct nk_pool_stats *other);

#endif
