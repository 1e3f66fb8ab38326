/* Answers that are kept, in memory and in a file. */
#ifndef NETKIT_CACHE_H
#define NETKIT_CACHE_H

#include "nk.h"

struct nk_item {
    struct nk_item *newer; /* NULL for the newest */
    struct nk_item *older; /* NULL for the oldest */
    char *data;            /* never NULL */
    unsigned key;
    unsigned size;
    unsigned expires;
};

struct nk_cache {
    struct nk_item *newest; /* NULL if empty */
    struct nk_item *oldest;
    struct env_file *store; /* open as long as the cache is */
    unsigned bytes;
    unsigned limit;
    unsigned hits;
    unsigned misses;
};

int nk_cache_open(struct nk_cache *cache, const char *path, unsigned limit);
void nk_cache_close(struct nk_cache *cache);
struct nk_item *nk_item_new(unsigned key, unsigned size);
void nk_item_delete(struct nk_item *item);
void nk_cache_insert(struct nk_cache *cache, struct nk_item *item);
void nk_cache_unlink(struct nk_cache *cache, struct nk_item *item);
struct nk_item *nk_cache_find(struct nk_cache *cache, unsigned key);
int nk_cache_get(struct nk_cache *cache, unsigned key, char *target, unsigned size);
int nk_cache_put(struct nk_cache *cache, unsigned key, const char *text, unsigned size);
int nk_cache_evict(struct nk_cache *cache);
int nk_cache_shrink(struct nk_cache *cache);
int nk_cache_load(struct nk_cache *cache, const char *path);
int nk_cache_save_newest(struct nk_cache *cache);
int nk_cache_expired(const struct nk_item *item, unsigned now);
unsigned nk_cache_expire(struct nk_cache *cache, unsigned now);
int nk_cache_reopen(struct nk_cache *cache, const char *path);
unsigned nk_cache_ratio(const struct nk_cache *cache);
int nk_cache_export(const struct nk_cache *cache, const char *path);
void nk_cache_refresh(struct nk_cache *cache, struct nk_item *item, unsigned expires);
unsigned nk_cache_newest_key(const struct nk_cache *cache);
int nk_cache_append(struct env_file *store, const struct nk_item *item);
void nk_cache_seal(struct env_file *store);

#endif
