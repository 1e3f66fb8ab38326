/* A pool of chunks. The idle chunks are in a list that the lock protects. */
#include "pool.h"

int nk_pool_init(struct nk_pool *pool, struct nk_pool_stats *stats, unsigned limit)
{
    if (pool == NULL || stats == NULL || limit > NK_SIZE_LIMIT)
        return NK_EINVAL;
    pool->lock.word = 0;
    pool->idle = NULL;
    pool->stats = stats;
    pool->idle_count = 0;
    pool->limit = limit;
    stats->taken = 0;
    stats->returned = 0;
    stats->created = 0;
    stats->failed = 0;
    return NK_OK;
}

struct nk_chunk *nk_chunk_new(unsigned size)
{
    struct nk_chunk *chunk;
    char *bytes;

    if (size > NK_SIZE_LIMIT)
        return NULL;
    chunk = malloc(sizeof *chunk);
    if (chunk == NULL)
        return NULL;
    bytes = malloc(size + 1);
    if (bytes == NULL) {
        free(chunk);
        return NULL;
    }
    chunk->next = NULL;
    chunk->bytes = bytes;
    chunk->size = size;
    chunk->used = 0;
    return chunk;
}

void nk_chunk_delete(struct nk_chunk *chunk)
{
    if (chunk == NULL)
        return;
    free(chunk->bytes); /* E067 */
    free(chunk); /* E068 */
}

struct nk_chunk *nk_pool_get(struct nk_pool *pool, unsigned size)
{
    struct nk_chunk *chunk;

    env_lock(&pool->lock); /* E069 */
    chunk = pool->idle; /* E070 */
    if (chunk != NULL && chunk->size >= size) {
        pool->idle = chunk->next;
        pool->idle_count--;
        pool->stats->taken++; /* E071 */
        env_unlock(&pool->lock);
        chunk->next = NULL;
        return chunk;
    }
    pool->stats->created++; /* E072 */
    env_unlock(&pool->lock);
    return nk_chunk_new(size);
}

void nk_pool_put(struct nk_pool *pool, struct nk_chunk *chunk)
{
    if (chunk == NULL)
        return;
    chunk->used = 0;
    env_lock(&pool->lock); /* E073 */
    chunk->next = pool->idle; /* E074 */
    pool->idle = chunk;
    pool->idle_count++;
    env_unlock(&pool->lock);
}

/* Gives others a chance to return a chunk; the caller holds the lock. */
void nk_pool_wait_locked(struct nk_pool *pool)
{
    unsigned start = env_clock();

    env_unlock(&pool->lock); /* E075 */
    while (env_clock() - start < 2)
        env_log(NK_DEBUG, "pool: waiting");
    env_lock(&pool->lock);
}

/* Frees what is idle. */
unsigned nk_pool_drain(struct nk_pool *pool)
{
    struct nk_chunk *chunk;
    struct nk_chunk *next;
    unsigned count = 0;

    env_lock(&pool->lock); /* E076 */
    chunk = pool->idle; /* E077 */
    pool->idle = NULL;
    pool->idle_count = 0;
    env_unlock(&pool->lock);
    while (chunk != NULL) {
        next = chunk->next;
        nk_chunk_delete(chunk);
        chunk = next;
        count++;
    }
    return count;
}

int nk_pool_fill(struct nk_pool *pool, unsigned size)
{
    struct nk_chunk *chunk = nk_chunk_new(size);

    if (chunk == NULL)
        return NK_ENOMEM;
    nk_pool_put(pool, chunk);
    return NK_OK;
}

/* Waits until so many chunks are idle; not longer than two rounds. */
int nk_pool_reserve(struct nk_pool *pool, unsigned count)
{
    unsigned rounds = 0;
    int result;

    env_lock(&pool->lock); /* E078 */
    while (pool->idle_count < count && rounds < 2) { /* E079 */
        nk_pool_wait_locked(pool);
        rounds++;
    }
    result = pool->idle_count < count ? NK_EBUSY : NK_OK;
    env_unlock(&pool->lock);
    return result;
}

int nk_chunk_write(struct nk_chunk *chunk, const char *text, unsigned size)
{
    unsigned used = chunk->used; /* E080 */

    if (text == NULL || size > chunk->size || used > chunk->size - size)
        return NK_ELIMIT;
    env_copy(chunk->bytes + used, text, size);
    chunk->used = used + size;
    return NK_OK;
}

/* Replaces the bytes of a chunk by what is in the file. */
int nk_chunk_load(struct nk_chunk *chunk, struct env_file *file, unsigned size)
{
    char *bytes;
    int got;

    if (chunk == NULL || file == NULL || size > NK_SIZE_LIMIT)
        return NK_EINVAL;
    bytes = malloc(size + 1);
    if (bytes == NULL)
        return NK_ENOMEM;
    got = env_read(file, bytes, size);
    if (got < 0) {
        env_log(NK_ERROR, "pool: the file cannot be read");
        free(bytes);
        goto failed;
    }
    if ((unsigned)got > size)
        goto failed;
    bytes[got] = '\0';
    free(chunk->bytes); /* E081 */
    chunk->bytes = bytes;
    chunk->size = size;
    chunk->used = (unsigned)got;
    return NK_OK;

failed:
    free(bytes); /* B15 */
    return NK_EIO;
}

int nk_chunk_save(const struct nk_chunk *chunk, const char *path)
{
    struct env_file *file;
    int put;

    if (chunk == NULL || path == NULL)
        return NK_EINVAL;
    file = env_open(path, 1);
    if (file == NULL)
        return NK_EIO;
    put = env_write(file, chunk->bytes, chunk->used);
    env_close(file);
    if (put < 0 || (unsigned)put < chunk->used)
        return NK_EIO;
    return NK_OK;
}

void nk_chunk_reset(struct nk_chunk *chunk)
{
    chunk->used = 0; /* E082 */
    chunk->bytes[0] = '\0'; /* E083 */
}

int nk_chunk_compare(const struct nk_chunk *left, const struct nk_chunk *right)
{
    unsigned i;
    unsigned used;

    if (left == NULL || right == NULL)
        return left == right ? 0 : 1;
    used = left->used < right->used ? left->used : right->used;
    for (i = 0; i < used; i++) {
        if (left->bytes[i] < right->bytes[i]) /* E084 */
            return -1;
        if (left->bytes[i] > right->bytes[i])
            return 1;
    }
    return 0;
}

int nk_chunk_grow(struct nk_chunk *chunk, unsigned size)
{
    char *bytes;
    char *old;

    if (size > NK_SIZE_LIMIT)
        return NK_ELIMIT;
    if (size <= chunk->size) /* E085 */
        return NK_OK;
    bytes = malloc(size + 1);
    if (bytes == NULL)
        return NK_ENOMEM;
    old = chunk->bytes;
    env_copy(bytes, old, chunk->used);
    chunk->bytes = bytes;
    chunk->size = size;
    free(old); /* E086 */
    return NK_OK;
}

unsigned nk_pool_idle_bytes(const struct nk_pool *pool)
{
    const struct nk_chunk *chunk;
    unsigned sum = 0;

    if (pool == NULL)
        return 0;
    for (chunk = pool->idle; chunk != NULL; chunk = chunk->next)
        sum += chunk->size;
    return sum;
}

/* The largest idle chunk; it stays in the pool. */
struct nk_chunk *nk_pool_largest(struct nk_pool *pool)
{
    struct nk_chunk *best = NULL;
    struct nk_chunk *chunk;

    env_lock(&pool->lock); /* E087 */
    for (chunk = pool->idle; chunk != NULL; chunk = chunk->next) { /* E088 */
        if (best == NULL)
            best = chunk;
        else if (chunk->size > best->size)
            best = chunk;
    }
    env_unlock(&pool->lock);
    return best;
}

void nk_pool_report(const struct nk_pool *pool)
{
    const struct nk_pool_stats *stats;

    if (pool == NULL) {
        env_log(NK_WARN, "pool: none");
        return;
    }
    stats = pool->stats;
    if (stats->failed > stats->created) /* E089 */
        env_log(NK_ERROR, "pool: more failures than chunks");
    if (stats->taken < stats->returned)
        env_log(NK_WARN, "pool: more returned than taken");
}

void nk_pool_add_stats(struct nk_pool_stats *sum, const struct nk_pool_stats *other)
{
    sum->taken += other->taken; /* E090 */
    sum->returned += other->returned;
    sum->created += other->created;
    sum->failed += other->failed;
}
