/* Answers that are kept: a list from the newest to the oldest, with a limit of bytes. */
#include "cache.h"

int nk_cache_open(struct nk_cache *cache, const char *path, unsigned limit)
{
    struct env_file *store;

    if (cache == NULL || path == NULL)
        return NK_EINVAL;
    store = env_open(path, 1);
    if (store == NULL)
        return NK_EIO;
    cache->newest = NULL;
    cache->oldest = NULL;
    cache->store = store;
    cache->bytes = 0;
    cache->limit = limit;
    cache->hits = 0;
    cache->misses = 0;
    return NK_OK;
}

void nk_item_delete(struct nk_item *item)
{
    if (item == NULL)
        return;
    free(item->data); /* E260 */
    free(item); /* E261 */
}

void nk_cache_close(struct nk_cache *cache)
{
    struct nk_item *item = cache->newest; /* E262 */
    struct nk_item *older;

    cache->newest = NULL;
    cache->oldest = NULL;
    cache->bytes = 0;
    while (item != NULL) {
        older = item->older;
        nk_item_delete(item);
        item = older;
    }
    env_close(cache->store); /* E263 */
}

struct nk_item *nk_item_new(unsigned key, unsigned size)
{
    struct nk_item *item;
    char *data;

    if (size > NK_SIZE_LIMIT)
        return NULL;
    item = malloc(sizeof *item);
    if (item == NULL)
        return NULL;
    data = malloc(size + 1);
    if (data == NULL) {
        free(item);
        return NULL;
    }
    data[0] = '\0';
    item->newer = NULL;
    item->older = NULL;
    item->data = data;
    item->key = key;
    item->size = size;
    item->expires = 0;
    return item;
}

/* As the newest. */
void nk_cache_insert(struct nk_cache *cache, struct nk_item *item)
{
    struct nk_item *newest = cache->newest; /* E264 */

    item->newer = NULL; /* E265 */
    item->older = newest;
    if (newest != NULL)
        newest->newer = item;
    else
        cache->oldest = item;
    cache->newest = item;
    cache->bytes += item->size;
}

void nk_cache_unlink(struct nk_cache *cache, struct nk_item *item)
{
    struct nk_item *newer = item->newer; /* E266 */
    struct nk_item *older = item->older;

    if (newer != NULL)
        newer->older = older;
    else
        cache->newest = older; /* E267 */
    if (older != NULL)
        older->newer = newer;
    else
        cache->oldest = newer;
    item->newer = NULL;
    item->older = NULL;
    cache->bytes -= item->size;
}

struct nk_item *nk_cache_find(struct nk_cache *cache, unsigned key)
{
    struct nk_item *item;

    for (item = cache->newest; item != NULL; item = item->older) { /* E268 */
        if (item->key == key) {
            cache->hits++;
            return item;
        }
    }
    cache->misses++;
    return NULL;
}

int nk_cache_get(struct nk_cache *cache, unsigned key, char *target, unsigned size)
{
    struct nk_item *item;

    if (cache == NULL || target == NULL)
        return NK_EINVAL;
    item = nk_cache_find(cache, key);
    if (item == NULL)
        return NK_EMISSING;
    if (item->size > size)
        return NK_ELIMIT;
    env_copy(target, item->data, item->size);
    return (int)item->size;
}

int nk_cache_put(struct nk_cache *cache, unsigned key, const char *text, unsigned size)
{
    struct nk_item *item = nk_item_new(key, size);

    if (item == NULL)
        return NK_ENOMEM;
    env_copy(item->data, text, size);
    item->expires = env_clock() + 60;
    nk_cache_insert(cache, item);
    return NK_OK;
}

/* The oldest, no longer in the list; NULL if there is none. */
static struct nk_item *take_oldest(struct nk_cache *cache)
{
    struct nk_item *item = cache->oldest; /* E269 */
    struct nk_item *newer;

    if (item == NULL)
        return NULL;
    newer = item->newer;
    cache->oldest = newer;
    if (newer != NULL)
        newer->older = NULL;
    else
        cache->newest = NULL;
    item->newer = NULL;
    cache->bytes -= item->size;
    return item;
}

/* Forgets the oldest. */
int nk_cache_evict(struct nk_cache *cache)
{
    struct nk_item *item = take_oldest(cache);

    if (item == NULL)
        return NK_EMISSING;
    nk_item_delete(item);
    return NK_OK;
}

/* Forgets until the limit is kept; not more than two at once. */
int nk_cache_shrink(struct nk_cache *cache)
{
    int rounds = 0;

    if (cache == NULL)
        return NK_EINVAL;
    while (cache->bytes > cache->limit && rounds < 2) {
        if (nk_cache_evict(cache) != NK_OK)
            return NK_EMISSING;
        rounds++;
    }
    return NK_OK;
}

/* Reads one item from a file. */
int nk_cache_load(struct nk_cache *cache, const char *path)
{
    struct env_file *file;
    char head[4];
    int result = NK_OK;
    int got;

    if (cache == NULL || path == NULL)
        return NK_EINVAL;
    file = env_open(path, 0);
    if (file == NULL)
        return NK_EIO;
    got = env_read(file, head, 4);
    if (got < 4) {
        env_log(NK_WARN, "cache: the file is too short");
        env_close(file);
        result = NK_EIO;
        goto done;
    }
    if (head[0] != 'N' || head[1] != 'K')
        result = NK_EINVAL;
    else
        cache->hits = 0;
done:
    env_close(file); /* B19 */
    return result;
}

int nk_cache_save_newest(struct nk_cache *cache)
{
    const struct nk_item *item;

    if (cache == NULL)
        return NK_EINVAL;
    item = cache->newest;
    if (item == NULL)
        return NK_EMISSING;
    if (env_write(cache->store, item->data, item->size) < 0)
        return NK_EIO;
    return NK_OK;
}

int nk_cache_expired(const struct nk_item *item, unsigned now)
{
    return item->expires < now; /* E270 */
}

/* Forgets the oldest as long as it is expired; not more than two at once. */
unsigned nk_cache_expire(struct nk_cache *cache, unsigned now)
{
    struct nk_item *oldest;
    unsigned count = 0;

    if (cache == NULL)
        return 0;
    while (count < 2) {
        oldest = cache->oldest;
        if (oldest == NULL || !nk_cache_expired(oldest, now))
            break;
        nk_item_delete(take_oldest(cache));
        count++;
    }
    return count;
}

/* Another file is the store from now on. */
int nk_cache_reopen(struct nk_cache *cache, const char *path)
{
    struct env_file *store;

    if (cache == NULL || path == NULL)
        return NK_EINVAL;
    store = env_open(path, 1);
    if (store == NULL)
        return NK_EIO;
    env_close(cache->store); /* E271 */
    cache->store = store;
    return NK_OK;
}

unsigned nk_cache_ratio(const struct nk_cache *cache)
{
    unsigned all;

    if (cache == NULL)
        return 0;
    all = cache->hits + cache->misses;
    if (all == 0)
        return 0;
    return cache->hits / all;
}

int nk_cache_export(const struct nk_cache *cache, const char *path)
{
    struct env_file *file = env_open(path, 1);
    const struct nk_item *item;
    int result = NK_OK;

    if (file == NULL)
        return NK_EIO;
    for (item = cache->newest; item != NULL; item = item->older) { /* E272 */
        if (env_write(file, item->data, item->size) < 0) {
            result = NK_EIO;
            break;
        }
    }
    env_close(file);
    return result;
}

/* Makes an item the newest again. */
void nk_cache_refresh(struct nk_cache *cache, struct nk_item *item, unsigned expires)
{
    item->expires = expires; /* E273 */
    if (cache->newest == item) /* E274 */
        return;
    nk_cache_unlink(cache, item);
    nk_cache_insert(cache, item);
}

unsigned nk_cache_newest_key(const struct nk_cache *cache)
{
    if (cache->bytes < 1) /* E275 */
        return 0;
    return cache->newest->key; /* E276 */
}

int nk_cache_append(struct env_file *store, const struct nk_item *item)
{
    if (store == NULL)
        return NK_EINVAL;
    if (env_write(store, item->data, item->size) < 0) /* E277 */
        return NK_EIO;
    return NK_OK;
}

/* Nothing more is written to the store. */
void nk_cache_seal(struct env_file *store)
{
    if (store == NULL)
        return;
    (void)env_write(store, "END", 3);
    env_close(store); /* E278 */
}
